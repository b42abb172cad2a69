"""The metrics that `/metrics` exposes to Prometheus."""

from __future__ import annotations

from prometheus_client import Counter, Gauge, Histogram

GAMES_CREATED = Counter("tripot_games_created", "Games created.", ["game_key"])
EVENTS_COMMITTED = Counter("tripot_events_committed", "Events committed, chance included.", ["game_key"])
REQUEST_ERRORS = Counter("tripot_request_errors", "Requests refused, by error code.", ["code"])
ACTION_DURATION = Histogram(
    "tripot_action_duration_seconds", "From the receipt of an action until it is committed and broadcast."
)
BOT_DURATION = Histogram(
    "tripot_bot_duration_seconds", "From the request to an engine until its answer, waiting included."
)
BOT_QUEUE_LENGTH = Gauge("tripot_bot_queue_length", "Requests to engines, running or waiting for a thread.")
ENGINE_REQUESTS_REFUSED = Counter(
    "tripot_engine_requests_refused", "Hints and analyses refused because the engines were busy."
)
BOT_FAILURES = Counter("tripot_bot_failures", "Engines that failed.", ["game_key"])
RULES_THREADS_LOST = Counter(
    "tripot_rules_threads_lost", "Threads that were replaced because the rules did not answer in time."
)
LIVE_GAMES = Gauge("tripot_live_games", "Games in memory.")
WS_CONNECTIONS = Gauge("tripot_ws_connections", "Open WebSocket connections.")
OPEN_CONNECTIONS = Gauge("tripot_open_connections", "Open network connections, WebSockets included.")
CONNECTIONS_REFUSED = Counter(
    "tripot_connections_refused", "Network connections refused or closed because of a limit.", ["reason"]
)
FILE_DESCRIPTOR_SHORTAGES = Counter(
    "tripot_file_descriptor_shortages", "How often too few file descriptors were found to be free."
)
PENDING_WRITES = Gauge("tripot_pending_writes", "Writes that are not committed yet.")
SLOW_CONNECTIONS_CLOSED = Counter(
    "tripot_slow_connections_closed", "Connections closed because their send queue was full."
)
