"""Progress while kernels are compiled, and knowing that they are; nothing is really compiled here."""

from __future__ import annotations

import ast
import signal
import subprocess
from pathlib import Path
from types import SimpleNamespace

import pytest

import tripot
from tripot.cli import compiling, warm
from tripot.cli.warm import compile_game
from tripot.engine import kernel_cache
from tripot.game import AnyGame

GAME = tripot.list_games()[0]
SRC = Path(tripot.__file__).parents[1]


def compile_functions(*names: str) -> None:
    """Tell those who listen what Numba would."""
    for name in names:
        for listener in kernel_cache.listeners:
            listener(name)


def test_nothing_is_printed_if_nothing_is_compiled(capfd: pytest.CaptureFixture[str]) -> None:
    with compiling.compiling(GAME):
        pass
    assert capfd.readouterr() == ("", "")
    assert not kernel_cache.listeners


def test_a_log_has_one_line_on_stderr_for_a_short_compilation(capfd: pytest.CaptureFixture[str]) -> None:
    with compiling.compiling(GAME):
        compile_functions("one", "two", "three")
    notice = f"Compiling the engine of {GAME.title} (about a minute, once)\n"
    assert capfd.readouterr() == ("", notice)


def test_a_log_has_further_lines_for_a_long_one(
    capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(compiling, "LINE_INTERVAL", 0.0)
    monkeypatch.setattr(compiling, "time", SimpleNamespace(monotonic=lambda: 0.0))  # a busy machine is slow
    with compiling.compiling(GAME):
        compile_functions("one", "two")
    first, *further = capfd.readouterr().err.splitlines()
    assert [line.removeprefix(first) for line in further] == [": 1 function, 0 s", ": 2 functions, 0 s"]


def test_the_listener_is_removed_after_a_failure(capfd: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(ZeroDivisionError), compiling.compiling(GAME):
        raise ZeroDivisionError
    compile_functions("one")
    assert capfd.readouterr() == ("", "")


def test_a_log_tells_how_far_each_game_is(
    capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(compiling, "LINE_INTERVAL", 0.0)
    monkeypatch.setattr(warm, "time", SimpleNamespace(monotonic=lambda: 0.0))  # a busy machine is slow
    one, two = tripot.list_games()[:2]
    with warm._progress([one, two]) as progress:
        progress.report(one.key, 2, 5, 7)
        progress.report(one.key, 5, 5, 8)
        progress.report(two.key, 3, 3, 0)
        progress.wait()
    assert capfd.readouterr().err.splitlines() == [
        f"Compiling the engines of {one.title}, {two.title} (about a minute each, once)",
        f"Compiling, 0 s: {one.title} entry point 3 of 5, 7 functions; {two.title} waiting",
        f"Compiled {one.title}: 8 functions, 0 s",
        f"{two.title} was already compiled",
    ]


def test_a_game_is_warm_once_it_is_marked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("NUMBA_DISABLE_JIT", raising=False)
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path / "kernels"))
    assert not kernel_cache.is_warm(GAME.key)
    kernel_cache.mark_warm(GAME.key)
    assert [game.key for game in tripot.list_games() if kernel_cache.is_warm(game.key)] == [GAME.key]


def test_without_a_compiler_every_game_is_warm(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path / "kernels"))
    monkeypatch.setenv("NUMBA_DISABLE_JIT", "1")
    assert kernel_cache.is_warm(GAME.key)


def test_without_a_compiler_no_game_is_marked_as_compiled(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`NUMBA_DISABLE_JIT=1 tripot warm` wrote the marks: `tripot serve` then compiled nothing."""
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path / "kernels"))
    monkeypatch.setenv("NUMBA_DISABLE_JIT", "1")
    kernel_cache.mark_warm(GAME.key)
    monkeypatch.delenv("NUMBA_DISABLE_JIT")
    assert not kernel_cache.is_warm(GAME.key)


def test_only_cold_games_are_compiled(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("NUMBA_DISABLE_JIT", raising=False)
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path / "kernels"))
    asked: list[list[AnyGame]] = []
    monkeypatch.setattr(warm, "warm_games", lambda games, _: asked.append(list(games)))
    first, *others = tripot.list_games()
    kernel_cache.mark_warm(first.key)
    warm.warm_if_cold([first, *others])
    warm.warm_if_cold([first])
    assert asked == [others]


def test_progress_counts_entry_points(toy_game: AnyGame, monkeypatch: pytest.MonkeyPatch) -> None:
    compiled: list[int] = []
    points = [SimpleNamespace(compile=lambda number=number: compiled.append(number)) for number in range(3)]
    monkeypatch.setattr(warm, "entry_points", lambda _game: points)
    monkeypatch.setattr(kernel_cache, "is_disabled", lambda: False)
    steps: list[tuple[int, int]] = []
    compile_game(toy_game.key, lambda done, total: steps.append((done, total)))
    assert compiled == [0, 1, 2]
    assert steps == [(0, 3), (1, 3), (2, 3), (3, 3)]


def test_a_game_may_have_nothing_to_compile(toy_game: AnyGame) -> None:
    steps: list[tuple[int, int]] = []
    compile_game(toy_game.key, lambda done, total: steps.append((done, total)))
    assert steps == [(0, 0)]


def test_new_entry_points_make_a_game_cold(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path / "kernels"))
    monkeypatch.delenv("NUMBA_DISABLE_JIT", raising=False)
    package = tmp_path / "games" / "some"
    package.mkdir(parents=True)
    monkeypatch.setattr(tripot.games, "__path__", [*tripot.games.__path__, str(package.parent)])
    (package / "entry_points.py").write_text("ENTRY_POINTS = ()")
    kernel_cache.mark_warm("some")
    assert kernel_cache.is_warm("some")
    (package / "entry_points.py").write_text("ENTRY_POINTS = (1,)")
    assert not kernel_cache.is_warm("some")


def test_a_log_says_at_once_what_is_compiled() -> None:
    """A server whose output went to a file said nothing for ten seconds."""
    lines: list[str] = []
    with warm._progress([GAME], lines.append):
        assert lines == [f"Compiling the engines of {GAME.title} (about a minute each, once)"]


def test_a_compilation_that_is_terminated_ends_its_processes() -> None:
    """Python ended without cleaning up, and warned of semaphores that were left behind."""
    before = signal.getsignal(signal.SIGTERM)
    with pytest.raises(SystemExit) as exit_info, warm._exit_on_sigterm():
        signal.raise_signal(signal.SIGTERM)
    assert exit_info.value.code == 143
    assert signal.getsignal(signal.SIGTERM) is before


# --- Which change of a source compiles again ----------------------------------------------------


def write_game(folder: Path) -> None:
    for name in ("board.py", "rules.py", "draw.py", "kernel/search.py"):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text("SIZE = 1")


@pytest.mark.parametrize(
    ("name", "compiles_again"),
    [("kernel/search.py", True), ("board.py", True), ("rules.py", True), ("draw.py", False)],
)
def test_kernels_are_compiled_again_if_constants_of_the_rules_change(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, compiles_again: bool
) -> None:
    """Only kernels were hashed: with another number of points in the rules, old machine code still ran."""
    monkeypatch.delenv("NUMBA_CACHE_DIR", raising=False)
    monkeypatch.setattr(tripot.games, "__path__", [str(tmp_path)])
    monkeypatch.setattr(kernel_cache, "digest", kernel_cache.digest.__wrapped__)  # without its cache
    write_game(tmp_path / "some")
    before = kernel_cache.folder()
    (tmp_path / "some" / name).write_text("SIZE = 2")
    assert (kernel_cache.folder() != before) == compiles_again


def constant_sources(path: Path) -> set[Path]:
    """The modules of ours from which a module imports constants."""
    names = [
        (statement.module, alias.name)
        for statement in ast.walk(ast.parse(path.read_bytes()))
        if isinstance(statement, ast.ImportFrom) and statement.module
        for alias in statement.names
        if alias.name.isupper() and alias.name != "CHANCE"  # an object: no kernel can have it
    ]
    places = [Path(SRC, *module.split(".")) for module, _ in names if module.startswith("tripot")]
    files = [file for place in places for file in (place.with_suffix(".py"), place / "__init__.py")]
    return {file for file in files if file.is_file()}


def test_every_module_with_a_constant_of_a_kernel_is_hashed() -> None:
    waiting = [path for path in kernel_cache.compiled_sources() if path.parent.name == "kernel"]
    assert waiting
    seen = {*waiting}
    while waiting:
        new = constant_sources(waiting.pop()) - seen
        seen |= new
        waiting += new
    assert seen <= {*kernel_cache.compiled_sources()}
    assert "board.py" in {path.name for path in seen}


def test_make_compiles_again_when_the_kernel_cache_does() -> None:
    """`make setup` did nothing after a change of the rules, and the first search compiled for a minute."""
    printed = subprocess.run(
        ["make", "--dry-run", "--no-print-directory", "--eval", "sources:;@echo $(KERNELS)", "sources"],
        cwd=SRC.parent,
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    watched = {SRC.parent / name for name in printed.split()}
    assert {*kernel_cache.compiled_sources()} <= watched
