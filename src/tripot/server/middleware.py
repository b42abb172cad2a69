"""Checks around every HTTP request: its host, its origin and its size, and the headers of its answer."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final
from urllib.parse import urlsplit

from fastapi import Request, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from tripot.server.addresses import unmapped
from tripot.server.identity import COOKIE, COOKIE_SECONDS
from tripot.server.metrics import REQUEST_ERRORS
from tripot.server.settings import Settings
from tripot.server.wire import ErrorBody, encode

ASSETS: Final = "/assets/"
PORT: Final = re.compile(":[0-9]+$")
PROBES: Final = ("/healthz", "/readyz", "/metrics")  # load balancers and Prometheus ask by address
MAX_BODY_BYTES: Final = 65536
VERSION_HEADER: Final = "tripot-version"  # by which an open page notices that it is outdated
SECURITY_HEADERS: Final = {
    "content-security-policy": "default-src 'self'; img-src 'self' data:; "
    "frame-ancestors 'none'; base-uri 'none'; form-action 'self'",
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "permissions-policy": "camera=(), microphone=(), geolocation=()",
}


def is_allowed_origin(headers: Mapping[str, str], settings: Settings) -> bool:
    """Whether a request comes from the server's own page, an allowed page, or no page at all."""
    origin = headers.get("origin")
    if origin is None or origin in settings.allowed_origins.split():
        return True
    try:
        return urlsplit(origin).netloc == headers.get("host")
    except ValueError:  # it is not a URL, for example `http://[`
        return False


def is_allowed_host(headers: Mapping[str, str], settings: Settings) -> bool:
    """Whether a request asks for one of the allowed hosts. Any host is allowed if none is configured."""
    allowed = {_without_dot(host) for host in settings.allowed_hosts.split()}
    host = _without_dot(headers.get("host", ""))
    return not allowed or host in allowed or PORT.sub("", host) in allowed


def _without_dot(host: str) -> str:
    """A host in lower case, without the dot that may end a complete name; the port is kept."""
    host = host.lower()
    name = PORT.sub("", host)
    return name.removesuffix(".") + host[len(name) :]


def cache_control(path: str, status: int) -> str:
    """How long browsers and proxies may keep an answer.

    The names of the page's assets contain hashes of their contents. Everything else of the page is validated
    before it is used again, and answers of the API are never kept, because they depend on the user.
    """
    if status in (200, 206, 304) and path.startswith(ASSETS):
        return "public, max-age=31536000, immutable"
    is_page = not path.startswith(("/api/", *PROBES))
    return "no-cache" if status < 400 and is_page else "no-store"


def error_response(status: int, body: ErrorBody) -> Response:
    """The answer to a refused request."""
    REQUEST_ERRORS.labels(body.code).inc()
    headers = {} if body.retry_after is None else {"Retry-After": str(body.retry_after)}
    return Response(encode(body), status, headers, media_type="application/json")


def cookie_header(value: str, is_secure: bool) -> str:
    """A long-lived cookie that scripts cannot read and that forms of other sites do not send."""
    header = f"{COOKIE}={value}; Max-Age={COOKIE_SECONDS}; Path=/; HttpOnly; SameSite=Lax"
    return header + "; Secure" if is_secure else header


class UnmappedAddressMiddleware:
    """Lets IPv4 clients have IPv4 addresses on a server that listens on IPv6, as the settings name them."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if client := scope.get("client"):
            scope = {**scope, "client": (unmapped(client[0]), client[1])}
        await self.app(scope, receive, send)


class SecurityMiddleware:
    """Refuses other hosts, foreign pages and large bodies, and adds headers and the cookie to answers."""

    def __init__(self, app: ASGIApp, settings: Settings, server_version: str) -> None:
        self.app, self.settings = app, settings
        self._headers = SECURITY_HEADERS | {VERSION_HEADER: server_version}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        request = Request(scope)

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = [(name.encode(), value.encode()) for name, value in self._headers.items()]
                if not any(name.lower() == b"cache-control" for name, _ in message["headers"]):
                    caching = cache_control(request.url.path, message["status"])
                    headers.append((b"cache-control", caching.encode()))
                if value := getattr(request.state, "cookie", None):
                    is_secure = request.url.scheme == "https"
                    headers.append((b"set-cookie", cookie_header(value, is_secure).encode()))
                message["headers"] = [*message["headers"], *headers]
            await send(message)

        refusal = self._refusal(request)
        if refusal:
            await refusal(scope, receive, send_with_headers)
        else:
            await self.app(scope, receive, send_with_headers)

    def _refusal(self, request: Request) -> Response | None:
        is_probe = request.url.path in PROBES
        if not is_probe and not is_allowed_host(request.headers, self.settings):
            return error_response(
                421, ErrorBody("unknown_host", "This server does not answer for that host.")
            )
        is_safe = request.method in ("GET", "HEAD", "OPTIONS")
        if not is_safe and not is_allowed_origin(request.headers, self.settings):
            return error_response(403, ErrorBody("forbidden_origin", "Requests come from our own page only."))
        length = request.headers.get("content-length", "0")
        if "transfer-encoding" in request.headers or not length.isdecimal() or int(length) > MAX_BODY_BYTES:
            message = f"A request has at most {MAX_BODY_BYTES} bytes."
            return error_response(413, ErrorBody("payload_too_large", message))
        return None
