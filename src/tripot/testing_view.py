"""The part of the conformance suite about the JSON of views.

Each game defines the type of its views as `View` in `view_json.py`. The page's TypeScript type is generated
from it, so the page can rely on every field if the JSON is of this type.
"""

from __future__ import annotations

import json
from importlib import import_module
from types import UnionType
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints, is_typeddict

from tripot.game import AnyGame, View


def view_type(game: AnyGame) -> type:
    """The type of the JSON of a game's views: `View` of its `view_json.py`."""
    view_type: type = import_module(f"{type(game).__module__}.view_json").View
    return view_type


def check_view_json(game: AnyGame, view: View) -> None:
    """The JSON of a view has the fields of the game's `View`, with values of their types, and no others."""
    _check_json(json.loads(json.dumps(view)), view_type(game), "view")


def _check_json(value: object, hint: Any, path: str) -> None:
    """Raise an AssertionError that names the path of the first value that does not have its type."""
    error = f"{path} is {value!r}, and not {hint}"
    origin, arguments = get_origin(hint), get_args(hint)
    if origin in (Union, UnionType):
        assert any(_is_json(value, argument) for argument in arguments), error
    elif origin is Literal:
        assert value in arguments, error
    elif origin in (list, tuple):
        assert isinstance(value, list), error
        items = arguments if origin is tuple else arguments * len(value)
        assert len(items) == len(value), error
        for index, (item, item_hint) in enumerate(zip(value, items, strict=True)):
            _check_json(item, item_hint, f"{path}[{index}]")
    elif origin is dict:
        assert isinstance(value, dict), error
        for key, item in value.items():
            _check_json(key, arguments[0], f"a key of {path}")
            _check_json(item, arguments[1], f"{path}[{key!r}]")
    elif is_typeddict(hint):
        hints = get_type_hints(hint)
        assert isinstance(value, dict), error
        assert value.keys() == hints.keys(), f"{path} has the fields {[*value]}, and not {[*hints]}"
        for key, item_hint in hints.items():
            _check_json(value[key], item_hint, f"{path}.{key}")
    else:
        assert type(value) is hint, error  # bool is not an int here


def _is_json(value: object, hint: Any) -> bool:
    try:
        _check_json(value, hint, "")
    except AssertionError:
        return False
    return True
