"""The server: people and bots at live tables, over HTTP and WebSockets.

    storage.py   the database: a row a game, a row an action; all that must survive
    live.py      one game in memory, rebuilt from its rows at any time, and what each may see of it
    house.py     all games: creating, joining, acting, telling whoever watches
    bots.py      the threads in which engines think
    visitors.py  who somebody is without an account, and how much they may ask for
    api.py       HTTP; sockets.py the live connection; app.py puts it all together

It knows games only through the protocol, and never names one.
"""
