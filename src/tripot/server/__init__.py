"""The server: people and bots play over HTTP and WebSockets.

    wire.py          every message between server and clients, as a typed struct
    routes.py        HTTP; ws.py: WebSockets; openapi.py: their description
    middleware.py    origin, size and headers of requests; errors.py: refused requests
    game_service.py  all games: creating, joining, acting; act, validate, commit, broadcast
    lobby.py         users and lists of games; analysis.py: questions about games; game_types.py: the games
    live_game.py     one game in memory; live_games.py: all in memory; events.py: what changes a game
    render.py        what a viewer may see: the only way from a game to a message
    connections.py   open connections; bots.py: engines in threads; clock.py: chess clocks
    storage.py       the database, with all SQL; tables.py: its tables; migrations/: its versions
    identity.py      users without accounts; rate_limits.py: how much they may ask for

The server knows games only through the game interface, and never names one.
"""
