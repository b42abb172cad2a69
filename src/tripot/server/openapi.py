"""The OpenAPI description of the HTTP interface. The schemas are generated from `wire.py`."""

from __future__ import annotations

from typing import Any, Final

import msgspec
from fastapi import FastAPI
from fastapi.openapi.utils import get_openapi
from msgspec import Struct

from tripot.server.wire import ANSWERS, REQUESTS, ClientMessage, ErrorBody, ServerMessage

REF: Final = "#/components/schemas/{name}"
WEBSOCKET_DESCRIPTION: Final = """\
Play games live, against people and bots.

The WebSocket `/api/v1/games/{game_id}/ws` has the messages `ClientMessage` and `ServerMessage`, which are
among the schemas below."""


def _ref(type_: type[Struct]) -> dict[str, str]:
    return {"$ref": REF.format(name=type_.__name__)}


def _json(schema: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {"application/json": {"schema": schema} | more}


def answers(type_: type[Struct], status: int = 200, is_list: bool = False) -> dict[int | str, dict[str, Any]]:
    """The `responses` of a route that answers with a struct, or with a list of them."""
    schema = {"type": "array", "items": _ref(type_)} if is_list else _ref(type_)
    return {status: {"description": (type_.__doc__ or "").splitlines()[0], "content": _json(schema)}}


def takes(type_: type[Struct], *examples: dict[str, Any]) -> dict[str, Any]:
    """The `openapi_extra` of a route whose body is a struct."""
    named = {f"example {number}": {"value": example} for number, example in enumerate(examples, 1)}
    content = _json(_ref(type_), **({"examples": named} if named else {}))
    return {"requestBody": {"required": True, "content": content}}


ERROR_RESPONSES: Final[dict[int | str, dict[str, Any]]] = {
    status: {"description": about, "content": _json(_ref(ErrorBody))}
    for status, about in {
        400: "It cannot be parsed.",
        403: "It is not allowed.",
        404: "It does not exist.",
        409: "The rules or the state of the game do not allow it.",
        408: "It was not complete in time.",
        413: "It is too large.",
        421: "The server does not answer for that host.",
        422: "A field is missing or invalid.",
        429: "A rate limit has been reached.",
        503: "The server is busy.",
    }.items()
}


def schemas() -> dict[str, Any]:
    """The JSON schemas of all structs of the wire, by name."""
    types = [*REQUESTS, *ANSWERS, ClientMessage, ServerMessage]
    roots, components = msgspec.json.schema_components(types, ref_template=REF)
    client_message, server_message = roots[-2:]
    return components | {"ClientMessage": client_message, "ServerMessage": server_message}


def describe(app: FastAPI) -> None:
    """Let an app describe itself with the schemas of the wire."""

    def openapi() -> dict[str, Any]:
        if app.openapi_schema is None:
            described = get_openapi(
                title=app.title, version=app.version, description=app.description, routes=app.routes
            )
            described.setdefault("components", {})["schemas"] = schemas()
            for path in described["paths"].values():
                for operation in path.values():
                    operation["responses"].setdefault("422", ERROR_RESPONSES[422])
                    if "HTTPValidationError" in str(operation["responses"]["422"]):
                        operation["responses"]["422"] = ERROR_RESPONSES[422]
            app.openapi_schema = described
        return app.openapi_schema

    app.openapi = openapi  # type: ignore[method-assign]  # as the documentation of FastAPI recommends
