"""The server as an ASGI app: routes, error handlers, health and metrics, and the page."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from hashlib import sha256
from pathlib import Path
from typing import Final

import structlog
from fastapi import FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from prometheus_client import CONTENT_TYPE_LATEST, generate_latest
from starlette.exceptions import HTTPException
from starlette.middleware.cors import CORSMiddleware
from starlette.staticfiles import StaticFiles
from uvicorn.middleware.proxy_headers import ProxyHeadersMiddleware

import tripot
from tripot.game import TripotError
from tripot.server import openapi, routes, ws
from tripot.server.addresses import is_in
from tripot.server.analysis import AnalysisService
from tripot.server.errors import DatabaseUnavailableError, InvalidRequestError, error_reply
from tripot.server.game_service import GameService
from tripot.server.game_types import language_for
from tripot.server.identity import UserCookies
from tripot.server.lobby import LobbyService
from tripot.server.metrics import PENDING_WRITES
from tripot.server.middleware import (
    VERSION_HEADER,
    SecurityMiddleware,
    UnmappedAddressMiddleware,
    error_response,
    is_allowed_host,
    is_allowed_origin,
)
from tripot.server.rate_limits import RateLimits
from tripot.server.readiness import ReadinessProbe
from tripot.server.settings import Settings, unknown_variables
from tripot.server.wire import ErrorBody, ErrorCode, FieldError, Health

log = structlog.get_logger("tripot")

PAGE: Final = Path(__file__).parent / "page"


def server_version() -> str:
    """The version of the package and of the page, which changes whenever an open page is outdated."""
    index = PAGE / "index.html"
    page = sha256(index.read_bytes()).hexdigest()[:8] if index.is_file() else "none"
    return f"{tripot.__version__}+{page}"


def create_app(settings: Settings | None = None) -> FastAPI:
    """Create the app. Its games are in `app.state.games` once it has started."""
    settings = settings or Settings.from_env()
    version = server_version()
    rate_limits = RateLimits(settings)

    for name, similar in unknown_variables().items():
        log.warning("unknown setting", name=name, **({"similar": similar} if similar else {}))

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        games = GameService(settings, version)
        await games.open()
        app.state.games = games
        app.state.lobby = LobbyService(games, rate_limits)
        app.state.analysis = AnalysisService(games, rate_limits)
        app.state.readiness = ReadinessProbe(games.storage.check_writable)
        log.info("open", game_keys=[game.key for game in tripot.list_games()])
        if settings.seed:
            log.warning("chance is predictable because TRIPOT_SEED is set: for tests and demonstrations only")
        try:
            yield
        finally:
            await app.state.readiness.close()
            await games.close()
            log.info("closed")

    app = FastAPI(
        title="Tripot",
        version=tripot.__version__,
        description=openapi.WEBSOCKET_DESCRIPTION,
        openapi_url=f"{routes.PREFIX}/openapi.json",
        docs_url=None,  # its scripts would come from another host
        redoc_url=None,
        lifespan=lifespan,
    )
    app.state.cookies = UserCookies(settings.signing_key)
    app.state.rate_limits = rate_limits
    app.state.settings = settings
    app.state.is_allowed_origin = lambda headers: (
        is_allowed_host(headers, settings) and is_allowed_origin(headers, settings)
    )
    app.include_router(routes.router)
    app.include_router(ws.router)
    _add_health_routes(app)
    _mount_page(app)
    _add_error_handlers(app)
    openapi.describe(app)
    _add_middleware(app, settings, version)
    return app


def _add_middleware(app: FastAPI, settings: Settings, version: str) -> None:
    """Add the middleware; what is added last sees a request first."""
    if origins := settings.allowed_origins.split():
        app.add_middleware(
            CORSMiddleware,
            allow_origins=origins,
            allow_credentials=True,
            allow_methods=["GET", "POST", "PUT"],
            allow_headers=["Content-Type"],
            expose_headers=[VERSION_HEADER, "Retry-After"],
        )
    app.add_middleware(SecurityMiddleware, settings=settings, server_version=version)
    if proxies := settings.trusted_proxies.split():
        app.add_middleware(ProxyHeadersMiddleware, trusted_hosts=proxies)
    app.add_middleware(UnmappedAddressMiddleware)


def _mount_page(app: FastAPI) -> None:
    """Serve the page, if it was built. Its routes are fragments, so there is one HTML file."""
    if (PAGE / "index.html").is_file():
        app.mount("/", StaticFiles(directory=PAGE, html=True))
        return

    @app.get("/", include_in_schema=False)
    async def no_page() -> Response:
        text = f"The page is not built here. The HTTP interface is described by {routes.PREFIX}/openapi.json."
        return Response(text, media_type="text/plain; charset=utf-8")


def _add_health_routes(app: FastAPI) -> None:
    @app.get("/healthz", tags=["host"], responses=openapi.answers(Health))
    async def healthz() -> Response:
        """Whether the server answers. The database is not used: a restart would not help it."""
        return routes.json_response(Health("ok", tripot.__version__))

    @app.get("/readyz", tags=["host"], responses=openapi.answers(Health))
    async def readyz(request: Request) -> Response:
        """Whether games can be written; answered within a second, even if the database is silent."""
        readiness: ReadinessProbe = request.app.state.readiness
        if await readiness.is_ready():
            return routes.json_response(Health("ok", tripot.__version__))
        error = DatabaseUnavailableError()
        return error_response(error.status, error.body)

    @app.get(
        "/metrics", tags=["host"], response_class=Response, responses={403: openapi.ERROR_RESPONSES[403]}
    )
    async def metrics(request: Request) -> Response:
        """Metrics for Prometheus, for the configured addresses only.

        A request that an unknown proxy has forwarded may come from anywhere.
        """
        address = request.client.host if request.client else ""
        settings: Settings = request.app.state.settings
        is_forwarded = not settings.trusted_proxies and "x-forwarded-for" in request.headers
        if is_forwarded or not is_in(address, settings.metrics_addresses.split()):
            return error_response(403, ErrorBody("forbidden", "The metrics are not public."))
        PENDING_WRITES.set(request.app.state.games.storage.pending_writes)
        return Response(generate_latest(), media_type=CONTENT_TYPE_LATEST)


def _add_error_handlers(app: FastAPI) -> None:
    @app.exception_handler(TripotError)
    async def on_tripot_error(request: Request, error: Exception) -> Response:
        assert isinstance(error, TripotError)
        games: GameService = request.app.state.games
        game = games.game_of(request.path_params.get("game_id", ""))
        language = await routes.user_language(request, request.query_params.get("lang", ""))
        return error_response(*error_reply(error, language_for(game, language) if game else language, game))

    @app.exception_handler(RequestValidationError)
    async def on_validation_error(_: Request, error: Exception) -> Response:
        assert isinstance(error, RequestValidationError)
        fields = [FieldError([str(part) for part in field["loc"]], field["msg"]) for field in error.errors()]
        return error_response(422, InvalidRequestError(fields).body)

    @app.exception_handler(HTTPException)
    async def on_http_error(_: Request, error: Exception) -> Response:
        assert isinstance(error, HTTPException)
        codes: dict[int, ErrorCode] = {404: "not_found", 405: "method_not_allowed"}
        code = codes.get(error.status_code, "http_error")
        return error_response(error.status_code, ErrorBody(code, str(error.detail)))

    @app.exception_handler(Exception)
    async def on_unhandled_error(request: Request, error: Exception) -> Response:
        log.error("a request failed", path=request.url.path, exc_info=error)
        message = "Something went wrong here. It has been noted."
        return error_response(500, ErrorBody("internal_error", message))
