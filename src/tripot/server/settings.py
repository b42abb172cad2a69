"""The settings of a server, from flags of `tripot serve` or the environment: TRIPOT_DATABASE and so on."""

from __future__ import annotations

import os
import re
import secrets
import tempfile
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, fields
from difflib import get_close_matches
from ipaddress import ip_interface, ip_network
from pathlib import Path
from typing import Any, Final

import platformdirs

from tripot.game import TripotError
from tripot.server.clock import SHORTEST


def data_dir() -> Path:
    """The folder of the database and the key, unless the settings name others."""
    home = os.environ.get("TRIPOT_HOME")
    return Path(home) if home else platformdirs.user_data_path("tripot")


RENAMED_VARIABLES: Final = {
    "TRIPOT_KEY": "TRIPOT_SECRET_KEY",
    "TRIPOT_ORIGINS": "TRIPOT_ALLOWED_ORIGINS",
    "TRIPOT_THINK": "TRIPOT_BOT_SECONDS",
    "TRIPOT_GAMES_A_MINUTE": "TRIPOT_GAMES_PER_MINUTE",
    "TRIPOT_MESSAGES_A_SECOND": "TRIPOT_MESSAGES_PER_SECOND",
    "TRIPOT_ENGINE_SECONDS": "TRIPOT_ANALYSIS_SECONDS",
    "TRIPOT_OPEN_GAMES": "TRIPOT_MAX_UNFINISHED_GAMES",
    "TRIPOT_QUEUE": "TRIPOT_SEND_QUEUE_SIZE",
    "TRIPOT_KEPT": "TRIPOT_MAX_CACHED_GAMES",
}
"""Environment variables of version 0.2.0, and their names since."""

MAX_NUMBER: Final = 1_000_000_000  # of every setting; also refuses `inf` and `nan`

MIN_KEY_LENGTH: Final = 16  # characters; shorter keys can be guessed
EXAMPLE_KEY: Final = "the output of `openssl rand -hex 32`"
_TOO_SHORT: Final = f"has fewer than {MIN_KEY_LENGTH} characters, so others could guess it and sign cookies"
_KEY_REMEDY: Final = "restore it, or delete it to generate a new key, with which all users are new"

_PARSERS: dict[type, Callable[[str], Any]] = {str: str, int: int, float: float}
_NUMBERS: Final = {int: "a whole number", float: "a number"}
_NETWORKS: Final = ("trusted_proxies", "metrics_addresses")
_HOST: Final = r"(\[[0-9a-f:.]+\]|[a-z0-9._-]*[a-z0-9][a-z0-9._-]*)(:[0-9]{1,5})?"
_ORIGIN_PATTERN: Final = re.compile(f"https?://{_HOST}")
_HOST_PATTERN: Final = re.compile(_HOST, re.IGNORECASE)
_OTHER_VARIABLES: Final = {  # of the terminal, the tests and the benchmarks
    "TRIPOT_HOME",
    "TRIPOT_SCREENSHOTS",
    "TRIPOT_PREPARED",
    "TRIPOT_ANSWERS",
    "TRIPOT_ATTACK_SECONDS",
}
_SIMILARITY: Final = 0.8  # of names, from 0 to 1; a slip of one or two letters has more
_TEST_PREFIX: Final = "TRIPOT_TEST_"
_MAY_BE_ZERO: Final = {"max_cached_games", "max_cached_bots", "shortest_clock", "bot_simulations"}


@dataclass(frozen=True, slots=True)
class Settings:
    """All settings, with defaults for one machine.

    database              a URL: sqlite:///FILE or postgresql://USER@HOST/NAME; empty means an SQLite file in
                          the data folder
    database_timeout      seconds that a call of the database may take, waiting for a lock included
    secret_key            signs the cookies, with at least 16 characters; empty means a key that is generated
                          once and kept in a file
    allowed_origins       other origins of the same site whose pages may use this server, separated by spaces
    bot_seconds           seconds that a bot may search for a move
    bot_threads           number of bots that search at once
    rules_seconds         seconds until the rules have answered, waiting for a thread included
    games_per_minute      number of games that one address may create
    messages_per_second   number of messages that one connection may send, and of requests of one user or of
                          all users of one address without a cookie, on average over ten seconds; everything
                          from one address may have 20 times as many
    analysis_seconds      seconds of hints and analysis that one user may have in ten minutes
    analysis_seconds_per_address
                          the same for all users of one address together
    max_engine_questions  number of hints and analyses that may run or wait at once
    max_engine_questions_per_address
                          the same for one address
    max_unfinished_games  number of unfinished games that one user may have created
    joins_per_minute      number of open seats and seat links that one address may take
    max_unfinished_seats  number of seats that one user may have taken in unfinished games of others
    max_unfinished_seats_per_address
                          number of seats that one address may have taken within a day in unfinished public
                          games of other addresses
    max_public_games_per_address
                          number of unfinished public games that one address may have created within a day
    send_queue_size       number of messages that may wait for a slow connection before it is closed
    presence_seconds      shortest time between two messages that tell who is connected to a game
    max_cached_games      number of games that stay in memory without a connection
    max_cached_bots       number of bots that keep their search trees between moves; a tree has up to 550 MB
    max_connections       number of open network connections; fewer if file descriptors would run short
    max_connections_per_address
                          the same for one address that is not a trusted proxy, and of WebSockets for an
                          address that a trusted proxy has forwarded
    max_header_bytes      size of the headers of a request
    header_seconds        seconds until the headers of a request are complete
    body_seconds          seconds until the body of a request is complete
    answer_seconds        seconds in which a client must go on to read what waits for it
    hello_seconds         seconds until a WebSocket sends its hello
    trusted_proxies       addresses or networks of proxies whose X-Forwarded-For and X-Forwarded-Proto are
                          believed, separated by spaces
    allowed_hosts         host names by which the server may be asked, separated by spaces; empty means any;
                          probes may use any name
    metrics_addresses     addresses or networks that may read /metrics, separated by spaces
    shortest_clock        fewest seconds that the clock of a game may give to a seat
    seed                  makes chance and bots reproducible, for tests and demonstrations only: everybody who
                          knows it can predict the dice; empty means unpredictable
    bot_simulations       limits bots, hints and analysis by a number of simulations instead of seconds, so
                          that they choose the same moves on every machine; 0 means by seconds
    """

    database: str = ""
    database_timeout: float = 5.0
    secret_key: str = ""
    allowed_origins: str = ""
    bot_seconds: float = 1.0
    bot_threads: int = 2
    rules_seconds: float = 10.0
    games_per_minute: int = 30
    messages_per_second: int = 10
    analysis_seconds: float = 120.0
    analysis_seconds_per_address: float = 480.0
    max_engine_questions: int = 32
    max_engine_questions_per_address: int = 8
    max_unfinished_games: int = 200
    joins_per_minute: int = 30
    max_unfinished_seats: int = 20
    max_unfinished_seats_per_address: int = 20
    max_public_games_per_address: int = 20
    send_queue_size: int = 64
    presence_seconds: float = 1.0
    max_cached_games: int = 1000
    max_cached_bots: int = 4
    max_connections: int = 10_000
    max_connections_per_address: int = 200
    max_header_bytes: int = 32_768
    header_seconds: float = 10.0
    body_seconds: float = 20.0
    answer_seconds: float = 20.0
    hello_seconds: float = 20.0
    trusted_proxies: str = ""
    allowed_hosts: str = ""
    metrics_addresses: str = "127.0.0.1 ::1"
    shortest_clock: int = SHORTEST
    seed: str = ""
    bot_simulations: int = 0

    @classmethod
    def from_env(cls, **given: Any) -> Settings:
        """The given settings, else those of the environment, else the defaults. None counts as not given.

        An environment variable that was renamed is an error: without its key, a server would not recognise
        the players of its games.
        """
        for old, new in RENAMED_VARIABLES.items():
            if old in os.environ:
                raise TripotError(f"the environment variable {old} is called {new} now; rename it")
        from_environment = {
            field.name: _parsed(field.name, type(field.default))
            for field in fields(cls)
            if _variable(field.name) in os.environ
        }
        return cls(**from_environment | {name: value for name, value in given.items() if value is not None})

    def __post_init__(self) -> None:
        for field in fields(self):
            value = getattr(self, field.name)
            least = 0 if field.name in _MAY_BE_ZERO else 1 if isinstance(value, int) else 0.001
            if isinstance(value, (int, float)) and not least <= value <= MAX_NUMBER:
                raise TripotError(f"{_variable(field.name)} must be {least} to {MAX_NUMBER}, not {value}")
        for name in _NETWORKS:
            for network in getattr(self, name).split():
                _check_network(_variable(name), network)
        for origin in self.allowed_origins.split():
            if not _ORIGIN_PATTERN.fullmatch(origin):
                raise TripotError(
                    f"TRIPOT_ALLOWED_ORIGINS has {origin!r}, which is no origin: write origins such as "
                    "https://club.example in lower case, without a path, separated by spaces"
                )
        for host in self.allowed_hosts.split():
            if not _HOST_PATTERN.fullmatch(host):
                raise TripotError(
                    f"TRIPOT_ALLOWED_HOSTS has {host!r}, which is no host name: write names such as "
                    "games.example, separated by spaces; leave it empty to allow any"
                )

    @property
    def database_url(self) -> str:
        """The URL of the database with its driver."""
        url = self.database or f"sqlite:///{_existing_data_dir() / 'tripot.db'}"
        scheme, separator, rest = url.partition("://")
        drivers = {
            "sqlite": "sqlite+aiosqlite",
            "postgresql": "postgresql+psycopg",
            "postgres": "postgresql+psycopg",
        }
        return f"{drivers.get(scheme, scheme)}{separator}{rest}"

    @property
    def signing_key(self) -> str:
        """The key that signs the cookies."""
        if self.secret_key.strip():
            if len(self.secret_key.strip()) < MIN_KEY_LENGTH:
                raise TripotError(f"TRIPOT_SECRET_KEY {_TOO_SHORT}: set a random text such as {EXAMPLE_KEY}")
            return self.secret_key
        file = _existing_data_dir() / "key"
        try:
            if not file.exists():
                _create_key(file)
            key = file.read_text(encoding="ascii").strip()
        except UnicodeDecodeError:
            raise TripotError(f"the key file {file} is not ASCII text: {_KEY_REMEDY}") from None
        except OSError as error:
            raise TripotError(
                f"the key file {file} cannot be read ({_reason(error)}): allow the user who runs the server "
                "to read it, or set TRIPOT_SECRET_KEY"
            ) from None
        if not key:
            raise TripotError(f"the key file {file} is empty, so anybody could sign cookies: {_KEY_REMEDY}")
        if len(key) < MIN_KEY_LENGTH:
            raise TripotError(f"the key in the file {file} {_TOO_SHORT}: {_KEY_REMEDY}")
        return key


def unknown_variables() -> dict[str, str]:
    """The environment variables that look like settings and are none, each with the most similar setting.

    That is empty if none is similar.
    """
    known = [_variable(field.name) for field in fields(Settings)]
    return {
        name: next(iter(get_close_matches(name, known, 1, _SIMILARITY)), "")
        for name in sorted(os.environ)
        if name.startswith("TRIPOT_")
        and not name.startswith(_TEST_PREFIX)
        and name not in {*known, *_OTHER_VARIABLES}
    }


def _create_key(file: Path) -> None:
    """Write a new key. If two servers start together, both use the one that was first."""
    descriptor, name = tempfile.mkstemp(dir=file.parent)  # readable by its owner only
    with os.fdopen(descriptor, "w", encoding="ascii") as temporary:
        temporary.write(secrets.token_hex(32))
    with suppress(FileExistsError):
        os.link(name, file)
    Path(name).unlink()


def _existing_data_dir() -> Path:
    folder = data_dir()
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise TripotError(
            f"the data folder {folder} cannot be created ({_reason(error)}): set TRIPOT_HOME to another"
        ) from None
    return folder


def _check_network(variable: str, network: str) -> None:
    """Raise TripotError unless a text is an address or a network."""
    try:
        whole = ip_network(network, strict=False)
    except ValueError:
        raise TripotError(
            f"{variable} has {network!r}, which is no address or network: "
            "write addresses such as 10.0.0.1 or networks such as 10.0.0.0/8, separated by spaces"
        ) from None
    if whole.network_address != ip_interface(network).ip:
        raise TripotError(
            f"{variable} has {network!r}, which is neither an address nor a whole network: "
            f"write {ip_interface(network).ip} or {whole}"
        )


def _variable(name: str) -> str:
    """The environment variable of a setting."""
    return f"TRIPOT_{name.upper()}"


def _parsed(name: str, type_: type) -> Any:
    variable = _variable(name)
    try:
        return _PARSERS[type_](os.environ[variable])
    except ValueError:
        raise TripotError(f"{variable} must be {_NUMBERS[type_]}, not {os.environ[variable]!r}") from None


def _reason(error: Exception) -> str:
    return (error.strerror if isinstance(error, OSError) else None) or str(error)
