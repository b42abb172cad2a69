"""The structure of the project: where a game is written, and what the documents say of the code."""

from __future__ import annotations

import ast
import re
import runpy
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest
from bench._server_process import HANG

import tripot
import tripot.games
from tripot import testing
from tripot.game import AnyGame, TripotError
from tripot.games import keys
from tripot.server.settings import Settings

ROOT = Path(__file__).parent.parent
# Examples and tests of the whole program play games by name, as users do.
MAY_NAME_GAMES = ("examples/", "tests/server/", "tests/e2e/", "bench/_load_client.py")
MAX_FUNCTION_LINES = 60
GAMES = [pytest.param(game, id=game.key) for game in tripot.list_games()]
PAGE = ROOT / "src" / "tripot" / "server" / "page"  # what the build makes of web/src
SOURCES = [
    path
    for folder in ("src", "tests", "bench", "examples", "web/src")
    for path in (ROOT / folder).rglob("*")
    if path.suffix in {".py", ".toml", ".ts", ".svelte", ".css"} and PAGE not in path.parents
]


@pytest.mark.parametrize("key", keys())
def test_the_folder_of_a_game_exports_it(key: str) -> None:
    """Only this test fails for a folder that is not finished; the others leave it out."""
    tripot.get_game(key)


def test_a_folder_that_exports_no_game_is_left_out_with_a_warning(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """Every command and the collection of all tests failed with an AttributeError."""
    (tmp_path / "unfinished").mkdir()
    (tmp_path / "unfinished" / "__init__.py").write_text('"""A game."""\n')
    before = tripot.list_games()
    monkeypatch.setattr(tripot.games, "__path__", [*tripot.games.__path__, str(tmp_path)])
    message = f"{tmp_path / 'unfinished'} exports no GAME: see docs/adding-a-game.md"
    try:
        assert tripot.list_games() == before
        assert tripot.list_games() == before
        assert caplog.messages == [message], "once"
        with pytest.raises(TripotError, match=re.escape(message)):
            tripot.get_game("unfinished")
    finally:
        sys.modules.pop("tripot.games.unfinished", None)


@pytest.mark.parametrize("game", GAMES)
def test_no_file_outside_its_folders_names_a_game(game: AnyGame) -> None:
    own = re.compile(rf"/{game.key}(/|\.py$)")
    named = re.compile(rf"\b{game.key}\b", re.IGNORECASE)
    elsewhere = [path for path in SOURCES if not own.search(path.as_posix().removeprefix(ROOT.as_posix()))]
    naming = [
        path
        for path in elsewhere
        if not path.relative_to(ROOT).as_posix().startswith(MAY_NAME_GAMES)
        and named.search(path.read_text("utf-8"))
    ]
    assert not naming, [str(path.relative_to(ROOT)) for path in naming]


# The files of a game's folder on the page; docs/adding-a-game.md says what each is for.
PAGE_FILES = {
    "index.ts",
    "view.ts",
    "logic.ts",
    "logic.test.ts",
    "labels.ts",
    "messages.ts",
    "Board.svelte",
    "Diagram.svelte",
    "Picture.svelte",
}
OPTIONAL_PAGE_FILES = {
    "about.ts",
    "geometry.ts",
    "draft.svelte.ts",
    "animation.svelte.ts",
    "keyboard.svelte.ts",
    "pointer.svelte.ts",
    "OptionPicture.svelte",
}
WEB_SOURCES = ROOT / "web" / "src"
TOY_BOARDS = ROOT / "tests" / "toy_page"
BOARDS = [
    pytest.param(folder, id=folder.name)
    for parent in (WEB_SOURCES / "games", TOY_BOARDS)
    for folder in sorted(parent.iterdir())
    if folder.is_dir()
]


@pytest.mark.parametrize("folder", BOARDS)
def test_the_folder_of_a_board_has_the_files_that_every_board_has(folder: Path) -> None:
    """Other components are in `components/`, and other modules are named after what only this game has."""
    names = {path.name for path in folder.iterdir() if path.is_file()}
    assert not PAGE_FILES - names
    assert {name for name in names if name.endswith(".svelte")} <= PAGE_FILES | OPTIONAL_PAGE_FILES
    assert {path.suffix for path in folder.glob("components/*")} <= {".svelte", ".css"}
    documented = (ROOT / "docs" / "adding-a-game.md").read_text("utf-8")
    assert all(f"`{name}`" in documented for name in PAGE_FILES | OPTIONAL_PAGE_FILES)


# Modules without the browser: all but Svelte's (*.svelte.ts), those of the browser (browser-*.ts), the entry
# point, and index.ts, which puts the parts of a board together.
HEADLESS_MODULES = [
    path
    for path in (
        *WEB_SOURCES.glob("lib/**/*.ts"),
        *WEB_SOURCES.glob("games/**/*.ts"),
        *TOY_BOARDS.rglob("*.ts"),
    )
    if not path.name.endswith((".svelte.ts", ".test.ts"))
    and not path.name.startswith("browser-")
    and path.name != "index.ts"
]
BROWSER_NAMES = re.compile(
    r"(?<![.\w])(document|window|navigator|location|history|localStorage|sessionStorage|matchMedia"
    r"|requestAnimationFrame|AudioContext|WebSocket|DOMPoint|(?:HTML|SVG)?\w*Element|(?:Focus|Keyboard|Mouse|Pointer|Submit|Touch|Wheel)?Event)\b(?!\??:)"
)


def code_of(path: Path) -> str:
    """The text of a TypeScript module without comments and strings."""
    text = re.sub(r"/\*.*?\*/|//[^\n]*", "", path.read_text("utf-8"), flags=re.DOTALL)
    return re.sub(r'"(?:[^"\\\n]|\\.)*"', '""', text)


@pytest.mark.parametrize(
    "path", HEADLESS_MODULES, ids=lambda path: f"{path.parent.name}/{path.name}".removeprefix("lib/")
)
def test_a_headless_module_of_the_page_needs_no_component_and_no_browser(path: Path) -> None:
    imported = re.findall(r'import (?!type )[^;]*?"(\.[^"]*\.svelte)"', path.read_text("utf-8"))
    assert not imported
    assert not BROWSER_NAMES.findall(code_of(path))


@pytest.mark.parametrize(
    ("source", "names"),
    [
        ("document.body.append(box);", ["document"]),
        ("if (matchMedia(query).matches) window.close();", ["matchMedia", "window"]),
        ("function press(event: KeyboardEvent, box: SVGElement): void {}", ["KeyboardEvent", "SVGElement"]),
        ("state.history.at(0); const found = { location: 1 };", []),
    ],
)
def test_browser_names_are_found(source: str, names: list[str]) -> None:
    assert BROWSER_NAMES.findall(source) == names


def test_the_page_has_no_type_any() -> None:
    any_type = re.compile(r"(?:[:<|,(]|\bas)\s*any\b")
    sources = [path for path in WEB_SOURCES.rglob("*") if path.suffix in {".ts", ".svelte"}]
    assert not [path for path in sources if any_type.search(code_of(path))]


@pytest.mark.parametrize("game", GAMES)
def test_a_game_has_tests_and_goldens(game: AnyGame) -> None:
    tests = ROOT / "tests" / "games" / game.key
    assert list(tests.glob("test_*.py"))
    assert list((tests / "golden").iterdir())


@pytest.mark.parametrize("game", GAMES)
def test_every_clause_has_a_test_named_after_it(game: AnyGame) -> None:
    from tripot import i18n

    tests = "\n".join(path.read_text("utf-8") for path in (ROOT / "tests/games" / game.key).glob("*.py"))
    missing = [
        clause
        for clause in i18n.clauses(game)
        if not re.search(rf"def test_{clause.replace('-', '_')}_", tests, re.IGNORECASE)
    ]
    assert not missing


def test_rules_are_played_without_loading_numba() -> None:
    program = (
        "import sys, random, tripot\n"
        "for game in tripot.list_games():\n"
        "    state = game.initial_state(game.Options())\n"
        "    while state.to_act is tripot.game.CHANCE:\n"
        "        state = state.apply(state.sample_chance(random.Random(1)))\n"
        "    str(state), state.to_text(), state.legal_actions()\n"
        "assert 'numba' not in sys.modules and 'numpy' not in sys.modules\n"
    )
    subprocess.run([sys.executable, "-c", program], check=True, timeout=HANG)


@pytest.mark.parametrize(
    ("file", "source"),
    [
        ("text.py", "from tripot.record import Record"),
        ("text.py", "from tripot.games.other.board import CELLS"),
        ("text.py", "from tripot.games.some.rules import State"),
        ("rules.py", "def to_text(state):\n    from tripot.games.some import text"),
        ("rules.py", "from random import Random"),
        ("draw.py", "import numpy"),
        ("options.py", "from tripot.games.some.kernel import moves"),
    ],
)
def test_the_import_rules_of_a_game_are_checked(file: str, source: str) -> None:
    with pytest.raises(AssertionError, match="imports"):
        testing._check_imports("tripot.games.some", file, ast.parse(source))


def test_a_module_that_renders_a_state_may_import_its_type() -> None:
    source = "if TYPE_CHECKING:\n    from tripot.games.some.rules import State"
    testing._check_imports("tripot.games.some", "draw.py", ast.parse(source))


def test_functions_are_short() -> None:
    """A limit that Ruff does not have. An exception would need its reason here."""
    long = [
        f"{path.relative_to(ROOT)}:{node.lineno} {node.name}: {lines} lines"
        for path in (ROOT / "src").rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        and (lines := 1 + (node.end_lineno or 0) - node.lineno) >= MAX_FUNCTION_LINES
    ]
    assert not long


def test_the_layers_of_the_server_name_every_module() -> None:
    server = ROOT / "src" / "tripot" / "server"
    for file in (server / "__init__.py", ROOT / "docs" / "server" / "design.md"):
        text = file.read_text("utf-8").partition("\n### ")[0]
        missing = [path.name for path in server.glob("[!_]*.py") if not re.search(rf"\b{path.name}\b", text)]
        assert not missing, f"{file.relative_to(ROOT)} says nothing of {missing}"


def test_every_setting_of_the_server_is_documented() -> None:
    text = (ROOT / "docs" / "server" / "deployment.md").read_text("utf-8")
    missing = [name for name in Settings.__dataclass_fields__ if f"`TRIPOT_{name.upper()}`" not in text]
    assert not missing


MARKDOWN_FILES = [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")]
PROGRAMS = {
    path.name: programs
    for path in MARKDOWN_FILES
    if path.name != "README.md"  # test_project.py runs the README
    and (programs := re.findall(r" *```python\n(.*?)```", path.read_text("utf-8"), re.DOTALL))
}


@pytest.mark.parametrize("markdown_file", MARKDOWN_FILES, ids=lambda path: path.name)
def test_every_path_named_in_the_documents_exists(markdown_file: Path) -> None:
    named = re.findall(
        r"`((?:src|tests|docs|bench|examples|web)/[\w./<>-]*)`", markdown_file.read_text("utf-8")
    )
    missing = [path for path in named if "<" not in path and not (ROOT / path).exists()]
    assert not missing


@pytest.mark.kernel
@pytest.mark.parametrize("document", PROGRAMS)
def test_the_python_in_the_documents_runs(document: str) -> None:
    """In this process, which has loaded the kernels: they take a second for each new one."""
    for program in PROGRAMS[document]:
        exec(compile(textwrap.dedent(program), document, "exec"), {"__name__": "__main__"})


def test_the_documents_for_programmers_have_programs() -> None:
    assert {"python.md", "adding-a-game.md"} <= set(PROGRAMS)


@pytest.mark.kernel
@pytest.mark.parametrize("program", sorted((ROOT / "examples").glob("*.py")), ids=lambda path: path.name)
def test_the_examples_run(program: Path, capsys: pytest.CaptureFixture[str]) -> None:
    runpy.run_path(str(program), run_name="__main__")
    assert capsys.readouterr().out
