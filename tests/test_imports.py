"""Imports: only declared dependencies, and few modules for commands that only show something."""

from __future__ import annotations

import ast
import json
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator, Mapping
from functools import cache
from importlib.metadata import packages_distributions
from inspect import getdoc
from pathlib import Path
from random import Random

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

import tripot
from tripot.cli import COMMANDS, app, load
from tripot.game import CHANCE, AnyState
from tripot.games import keys

ROOT = Path(__file__).parent.parent
PACKAGE = ROOT / "src" / "tripot"
SERVER = PACKAGE / "server"
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
OWN = {"tripot", "bench", "tests", "tools", "web"}

# Not imported by a command that only looks at something: each of these takes long, or leads to what does.
HEAVY = {
    "asyncio",
    "fastapi",
    "llvmlite",
    "markdown_it",
    "multiprocessing",
    "numba",
    "numpy",
    "pydantic",
    "pygments",
    "rich.markdown",
    "rich.progress",
    "rich.syntax",
    "rich.traceback",
    "sqlalchemy",
    "starlette",
    "tripot.arena",
    "tripot.cli.match",
    "tripot.cli.play",
    "tripot.cli.serve",
    "tripot.cli.solve",
    "tripot.engine",
    "tripot.external",
    "tripot.record",
    "tripot.server",
    "tripot.table",
    "typer.rich_utils",
    "uvicorn",
}


# --- Start-up ----------------------------------------------------------------------------------


def imported_by(*arguments: str) -> set[str]:
    """The modules that a command has imported by its end."""
    program = (
        "import json, sys\n"
        "from tripot.cli import app\n"
        f"app({list(arguments)!r}, prog_name='tripot', standalone_mode=False)\n"
        "print(json.dumps(list(sys.modules)), file=sys.stderr)\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.strip(), "the command printed nothing"
    return set(json.loads(done.stderr.splitlines()[-1]))


def heavy(modules: set[str]) -> set[str]:
    return {name for name in modules if any(name == heavy or name.startswith(f"{heavy}.") for heavy in HEAVY)}


def games_in(modules: set[str]) -> set[str]:
    return {key for key in keys() if f"tripot.games.{key}" in modules}


def opening(key: str) -> AnyState:
    """A position in which a seat is to act."""
    game = tripot.get_game(key)
    state, rng = game.initial_state(game.Options()), Random(1)
    while state.to_act is CHANCE:
        state = state.apply(state.sample_chance(rng))
    return state


def test_help_imports_no_game_and_no_command() -> None:
    modules = imported_by("--help")
    assert not heavy(modules)
    assert not games_in(modules)
    assert "tripot.cli.info" not in modules


def test_games_imports_the_games_and_nothing_heavy() -> None:
    modules = imported_by("games")
    assert not heavy(modules)
    assert games_in(modules) == {*keys()}


@pytest.mark.parametrize("key", keys())
def test_show_imports_one_game_and_nothing_heavy(key: str) -> None:
    modules = imported_by("show", opening(key).to_text())
    assert not heavy(modules)
    assert games_in(modules) == {key}


@pytest.mark.parametrize("name", COMMANDS)
def test_the_overview_describes_commands_as_their_help_does(name: str) -> None:
    command = COMMANDS[name]
    module = sys.modules[load(name).callback.__module__]
    assert module.__name__ == f"tripot.cli.{command.module}"
    assert (getdoc(getattr(module, command.function)) or "").splitlines()[0] == command.summary


def test_the_folder_of_a_game_has_the_name_of_its_key() -> None:
    assert [game.key for game in map(tripot.get_game, keys())] == keys()
    assert {game.key for game in tripot.list_games()} == {*keys()}


def test_a_mistyped_command_is_answered_with_the_nearest() -> None:
    from typer.testing import CliRunner

    result = CliRunner().invoke(app, ["gmes"])
    assert result.exit_code == 2
    assert "'games'" in result.output


# --- Declared dependencies ---------------------------------------------------------------------


@cache
def declared(*extras: str) -> frozenset[str]:
    """The distributions that the package and some of its extras ask for themselves."""
    texts = list(PROJECT["project"]["dependencies"])
    for extra in extras:
        texts += PROJECT["project"]["optional-dependencies"][extra]
    wanted = [Requirement(text) for text in texts]
    nested = {extra for requirement in wanted if requirement.name == "tripot" for extra in requirement.extras}
    names = {canonicalize_name(requirement.name) for requirement in wanted if requirement.name != "tripot"}
    return frozenset(names | (declared(*nested) if nested else set()))


@cache
def distributions() -> Mapping[str, list[str]]:
    """Which distributions bring a module; all that is installed has to be looked through."""
    return packages_distributions()


def sources(*folders: Path) -> list[Path]:
    return [
        path
        for folder in folders
        for path in sorted(folder.rglob("*.py"))
        if "node_modules" not in path.parts
    ]


def imports(tree: ast.AST, everywhere: bool = True) -> Iterator[str]:
    """The modules that a source imports; not `everywhere`: only those that importing it imports."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.expr):
            continue  # no statement is within an expression
        match node:
            case ast.Import():
                yield from (alias.name for alias in node.names)
            case ast.ImportFrom(module=str(module), level=0):
                yield module
            case ast.FunctionDef() | ast.AsyncFunctionDef() if not everywhere:
                continue
            case ast.If(test=ast.Name("TYPE_CHECKING")) if not everywhere:
                continue
            case _:
                yield from imports(node, everywhere)


@cache
def imports_of(path: Path, everywhere: bool = True) -> tuple[str, ...]:
    """The modules that a file imports, as `imports` has them."""
    return tuple(imports(parsed(path), everywhere))


@cache
def parsed(path: Path) -> ast.Module:
    return ast.parse(path.read_text("utf-8"))


def undeclared(paths: list[Path], allowed: frozenset[str], everywhere: bool = True) -> list[str]:
    """What some files import that no declared distribution brings."""
    known = distributions()
    missing = []
    for path in paths:
        for module in imports_of(path, everywhere):
            top = module.partition(".")[0]
            if top in sys.stdlib_module_names or top in OWN:
                continue
            if not {canonicalize_name(name) for name in known.get(top, [top])} & allowed:
                missing.append(f"{path.relative_to(ROOT)} imports {module}")
    return missing


def outside_the_server() -> list[Path]:
    return [path for path in sources(PACKAGE) if SERVER not in path.parents]


@pytest.mark.long
def test_the_library_and_the_terminal_import_base_dependencies_only() -> None:
    paths = outside_the_server()
    assert not undeclared(paths, declared(), everywhere=False)
    # Within functions `serve` asks for what the extras bring, and says so where it is missing.
    assert not undeclared([path for path in paths if path.name != "serve.py"], declared())
    assert not undeclared([PACKAGE / "cli" / "serve.py"], declared("server", "postgres"))


@pytest.mark.long
def test_no_module_outside_the_server_imports_it_at_its_top() -> None:
    assert not [
        path
        for path in outside_the_server()
        if any(name.startswith("tripot.server") for name in imports_of(path, everywhere=False))
    ]


def test_the_server_imports_what_its_extra_brings() -> None:
    """The module of the PostgreSQL driver is imported only where a database of that kind is opened."""
    postgres = SERVER / "postgres.py"
    assert not undeclared([path for path in sources(SERVER) if path != postgres], declared("server"))
    assert not undeclared([postgres], declared("server", "postgres"))


@pytest.mark.long
def test_tests_benchmarks_and_examples_import_what_the_dev_extra_brings() -> None:
    paths = sources(*(ROOT / folder for folder in ("tests", "bench", "examples", "tools", "web")))
    assert not undeclared(paths, declared("dev"))


@pytest.mark.long
def test_every_base_dependency_is_imported() -> None:
    known = distributions()
    imported = {
        canonicalize_name(name)
        for path in outside_the_server()
        for module in imports_of(path)
        for name in known.get(module.partition(".")[0], [])
    }
    assert declared() <= imported


# --- The lock ----------------------------------------------------------------------------------


LOCK = (ROOT / "constraints.txt").read_text("utf-8")


def locked() -> dict[str, list[tuple[str, int]]]:
    """The versions of each distribution in the lock, with how many hashes each has."""
    versions: dict[str, list[tuple[str, int]]] = {}
    for entry in re.split(r"\n(?=\w)", LOCK):
        if pinned := re.match(r"([\w.-]+)==(\S+)", entry):
            versions.setdefault(pinned[1], []).append((pinned[2], entry.count("--hash=sha256:")))
    return versions


def requirements() -> list[str]:
    """Everything that pyproject.toml asks for."""
    project = PROJECT["project"]
    texts = [*PROJECT["build-system"]["requires"], *project["dependencies"]]
    texts += [text for extra in project["optional-dependencies"].values() for text in extra]
    return [text for text in texts if not text.startswith("tripot[")]


@pytest.mark.parametrize("text", requirements(), ids=lambda item: str(item).partition(">")[0])
def test_the_lock_has_versions_within_the_ranges(text: str) -> None:
    wanted = Requirement(text)
    versions = locked()[canonicalize_name(wanted.name)]
    assert all(wanted.specifier.contains(version) for version, _ in versions), "run `make lock`"


def test_locked_packages_have_hashes_and_no_address() -> None:
    assert all(hashes for versions in locked().values() for _, hashes in versions)
    assert "://" not in LOCK
