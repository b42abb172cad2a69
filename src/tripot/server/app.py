"""The app: routes, headers, errors, metrics, and what begins and ends with it."""

from __future__ import annotations

import logging
import sys
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlsplit

import structlog
from fastapi import FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from prometheus_client import CONTENT_TYPE_LATEST, generate_latest
from starlette.exceptions import HTTPException
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp, Message, Receive, Scope, Send

import tripot
from tripot.game import TripotError
from tripot.server import api, sockets
from tripot.server.house import House
from tripot.server.metrics import REFUSED, WRITES_WAITING
from tripot.server.problems import problem
from tripot.server.settings import Settings
from tripot.server.telling import encode
from tripot.server.visitors import COOKIE, COOKIE_SECONDS, Visitors

log = structlog.get_logger("tripot")

PAGE: Final = Path(__file__).parent / "page"
LARGEST: Final = 65536  # bytes of a request
HEADERS: Final = {
    "content-security-policy": "default-src 'self'; img-src 'self' data:; "
    "frame-ancestors 'none'; base-uri 'none'; form-action 'self'",
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "permissions-policy": "camera=(), microphone=(), geolocation=()",
}


def make_app(settings: Settings | None = None) -> FastAPI:
    """The server as an ASGI app."""
    settings = settings or Settings.read()

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        house = House(settings)
        await house.open()
        app.state.house = house
        log.info("open", games=[game.key for game in tripot.list_games()])
        if settings.seed:
            log.warning("chance is predictable because TRIPOT_SEED is set: for tests and demonstrations only")
        yield
        await house.close()
        log.info("closed")

    app = FastAPI(
        title="Tripot",
        version=tripot.__version__,
        description="Four board games: play them live, against people and bots.",
        openapi_url="/api/openapi.json",
        docs_url=None,  # its scripts would come from another host
        redoc_url=None,
        lifespan=lifespan,
    )
    app.state.visitors = Visitors(settings)
    app.state.is_ours = lambda headers: is_ours(headers, settings)
    app.include_router(api.router)
    app.include_router(sockets.router)
    _add_watch_points(app)
    _add_page(app)
    _add_errors(app)
    app.add_middleware(Guard, settings=settings)
    return app


def is_ours(headers: Mapping[str, str], settings: Settings) -> bool:
    """Whether a request comes from our own page, a page that is allowed, or no page at all."""
    origin = headers.get("origin")
    return (
        origin is None or urlsplit(origin).netloc == headers.get("host") or origin in settings.origins.split()
    )


class Guard:
    """Around everything: foreign pages and large bodies are turned away, headers and the cookie set."""

    def __init__(self, app: ASGIApp, settings: Settings) -> None:
        self.app, self.settings = app, settings

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        request = Request(scope)

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                said = [(name.encode(), value.encode()) for name, value in HEADERS.items()]
                if value := getattr(request.state, "cookie", None):
                    said.append((b"set-cookie", cookie(value, request.url.scheme == "https").encode()))
                message["headers"] = [*message["headers"], *said]
            await send(message)

        refused = self._refused(request)
        if refused:
            await refused(scope, receive, send_with_headers)
        else:
            await self.app(scope, receive, send_with_headers)

    def _refused(self, request: Request) -> Response | None:
        if request.method not in ("GET", "HEAD", "OPTIONS") and not is_ours(request.headers, self.settings):
            return _problem(403, {"code": "foreign", "message": "Requests come from our own page only."})
        length = request.headers.get("content-length", "0")
        if "transfer-encoding" in request.headers or not length.isdecimal() or int(length) > LARGEST:
            return _problem(413, {"code": "too_long", "message": f"A request has at most {LARGEST} bytes."})
        return None


def cookie(value: str, secure: bool) -> str:
    """Long-lived, out of reach of scripts, and not sent along by other sites' forms."""
    said = f"{COOKIE}={value}; Max-Age={COOKIE_SECONDS}; Path=/; HttpOnly; SameSite=Lax"
    return said + "; Secure" if secure else said


def _problem(status: int, body: dict[str, Any]) -> Response:
    REFUSED.labels(body["code"]).inc()
    return Response(encode(body), status, media_type="application/json")


def _add_page(app: FastAPI) -> None:
    """The page, if it was built. It finds its way by the fragment, so there is one file to serve."""
    if (PAGE / "index.html").is_file():
        app.mount("/", StaticFiles(directory=PAGE, html=True))
        return

    @app.get("/", include_in_schema=False)
    async def no_page() -> Response:
        said = "The page is not built here; the games can be played through /api (see /api/openapi.json)."
        return Response(said, media_type="text/plain; charset=utf-8")


def _add_watch_points(app: FastAPI) -> None:
    @app.get("/healthz", tags=["host"])
    async def healthz(request: Request) -> Response:
        """Whether the server and its database answer."""
        house: House = request.app.state.house
        try:
            await house.storage.ping()
        except Exception:
            log.exception("the database does not answer")
            return _problem(503, {"code": "no_database", "message": "The database does not answer."})
        return Response(
            encode({"status": "ok", "version": tripot.__version__}), media_type="application/json"
        )

    @app.get("/metrics", tags=["host"], response_class=Response)
    async def metrics(request: Request) -> Response:
        """Counts and times for Prometheus."""
        WRITES_WAITING.set(request.app.state.house.storage.waiting)
        return Response(generate_latest(), media_type=CONTENT_TYPE_LATEST)


def _add_errors(app: FastAPI) -> None:
    @app.exception_handler(TripotError)
    async def refuse(request: Request, error: Exception) -> Response:
        assert isinstance(error, TripotError)
        house: House = request.app.state.house
        game = house.kind_of(request.path_params.get("game", ""))
        language = await api.language(request, request.query_params.get("lang", ""))
        return _problem(*problem(error, language, game))

    @app.exception_handler(RequestValidationError)
    async def misshapen(_: Request, error: Exception) -> Response:
        assert isinstance(error, RequestValidationError)
        wrong = [
            {"where": [str(each) for each in fault["loc"]], "what": fault["msg"]} for fault in error.errors()
        ]
        said = "; ".join(f"{'.'.join(each['where'])}: {each['what']}" for each in wrong[:3])
        return _problem(422, {"code": "misshapen", "message": said, "faults": wrong})

    @app.exception_handler(HTTPException)
    async def http(_: Request, error: Exception) -> Response:
        assert isinstance(error, HTTPException)
        codes = {404: "no_such_page", 405: "no_such_method"}
        return _problem(
            error.status_code, {"code": codes.get(error.status_code, "http"), "message": str(error.detail)}
        )

    @app.exception_handler(Exception)
    async def fail(request: Request, error: Exception) -> Response:
        log.error("failed", path=request.url.path, exc_info=error)
        return _problem(500, {"code": "failed", "message": "Something went wrong here. It has been noted."})


def log_as_json() -> None:
    """Structured logs on stderr, one JSON object a line, ours and uvicorn's."""
    structlog.configure(
        processors=[
            structlog.contextvars.merge_contextvars,
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso"),
            structlog.processors.format_exc_info,
            structlog.processors.JSONRenderer(),
        ],
        wrapper_class=structlog.make_filtering_bound_logger(logging.INFO),
        logger_factory=structlog.PrintLoggerFactory(sys.stderr),
        cache_logger_on_first_use=True,
    )
