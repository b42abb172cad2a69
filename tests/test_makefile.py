"""The Makefile and the program that runs npm: what is built again, and with what."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest
from web import npm

ROOT = Path(__file__).parent.parent
WEB = ROOT / "web"


def make_variable(name: str) -> str:
    """The value of a variable of the Makefile."""
    show = f"show:;@echo $({name})"
    command = ["make", "--no-print-directory", "--eval", show, "show"]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout


def test_the_page_is_built_again_if_a_file_that_it_imports_from_elsewhere_changes() -> None:
    """The figures of a rulebook, in the folder of its game, were not among the sources of the page."""
    sources = {(ROOT / name).resolve() for name in make_variable("PAGE_SOURCES").split()}
    imported = {
        (path.parent / name).resolve()
        for path in (WEB / "src").rglob("*.ts")
        for name in re.findall(r'from "(\.[^"?]*)\?raw"', path.read_text("utf-8"))
    }
    assert any(WEB not in path.parents for path in imported)
    assert imported <= sources


FAILING_PYTHON = """#!/bin/sh
# `python3 -m venv` of Debian without the package python3-venv.
echo "$@" >> calls
mkdir -p .venv/bin
printf '#!/bin/sh\\nexit 1\\n' > .venv/bin/python
chmod +x .venv/bin/python
exit 1
"""


def test_an_environment_that_is_half_made_is_made_again(tmp_path: Path) -> None:
    """It had a Python without pip: the next `make setup` kept it, and failed for another reason."""
    shutil.copy(ROOT / "Makefile", tmp_path)
    for name in ("pyproject.toml", "constraints.txt"):
        (tmp_path / name).touch()
    programs = tmp_path / "programs"
    programs.mkdir()
    (programs / "python3").write_text(FAILING_PYTHON)
    (programs / "python3").chmod(0o755)
    environment = os.environ | {"PATH": f"{programs}:{os.environ['PATH']}"}
    command = ["make", ".venv/.installed"]
    for _ in range(2):
        done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, check=False)
        assert done.returncode
    assert (tmp_path / "calls").read_text().splitlines() == ["-m venv --clear .venv"] * 2


# --- Node ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("version", ["v20.19.0", "v20.20.1", "v22.13.0", "v22.20.0", "v24.0.0", "v25.1.0"])
def test_a_node_that_can_build_the_page_is_used(version: str) -> None:
    assert npm.is_supported(f"{version}\n")


@pytest.mark.parametrize(
    "version", ["", "v18.20.8", "v20.18.3", "v21.7.3", "v22.0.0", "v22.12.0", "v23.11.1"]
)
def test_a_node_that_eslint_or_vite_refuse_is_not_used(version: str) -> None:
    """Every version from 20.19 counted as new enough, also 21 and 23."""
    assert not npm.is_supported(f"{version}\n")


def test_the_versions_of_node_are_those_of_eslint() -> None:
    """Of all packages that build and check the page it accepts the fewest."""
    packages = json.loads((WEB / "package-lock.json").read_text("utf-8"))["packages"]
    ranges = [f"^{major}.{minor}.0" for major, minor in npm.OLDEST.items()]
    assert packages["node_modules/eslint"]["engines"]["node"] == " || ".join([*ranges, ">=24"])
