"""The wire format has one definition: generated files are up to date, and nothing else is sent."""

from __future__ import annotations

import ast
from pathlib import Path
from typing import Any, get_args

import msgspec
import pytest
from fastapi import FastAPI
from tests.server.in_process import SETTINGS
from tools.write_wire_types import generated_files

import tripot
import tripot.server
from tripot.server import wire
from tripot.server.app import create_app

SERVER = Path(tripot.server.__file__).parent


@pytest.fixture
def app() -> FastAPI:
    return create_app(SETTINGS)


def test_the_types_of_the_page_are_up_to_date() -> None:
    """Those of the messages, and those of the view of each game that has a board."""
    files = generated_files()
    assert len(files) > len(tripot.list_games())
    outdated = [path for path, text in files.items() if path.read_text(encoding="utf-8") != text]
    assert not outdated, "run python -m tools.write_wire_types"


def test_every_operation_of_the_description_has_the_schemas_of_the_wire(app: FastAPI) -> None:
    described = app.openapi()
    known = {*described["components"]["schemas"]}
    assert {type_.__name__ for type_ in (*wire.REQUESTS, *wire.ANSWERS)} <= known
    used: set[str] = set()

    def walk(node: Any) -> None:
        if isinstance(node, dict):
            if "$ref" in node:
                used.add(node["$ref"].rsplit("/", 1)[1])
            for value in node.values():
                walk(value)
        elif isinstance(node, list):
            for value in node:
                walk(value)

    walk(described["paths"])
    assert used <= known
    assert used == {type_.__name__ for type_ in (*wire.REQUESTS, *wire.ANSWERS)}


def test_every_path_of_the_interface_has_its_version(app: FastAPI) -> None:
    paths = {*app.openapi()["paths"]} | {getattr(route, "path", "") for route in app.routes}
    without = {path for path in paths if path and not path.startswith("/api/v1/")}
    assert without <= {"/healthz", "/readyz", "/metrics", "/"}


def test_every_error_code_is_used() -> None:
    constants = {
        node.value
        for file in SERVER.glob("*.py")
        if file.name != "wire.py"
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8")))
        if isinstance(node, ast.Constant)
    }
    assert {*get_args(wire.ErrorCode)} <= constants


def test_messages_are_told_apart_by_their_type() -> None:
    for union in (wire.ClientMessage, wire.ServerMessage):
        tags = [type_.__struct_config__.tag for type_ in get_args(union)]
        assert None not in tags
        assert len({*tags}) == len(tags)


def test_unknown_fields_of_the_client_are_refused() -> None:
    for type_ in (*wire.REQUESTS, *get_args(wire.ClientMessage)):
        assert type_.__struct_config__.forbid_unknown_fields


def test_messages_are_encoded_in_one_place_and_sql_is_in_storage() -> None:
    """Routes and sockets send structs only; statements are built in `storage.py` and `tables.py`.

    `events.py` encodes the players that a stored event names.
    """
    encoders, importers = set(), set()
    for file in SERVER.glob("*.py"):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Import | ast.ImportFrom):
                names = [alias.name for alias in node.names]
                module = getattr(node, "module", None) or ""
                if module.startswith("sqlalchemy") or any(name.startswith("sqlalchemy") for name in names):
                    importers.add(file.name)
                if "json" in names or module.startswith("json"):
                    encoders.add(file.name)
            elif isinstance(node, ast.Attribute) and ast.unparse(node).endswith(
                ("json.encode", "json.Encoder", "json.dumps")
            ):
                encoders.add(file.name)
    assert importers == {"database.py", "storage.py", "tables.py", "writer.py"}
    assert encoders == {"events.py", "wire.py"}


def test_routes_and_sockets_do_not_look_into_games() -> None:
    """They know the services. A state or a table of a game is none of their business."""
    for name in ("routes.py", "ws.py", "app.py", "middleware.py", "connections.py", "lobby.py"):
        tree = ast.parse((SERVER / name).read_text(encoding="utf-8"))
        attributes = {node.attr for node in ast.walk(tree) if isinstance(node, ast.Attribute)}
        assert not attributes & {"table", "events", "seed"} - ({"seed"} if name == "app.py" else set()), name


def test_what_the_server_sends_can_be_decoded_again() -> None:
    seat = wire.TitledSeat(kind="bot", name="level 1", level=1, title="Blue")
    assert msgspec.json.decode(wire.encode(seat), type=wire.TitledSeat) == seat
