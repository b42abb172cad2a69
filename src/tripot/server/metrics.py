"""What `/metrics` tells Prometheus."""

from __future__ import annotations

from prometheus_client import Counter, Gauge, Histogram

GAMES = Counter("tripot_games", "Games created.", ["game"])
ACTIONS = Counter("tripot_actions", "Actions accepted, chance included.", ["game"])
REFUSED = Counter("tripot_refused", "Requests refused, by code.", ["code"])
ACT_SECONDS = Histogram("tripot_act_seconds", "From an action received to committed and told.")
BOT_SECONDS = Histogram("tripot_bot_seconds", "From a bot asked to its answer, waiting included.")
BOTS_WAITING = Gauge("tripot_bots_waiting", "Bots thinking or waiting to.")
BOT_FAILURES = Counter("tripot_bot_failures", "Engines that failed.", ["game"])
LIVE = Gauge("tripot_live_games", "Games in memory.")
SOCKETS = Gauge("tripot_sockets", "Open live connections.")
WRITES_WAITING = Gauge("tripot_writes_waiting", "Writes not yet committed.")
SLOW_CLOSED = Counter("tripot_slow_closed", "Connections closed because they were too slow.")
