"""Which tests need what. `pytest --quick` leaves out whatever needs more than Python itself.

kernel    loads Numba and compiled code, which takes seconds for each process. Modules that import a kernel
          are found by their imports; tests that load one while they run are marked by hand. A quick run
          refuses to import Numba, so a mark that is missing is an error and not a slow test.
browser   needs Chromium: everything in tests/e2e.
service   starts a server, or needs a database server.
long      takes seconds: many whole games, or many processes.
soak      takes minutes: many more random games, different ones in each run.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator, Sequence
from functools import cache
from importlib.machinery import ModuleSpec
from pathlib import Path
from types import ModuleType

import pytest
from hypothesis import HealthCheck, settings

ROOT = Path(__file__).parent
FOLDERS = (ROOT / "src", ROOT)  # where our own modules are
BROWSER = ROOT / "tests" / "e2e"
GAMES = ROOT / "tests" / "games"
SERVICES = {"shared_server", "restartable_server", "postgres_url"}  # fixtures
QUICK = "--quick"
SLOW = ("kernel", "browser", "service", "long")
QUICK_EXAMPLES = 10  # of a property in a quick run, where a test does not give a number; Hypothesis draws 100

# The same examples in every run, however slow the machine is: no test fails by chance or by its duration.
settings.register_profile(
    "tests", derandomize=True, deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
settings.register_profile(
    "soak", derandomize=False, deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
settings.register_profile("quick", settings.get_profile("tests"), max_examples=QUICK_EXAMPLES)
settings.load_profile("tests")


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add `--quick`."""
    help_text = "only short tests that need no kernels, no browser and no server"
    parser.addoption(QUICK, action="store_true", help=help_text)


def pytest_configure(config: pytest.Config) -> None:
    """Refuse Numba in a quick run, and draw fewer examples of each property."""
    if config.getoption(QUICK):
        settings.load_profile("quick")
        assert "numba" not in sys.modules
        sys.meta_path.insert(0, NO_NUMBA)


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Import nothing in a quick run that it does not need."""
    if not config.getoption(QUICK):
        return None
    if collection_path.suffix == ".py":
        return loads_numba(collection_path) or is_about_engines(collection_path) or None
    return collection_path == BROWSER or None


@pytest.hookimpl(tryfirst=True)  # before tests are chosen by their marks
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Mark every test, and choose those of a quick run."""
    for item in items:
        if BROWSER in item.path.parents:
            item.add_marker("browser")
        if SERVICES & {*getattr(item, "fixturenames", ())}:
            item.add_marker("service")
        if loads_numba(item.path) or is_about_engines(item.path):
            item.add_marker("kernel")
    if config.getoption(QUICK):
        slow = {each for each in items if any(map(each.get_closest_marker, SLOW))}
        config.hook.pytest_deselected(items=[*slow])
        items[:] = [each for each in items if each not in slow]


# --- Which modules load Numba ---------------------------------------------------------------------


def is_about_engines(path: Path) -> bool:
    """Whether a module tests the engines of a game, which load kernels when they are made."""
    return path.parent.parent == GAMES and path.name in ("test_engine.py", "test_soak.py")


@cache
def loads_numba(path: Path) -> bool:
    """Whether importing a module of ours imports Numba, itself or through other modules of ours."""
    seen, waiting = {path}, [path]
    while waiting:
        for name in imported(waiting.pop()):
            if name.partition(".")[0] == "numba":
                return True
            new = {*sources(name)} - seen
            seen |= new
            waiting += new
    return False


@cache
def imported(path: Path) -> tuple[str, ...]:
    """The modules that a module imports at its top; of `from a import b`, both a and a.b."""
    names: list[str] = []
    for statement in ast.parse(path.read_bytes()).body:
        match statement:
            case ast.Import(modules):
                names += (each.name for each in modules)
            case ast.ImportFrom(str(module), members, 0):
                names += (module, *(f"{module}.{each.name}" for each in members))
    return tuple(names)


@cache
def sources(name: str) -> tuple[Path, ...]:
    """The file of a module of ours, and those of the packages around it."""
    parts = name.split(".")
    places = [folder.joinpath(*parts[: at + 1]) for at in range(len(parts)) for folder in FOLDERS]
    files = [file for place in places for file in (place.with_suffix(".py"), place / "__init__.py")]
    return tuple(file for file in files if file.is_file())


# --- Numba is refused -----------------------------------------------------------------------------


class NoNumba:
    """Refuses to import Numba, and remembers it, since a caller may go on without an engine."""

    def __init__(self) -> None:
        self.was_requested = False

    def find_spec(
        self, name: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if name == "numba":
            self.was_requested = True
            raise ImportError("this test loads a kernel: mark it with pytest.mark.kernel")
        return None


NO_NUMBA = NoNumba()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call() -> Iterator[None]:
    """Fail a test of a quick run that tried to import Numba."""
    NO_NUMBA.was_requested = False
    yield
    assert not NO_NUMBA.was_requested, "this test loads a kernel: mark it with pytest.mark.kernel"
