"""The wheel and the sdist, installed in environments that have only the packages of each extra.

Downloading NumPy and Numba for every run would take minutes, so the environments are made of links to the
distributions that are installed here: exactly those that the wheel's own metadata asks for, and what those
ask for in turn. A dependency that is not declared is not there, and importing it fails as for a user.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tarfile
import venv
from importlib.metadata import Distribution, distribution
from pathlib import Path
from zipfile import ZipFile

import httpx
import pytest
from bench._server_process import HANG
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

import tripot
from tripot.game import AnyGame

ROOT = Path(__file__).parent.parent
PAGE = "tripot/server/page/index.html"

pytestmark = [
    pytest.mark.service,
    pytest.mark.skipif(
        not (ROOT / "src" / PAGE).exists(), reason="the page is not built: run `make page` first"
    ),
]


def run(*command: str | Path, lines: str = "", code: int = 0, **environment: str) -> str:
    """What a command prints on stdout and stderr together."""
    # Numba keeps compiled code per source folder and would compile all kernels again: Python runs them here.
    alone = {"PATH": os.environ["PATH"], "NUMBA_DISABLE_JIT": "1", "COLUMNS": "100", **environment}
    done = subprocess.run(
        [str(word) for word in command],
        check=False,  # another code may be what is wanted
        input=lines,
        env=alone,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    assert done.returncode == code, done.stdout
    return done.stdout


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the sdist, and the wheel built from that sdist, as pip would do it for a user."""
    folder = tmp_path_factory.mktemp("built")
    hatchling = (sys.executable, "-m", "hatchling", "build")
    subprocess.run([*hatchling, "--target", "sdist", "--directory", folder], cwd=ROOT, check=True)
    with tarfile.open(next(folder.glob("*.tar.gz"))) as sdist:
        sdist.extractall(folder / "source", filter="data")
    source = next((folder / "source").iterdir())
    subprocess.run([*hatchling, "--target", "wheel", "--directory", folder], cwd=source, check=True)
    return folder


def test_no_package_is_built_without_the_page(built: Path, tmp_path: Path) -> None:
    """The page is not in git: a package of a fresh clone would start a server that shows nothing."""
    source = next((built / "source").iterdir())
    clone = tmp_path / "clone"
    shutil.copytree(source, clone, ignore=shutil.ignore_patterns("page", "games"))
    command = [sys.executable, "-m", "hatchling", "build", "--target", "wheel"]
    done = subprocess.run(command, cwd=clone, check=False, capture_output=True, text=True)
    assert done.returncode == 1
    assert "run `make page` first" in done.stdout + done.stderr


@pytest.fixture(scope="module")
def wheel(built: Path) -> Path:
    return next(built.glob("*.whl"))


class Environment:
    """A virtual environment with the wheel, one of its extras and nothing else."""

    def __init__(self, home: Path, wheel: Path, *extras: str) -> None:
        self.home = home
        venv.create(home, symlinks=os.name != "nt")
        self.python = home / ("Scripts" if os.name == "nt" else "bin") / "python"
        path = run(self.python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))")
        self.packages = Path(path.strip())
        with ZipFile(wheel) as files:
            files.extractall(self.packages)
        info = Distribution.at(next(self.packages.glob("tripot-*.dist-info")))
        self.distributions: set[str] = set()
        self._link(info, {*extras})

    def _link(self, asking: Distribution, extras: set[str]) -> None:
        """What a distribution with some extras asks for, and so on."""
        for text in asking.requires or []:
            wanted = Requirement(text)
            if wanted.marker and not any(wanted.marker.evaluate({"extra": extra}) for extra in extras | {""}):
                continue
            name, package = canonicalize_name(wanted.name), asking
            if name != "tripot":
                package = distribution(name)
                version = package.version
                assert wanted.specifier.contains(version), f"{text}, but {version} is installed"
            step = f"{name}[{','.join(sorted(wanted.extras))}]"
            if step in self.distributions:
                continue
            self.distributions.add(step)
            if name != "tripot":
                self._link_files(package)
            self._link(package, {*wanted.extras})

    def _link_files(self, package: Distribution) -> None:
        tops = {path.parts[0] for path in package.files or [] if path.suffix != ".pth"}
        for top in tops - {"..", "__pycache__"}:
            there, here = Path(str(package.locate_file(top))), self.packages / top
            if not here.exists():
                here.symlink_to(there, target_is_directory=there.is_dir())

    def tripot(self, *words: str, lines: str = "", code: int = 0, **environment: str) -> str:
        """What `tripot` prints here."""
        own = {"TRIPOT_HOME": str(self.home / "games"), **environment}
        return run(self.python, "-I", "-m", "tripot", *words, lines=lines, code=code, **own)


@pytest.fixture(scope="module")
def base(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Environment:
    return Environment(tmp_path_factory.mktemp("base"), wheel)


@pytest.fixture(scope="module")
def server(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Environment:
    return Environment(tmp_path_factory.mktemp("server"), wheel, "server")


# --- What is inside ----------------------------------------------------------------------------


def package_files() -> set[str]:
    """All that belongs to the package, as paths in it."""
    own = (ROOT / "src" / "tripot").rglob("*")
    files = {path for path in own if path.is_file() and "__pycache__" not in path.parts}
    return {path.relative_to(ROOT / "src").as_posix() for path in files}


def test_the_sdist_has_every_file_of_the_package_and_the_page(built: Path) -> None:
    with tarfile.open(next(built.glob("*.tar.gz"))) as sdist:
        names = {name.partition("/")[2] for name in sdist.getnames()}
    assert {f"src/{name}" for name in package_files()} <= names
    assert f"src/{PAGE}" in names
    assert {"pyproject.toml", "README.md", "LICENSE", "CHANGELOG.md", "PKG-INFO"} <= names


def test_the_wheel_installs_the_command(wheel: Path) -> None:
    with ZipFile(wheel) as files:
        (name,) = (name for name in files.namelist() if name.endswith(".dist-info/entry_points.txt"))
        assert "tripot = tripot.__main__:main" in files.read(name).decode()


def test_the_wheel_has_every_file_of_the_package_and_the_page(wheel: Path) -> None:
    with ZipFile(wheel) as files:
        names = {name for name in files.namelist() if not name.startswith("tripot-")}
    assert names == package_files()
    assert PAGE in names


# --- The base package: the library and the terminal --------------------------------------------


def test_the_base_package_asks_for_neither_a_server_nor_a_database(base: Environment) -> None:
    named = {name.partition("[")[0] for name in base.distributions}
    assert not named & {"fastapi", "pydantic", "sqlalchemy", "starlette", "uvicorn", "psycopg"}
    assert {"numba", "numpy", "rich", "typer"} <= named


def test_base_the_installed_package_is_what_runs(base: Environment) -> None:
    where = run(base.python, "-I", "-c", "import tripot; print(tripot.__file__)")
    assert Path(where.strip()).parent == base.packages / "tripot"
    assert base.tripot("--version") == f"tripot {tripot.__version__}\n"


@pytest.mark.parametrize("game", [pytest.param(game, id=game.key) for game in tripot.list_games()])
def test_base_play_starts(base: Environment, game: AnyGame) -> None:
    people = ",".join(["me"] * game.Options().players)  # a bot that begins would think without compiled code
    output = base.tripot("play", game.key, "--seats", people, lines="\nquit\n")
    assert output.endswith("Goodbye.\n")


def test_base_the_readme_example_runs(base: Environment) -> None:
    programs = re.findall(r"^```python\n(.*?)^```", (ROOT / "README.md").read_text("utf-8"), re.M | re.S)
    assert programs
    for program in programs:
        # The lowest level needs no compiled code to be quick; the import of the engine is the same.
        assert run(base.python, "-I", "-c", re.sub(r"level=\d+", "level=1", program))


def test_base_serve_names_the_extra_to_install(base: Environment) -> None:
    output = base.tripot("serve", code=2)
    assert output == "tripot: the web server is not installed: run pip install 'tripot[server]'\n"


# --- The server --------------------------------------------------------------------------------


def test_server_answers_with_the_page_and_the_games(server: Environment) -> None:
    process = subprocess.Popen(
        [server.python, "-I", "-m", "tripot", "serve", "--port", "0"],
        env={"PATH": os.environ["PATH"], "NUMBA_DISABLE_JIT": "1", "TRIPOT_HOME": str(server.home / "games")},
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        assert process.stdout is not None
        line = process.stdout.readline()
        address = re.search(r"http://\S+", line)
        assert address, line
        with httpx.Client(base_url=address[0], timeout=HANG) as client:
            page = client.get("/")
            assert page.status_code == 200
            assert "<html" in page.text
            linked = re.findall(r'(?:src|href)="\.?(/?assets/[^"]+)"', page.text)
            assert linked
            assert all(client.get(address).status_code == 200 for address in linked)
            keys = {game_type["key"] for game_type in client.get("/api/v1/game-types").json()}
        assert keys == {game.key for game in tripot.list_games()}
    finally:
        process.terminate()
        process.communicate(timeout=HANG)


def test_server_names_the_extra_of_postgresql(server: Environment) -> None:
    output = server.tripot("serve", "--port", "0", "--database", "postgresql://nobody@localhost/none", code=2)
    assert output == "tripot: support for PostgreSQL is not installed: run pip install 'tripot[postgres]'\n"


def test_all_requires_the_packages_of_every_extra(wheel: Path, tmp_path: Path) -> None:
    everything = Environment(tmp_path / "all", wheel, "all")
    assert "psycopg[binary]" in everything.distributions
    assert "fastapi[]" in everything.distributions
    assert run(everything.python, "-I", "-c", "import psycopg; print(psycopg.pq.__impl__)") == "binary\n"
