"""No test waits for the wall clock: tests wait for states."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

TESTS = Path(__file__).parent
FILES = sorted(TESTS.rglob("*.py"))
SLEEPS = {"time.sleep", "asyncio.sleep", "anyio.sleep", "trio.sleep"}
WAIT = ".wait("  # of a thread's event, or of a process
TIMED_WAITS = {"wait_for_timeout"}  # of a page of Playwright
# A load state of Playwright: half a second without a request. In two parts, or it would be found here.
IDLE_NETWORK = "network" + "idle"
WORDS = ("sleep", WAIT, *TIMED_WAITS, IDLE_NETWORK)  # a module without any of them is not parsed


def waits(source: str) -> Iterator[str]:
    """Where a module waits for time to pass, in words.

    >>> [*waits("from time import sleep as rest\\nrest(1)")]
    ['line 2: time.sleep']
    >>> [*waits("import asyncio\\nasyncio.sleep(0)\\nasyncio.sleep(0.1)")]
    ['line 3: asyncio.sleep']
    >>> [*waits("page.wait_for_timeout(5)\\npage.wait_for_load_state('networkidle')")]
    ['line 1: wait_for_timeout', 'line 2: networkidle']
    >>> [*waits("event.wait()\\nprocess.wait(HANG)\\nevent.wait(0.02)\\nevent.wait(timeout=1)")]
    ['line 3: event.wait', 'line 4: event.wait']
    """
    tree = ast.parse(source)
    names = imported(tree)
    for node in ast.walk(tree):
        match node:
            case ast.Call(func, args, keywords):
                name = dotted(func, names)
                is_sleep = name in SLEEPS and not is_turn_for_others(name, args)
                if is_sleep or (name.endswith(".wait") and any(map(is_number, [*args, *keywords]))):
                    yield f"line {node.lineno}: {name}"
                elif name.rpartition(".")[2] in TIMED_WAITS:
                    yield f"line {node.lineno}: {name.rpartition('.')[2]}"
            case ast.Constant(str(text)) if text == IDLE_NETWORK:
                yield f"line {node.lineno}: {text}"


def imported(tree: ast.Module) -> dict[str, str]:
    """What the names that a module imports stand for."""
    imported: dict[str, str] = {}
    for node in ast.walk(tree):
        match node:
            case ast.Import(names):
                imported |= {alias.asname: alias.name for alias in names if alias.asname}
            case ast.ImportFrom(str(module), names):
                imported |= {alias.asname or alias.name: f"{module}.{alias.name}" for alias in names}
    return imported


def dotted(node: ast.expr, names: dict[str, str]) -> str:
    """The name of what is called, with its module: `time.sleep`."""
    match node:
        case ast.Name(name):
            return names.get(name, name)
        case ast.Attribute(value, name):
            return f"{dotted(value, names)}.{name}"
    return ""


def is_number(node: ast.AST) -> bool:
    """Whether an argument is a number that is written out; a name may be the time until a test gives up."""
    value = node.value if isinstance(node, ast.keyword) else node
    return isinstance(value, ast.Constant) and isinstance(value.value, int | float)


def is_turn_for_others(name: str, args: list[ast.expr]) -> bool:
    """Whether it is `asyncio.sleep(0)`, which only lets other tasks run."""
    return (
        name != "time.sleep" and len(args) == 1 and isinstance(args[0], ast.Constant) and args[0].value == 0
    )


def test_no_test_waits_for_the_wall_clock() -> None:
    sources = {path.relative_to(TESTS).as_posix(): path.read_text("utf-8") for path in FILES}
    suspects = {path: text for path, text in sources.items() if any(word in text for word in WORDS)}
    waits_by_path = {path: [*waits(text)] for path, text in suspects.items()}
    assert {path: waiting for path, waiting in waits_by_path.items() if waiting} == {}
