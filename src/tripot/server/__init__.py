"""The server: people and bots play over HTTP and WebSockets.

    process.py       the process, with Uvicorn; app.py: the app with its routes; settings.py: all settings
    log_config.py    logs; metrics.py: metrics for Prometheus; readiness.py: whether games can be written
    http_protocol.py, ws_protocol.py, transport.py, addresses.py
                     limits of connections, requests and frames; middleware.py: host, origin, size and headers
    routes.py        HTTP; ws.py: WebSockets; openapi.py: their description; errors.py: refused requests
    wire.py          every message between server and clients, as a typed struct
    identity.py      users without accounts; rate_limits.py: how much they may ask for;
                     quotas.py: how many unfinished games and seats they may have
    game_service.py  all games: creating, joining, acting; act, validate, commit, broadcast
    lobby.py         users and lists of games; analysis.py: questions about games; game_types.py: the games
    new_game.py      what is agreed before a game; seats.py: for which seat a request is
    live_game.py     one game in memory; live_games.py: all in memory; events.py: what changes a game
    clock.py         chess clocks; scheduler.py: what happens without a request; randomness.py: chance
    bots.py          engines in threads; engine_queue.py: the queue in front of them
    rules_pool.py    the threads in which the rules run, with a deadline
    render.py        what a viewer may see: the only way from a game to a message, refusals excepted
    connections.py   open connections, and who gets which message
    storage.py       the database, with all SQL; tables.py: its tables; migrations/: its versions
    writer.py        the queue of writes; database.py, postgres.py, sqlite.py: connections with timeouts

The server knows games only through the game interface, and never names one.
"""
