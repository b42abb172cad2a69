"""The files around the code: versions, commands, links and examples in them are correct."""

from __future__ import annotations

import importlib.util
import os
import re
import shlex
import subprocess
import sys
import tomllib
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
import yaml
from tools import release

import tripot

ROOT = Path(__file__).parent.parent
PYPROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
WORKFLOWS = sorted((ROOT / ".github/workflows").glob("*.yml"))
FORMS = [
    path for path in sorted((ROOT / ".github/ISSUE_TEMPLATE").glob("*.yml")) if path.name != "config.yml"
]
HOOKS = ROOT / ".pre-commit-config.yaml"
DOCUMENTS = [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md"), *(ROOT / ".github").rglob("*.md")]
REPOSITORY = "https://github.com/tripot/tripot"


def read_yaml(path: Path) -> Any:
    return yaml.safe_load(path.read_text("utf-8"))


def named(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


# --- Versions ----------------------------------------------------------------------------------


def test_package_changelog_and_citation_name_the_same_version() -> None:
    sections = release.changelog_sections((ROOT / "CHANGELOG.md").read_text("utf-8"))
    newest = next(section for section in sections if section.name != "Unreleased")
    assert newest.name == tripot.__version__
    assert newest.text
    assert release.citation_fields(ROOT) == {"version": tripot.__version__, "date-released": newest.date}


def test_the_changelog_sorts_entries_by_kind_of_change() -> None:
    kinds = re.findall(r"^### (.*)$", (ROOT / "CHANGELOG.md").read_text("utf-8"), re.MULTILINE)
    assert set(kinds) <= {"Added", "Changed", "Deprecated", "Removed", "Fixed", "Security"}


def test_the_security_policy_supports_the_current_version() -> None:
    minor = tripot.__version__.rpartition(".")[0]
    assert f"| {minor} | yes |" in (ROOT / "SECURITY.md").read_text("utf-8")


def test_the_citation_has_what_the_format_requires() -> None:
    citation = read_yaml(ROOT / "CITATION.cff")
    assert citation["cff-version"] == "1.2.0"
    assert citation["license"] == PYPROJECT["project"]["license"]
    assert citation["repository-code"] == REPOSITORY
    holder = re.search(r"^Copyright \(c\) \d+ (.*)$", (ROOT / "LICENSE").read_text("utf-8"), re.MULTILINE)
    assert holder
    assert citation["authors"] == [{"name": holder[1]}]
    assert {"message", "title", "abstract", "type", "keywords"} <= set(citation)


def test_the_package_is_described_for_an_index() -> None:
    project = PYPROJECT["project"]
    assert {"Homepage", "Documentation", "Source", "Issues", "Changelog"} == set(project["urls"])
    assert all(url.startswith(REPOSITORY) for url in project["urls"].values())
    assert project["requires-python"] == f">={python_versions()[0]}"


def python_versions() -> list[str]:
    """The Python versions that the package supports, oldest first."""
    matches = [
        re.fullmatch(r".* :: (3\.\d+)", classifier) for classifier in PYPROJECT["project"]["classifiers"]
    ]
    return [match[1] for match in matches if match]


# --- Commands ----------------------------------------------------------------------------------


def make_targets() -> set[str]:
    return set(re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE))


def workflow_commands(path: Path) -> list[str]:
    jobs = read_yaml(path)["jobs"].values()
    return [step["run"] for job in jobs for step in job["steps"] if "run" in step]


@pytest.mark.parametrize("path", WORKFLOWS, ids=named)
def test_workflows_call_make_targets_that_exist(path: Path) -> None:
    called = {name for run in workflow_commands(path) for name in re.findall(r"\bmake ([a-z]+)", run)}
    assert called
    assert called <= make_targets()


@pytest.mark.parametrize("path", DOCUMENTS, ids=named)
def test_documents_name_make_targets_that_exist(path: Path) -> None:
    text = path.read_text("utf-8")
    called = set(re.findall(r"`make ([a-z]+)`", text)) | set(
        re.findall(r"^    make ([a-z]+)", text, re.MULTILINE)
    )
    assert called <= make_targets()


@pytest.mark.parametrize("path", DOCUMENTS, ids=named)
def test_documents_name_programs_that_exist(path: Path) -> None:
    text = path.read_text("utf-8")
    programs = {*re.findall(r"\bpython ([a-z_/]+\.py)\b", text)}
    modules = {*re.findall(r"\bpython -m ((?:tests|tools|bench)[a-z_.]*)", text)}
    assert not {program for program in programs if not (ROOT / program).is_file()}
    assert not {module for module in modules if not find_spec(module)}


def test_every_supported_python_passes_check_and_test() -> None:
    jobs = read_yaml(ROOT / ".github/workflows/ci.yml")["jobs"]
    for name in ("check", "test"):
        assert jobs[name]["strategy"]["matrix"]["python"] == python_versions()
        assert f"make {name}" in [step.get("run") for step in jobs[name]["steps"]]


def test_workflows_name_the_database_so_that_its_tests_are_not_skipped() -> None:
    for path in WORKFLOWS:
        for name, job in read_yaml(path)["jobs"].items():
            if {"make test", "make coverage"} & {step.get("run") for step in job["steps"]}:
                assert job["env"]["TRIPOT_TEST_POSTGRES"], name
                assert "postgres" in job["services"], name


@pytest.mark.parametrize("path", WORKFLOWS, ids=named)
def test_workflows_have_few_rights_and_an_end(path: Path) -> None:
    workflow = read_yaml(path)
    assert workflow["permissions"] == {"contents": "read"}
    assert "group" in workflow["concurrency"]
    for job in workflow["jobs"].values():
        assert "permissions" not in job
        assert 0 < job["timeout-minutes"] <= 120


def test_hooks_call_tools_of_the_project_and_download_nothing() -> None:
    repositories = read_yaml(HOOKS)["repos"]
    assert [repository["repo"] for repository in repositories] == ["local"]
    for hook in repositories[0]["hooks"]:
        assert hook["language"] == "system"
        program, *arguments = shlex.split(hook["entry"])
        if program != "git":
            assert (program, arguments[0]) == (".venv/bin/python", "-m")
            assert importlib.util.find_spec(arguments[1]), f"{arguments[1]} is not among the dev packages"


@pytest.mark.parametrize("tool", ["ruff format", "ruff check"])
def test_hooks_leave_generated_files_as_they_are(tool: str) -> None:
    """A file that is named was formatted although pyproject.toml excludes it."""
    entries = [hook["entry"] for hook in read_yaml(HOOKS)["repos"][0]["hooks"] if tool in hook["entry"]]
    assert len(entries) == 1
    _, *arguments = shlex.split(entries[0])
    command = [sys.executable, *arguments, "--diff", "src/tripot/__init__.pyi"]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=ROOT)
    assert (done.returncode, done.stdout) == (0, "")


EXCEPTIONS = (
    r"# noqa: [A-Z]+[0-9]+(?:, [A-Z]+[0-9]+)*",
    r"# (?:type|pyright): ignore\[[a-z, A-Z-]+\]",
    r"svelte-ignore [a-z_, ]+",
    r"eslint-disable[a-z-]* [a-z/-]+",
)
SOURCES = [
    path
    for folder in ("src", "tests", "tools", "bench", "examples", "web/src")
    for kind in ("py", "pyi", "ts", "svelte")
    for path in (ROOT / folder).rglob(f"*.{kind}")
]


def exceptions_without_reason(text: str) -> list[str]:
    """The lines of a source that except something from a rule without saying why.

    >>> exceptions_without_reason("a = b  # noqa: F821 - c adds it")
    []
    >>> len(exceptions_without_reason("a = b  # type" + ": ignore[x]"))
    1
    >>> exceptions_without_reason("// for tables\\n// prettier-ignore\\nx();\\n// prettier-ignore")
    ['// prettier-ignore']
    """
    faults, above = [], ""
    for line in text.splitlines():
        if any(rule in line for rule in ("noqa", "ignore", "eslint-disable")):
            rest = re.sub("|".join(EXCEPTIONS), "\0", line)
            *_, reason = rest.split("\0")
            is_exception = rest != line and not re.search("[a-z]", reason.removesuffix("-->"))
            is_bare = line.strip() == "// prettier-ignore" and not above.strip().startswith("//")
            faults += [line] if is_exception or is_bare else []
        above = line
    return faults


def test_every_exception_from_a_rule_has_a_reason() -> None:
    faults = {named(path): exceptions_without_reason(path.read_text("utf-8")) for path in SOURCES}
    assert {path: lines for path, lines in faults.items() if lines} == {}


# --- Forms and links ---------------------------------------------------------------------------


@pytest.mark.parametrize("path", FORMS, ids=named)
def test_issue_forms_have_what_github_requires(path: Path) -> None:
    form = read_yaml(path)
    assert form["name"]
    assert form["description"]
    kinds = {"markdown", "input", "textarea", "dropdown", "checkboxes"}
    asked = [element for element in form["body"] if element["type"] != "markdown"]
    assert asked
    assert {element["type"] for element in form["body"]} <= kinds
    assert all(element["attributes"]["label"] for element in asked)
    ids = [element["id"] for element in asked]
    assert len(set(ids)) == len(ids)


def test_questions_about_security_are_sent_to_the_private_form() -> None:
    chooser = read_yaml(ROOT / ".github/ISSUE_TEMPLATE/config.yml")
    private = f"{REPOSITORY}/security/advisories/new"
    assert [link["url"] for link in chooser["contact_links"]] == [private]
    assert private in (ROOT / "SECURITY.md").read_text("utf-8")


@pytest.mark.parametrize("path", DOCUMENTS, ids=named)
def test_links_to_files_lead_somewhere(path: Path) -> None:
    links = re.findall(r"\]\(([^)\s]+)\)", path.read_text("utf-8"))
    files = [link.partition("#")[0] for link in links if not link.startswith(("https://", "#"))]
    missing = [file for file in files if not (path.parent / file).exists()]
    assert not missing


def test_every_document_is_linked_from_the_index_or_a_document_that_it_leads_to() -> None:
    """The one about the board of a game was linked from nowhere."""
    waiting = [ROOT / "docs" / "index.md"]
    seen = {*waiting}
    while waiting:
        path = waiting.pop()
        links = re.findall(r"\]\(([^)\s:]+\.md)(?:#[^)]*)?\)", path.read_text("utf-8"))
        new = {(path.parent / link).resolve() for link in links} - seen
        seen |= new
        waiting += new
    assert {*(ROOT / "docs").rglob("*.md")} <= seen


# --- The examples of the README ----------------------------------------------------------------


def readme_blocks(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", (ROOT / "README.md").read_text("utf-8"), re.M | re.S)


def python_program() -> str:
    (program,) = readme_blocks("python")
    return program


@pytest.mark.kernel
def test_the_python_example_prints_what_the_readme_says(capsys: pytest.CaptureFixture[str]) -> None:
    (expected,) = readme_blocks("text")
    exec(compile(python_program(), "README.md", "exec"), {"__name__": "__main__"})
    assert capsys.readouterr().out == expected


def test_the_python_example_passes_the_strict_type_checker(tmp_path: Path) -> None:
    file = tmp_path / "example.py"
    file.write_text(python_program(), "utf-8")
    own_cache = str(ROOT / "build" / "mypy-readme")  # `make check` runs mypy at the same time
    command = [sys.executable, "-m", "mypy", "--strict", "--cache-dir", own_cache, str(file)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=ROOT)
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_terminal_example_is_a_real_session() -> None:
    (session,) = readme_blocks("console")
    first, *shown = session.splitlines()
    program, *arguments = shlex.split(first.removeprefix("$ "))
    assert program == "tripot"
    typed = [line.partition("> ")[2] for line in shown if re.match(r"\w+> ", line)]
    assert typed
    done = subprocess.run(
        [sys.executable, "-m", "tripot", *arguments],
        input="".join(f"{line}\n" for line in typed),
        env=os.environ | {"COLUMNS": "80", "PYTHONIOENCODING": "utf-8"},
        capture_output=True,
        encoding="utf-8",
        check=True,
        cwd=ROOT,
    )
    assert [line.rstrip() for line in done.stdout.splitlines()] == shown
