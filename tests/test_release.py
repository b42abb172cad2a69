"""The release script tags a version that is ready, and lists everything that is not."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from tools import release

PASSES = (sys.executable, "-c", "")
FAILS = (sys.executable, "-c", "raise SystemExit(3)")
LITTERS = (sys.executable, "-c", "open('litter.txt', 'w').close()")

CHANGELOG = """# Changelog

## [Unreleased]

## [0.3.0] - 2027-01-31

### Added

- Something new.

## [0.2.0] - 2026-11-18

- Something old.
"""
CITATION = "cff-version: 1.2.0\ntitle: Tripot\nversion: 0.3.0\ndate-released: 2027-01-31\n"


# Neither the settings of the person who runs the tests (signed tags, hooks) nor their name matter.
ENVIRONMENT = {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_SYSTEM": os.devnull} | {
    f"GIT_{role}_{field}": value
    for role in ("AUTHOR", "COMMITTER")
    for field, value in (("NAME", "Ann"), ("EMAIL", "ann@example.org"))
}


def git(root: Path, *arguments: str) -> str:
    done = subprocess.run(
        ["git", *arguments],
        cwd=root,
        env=os.environ | ENVIRONMENT,
        check=True,
        capture_output=True,
        text=True,
    )
    return done.stdout.strip()


def commit(root: Path, **files: str) -> None:
    """Commit everything, after writing some files whose names have __ for a dot."""
    for name, text in files.items():
        (root / name.replace("__", ".")).write_text(text, "utf-8")
    git(root, "add", ".")
    git(root, "commit", "--quiet", "--allow-empty", "--message", "Change something")


def set_version(root: Path, version: str) -> None:
    (root / "src/tripot/__init__.py").write_text(f'"""Tripot."""\n\n__version__ = "{version}"\n', "utf-8")


@pytest.fixture(scope="module")
def ready(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A repository that is ready for version 0.3.0, after 0.2.0."""
    root = tmp_path_factory.mktemp("ready")
    (root / "src/tripot").mkdir(parents=True)
    git(root, "init", "--quiet", "--initial-branch", "main")
    commit(root, README__md="Tripot\n")
    git(root, "tag", "v0.2.0")
    set_version(root, "0.3.0")
    commit(root, CHANGELOG__md=CHANGELOG, CITATION__cff=CITATION)
    return root


@pytest.fixture
def root(ready: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of that repository, to be spoilt by a test."""
    for name, value in ENVIRONMENT.items():
        monkeypatch.setenv(name, value)
    return Path(shutil.copytree(ready, tmp_path / "repository"))


def refusal(root: Path, capsys: pytest.CaptureFixture[str], check: tuple[str, ...] = PASSES) -> str:
    """Run the script, which must refuse, and return what it says."""
    tags = git(root, "tag", "--list")
    assert release.main([], root, check) == 1
    assert git(root, "tag", "--list") == tags
    return capsys.readouterr().err


def test_a_ready_release_is_tagged_with_its_notes_and_not_pushed(
    root: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert release.main([], root, PASSES) == 0
    assert git(root, "cat-file", "-t", "v0.3.0") == "tag"
    assert git(root, "rev-parse", "v0.3.0^{commit}") == git(root, "rev-parse", "HEAD")
    notes = git(root, "tag", "--list", "--format=%(contents)", "v0.3.0")
    assert notes == "Tripot 0.3.0\n\n### Added\n\n- Something new."
    assert "git push origin main v0.3.0" in capsys.readouterr().out


def test_the_first_release_needs_no_earlier_tag(root: Path) -> None:
    git(root, "tag", "--delete", "v0.2.0")
    assert release.main([], root, PASSES) == 0


def test_a_dry_run_checks_everything_and_tags_nothing(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert release.main(["--dry-run"], root, PASSES) == 0
    assert "Ready to tag v0.3.0" in capsys.readouterr().out
    assert git(root, "tag", "--list") == "v0.2.0"
    assert release.main(["--dry-run"], root, FAILS) == 1


def test_a_version_that_was_tagged_is_refused(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    git(root, "tag", "v0.3.0")
    assert "version 0.3.0 is not newer than the newest tag, v0.3.0" in refusal(root, capsys)


def test_versions_are_compared_as_numbers(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    git(root, "tag", "v0.10.0")
    assert "not newer than the newest tag, v0.10.0" in refusal(root, capsys)


def test_a_version_of_another_form_is_refused(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    set_version(root, "0.3.0rc1")
    commit(root)
    assert "version 0.3.0rc1 of src/tripot/__init__.py is not of the form 0.0.0" in refusal(root, capsys)


def test_a_package_without_a_version_is_refused(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (root / "src/tripot/__init__.py").write_text("", "utf-8")
    assert "has no line of the form" in refusal(root, capsys)


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (lambda _text: "# Changelog\n", "no section '## [0.3.0] - YYYY-MM-DD'"),
        (lambda text: text.replace("[0.3.0]", "[0.3.1]"), "no section '## [0.3.0] - YYYY-MM-DD'"),
        (
            lambda text: text.replace("### Added\n\n- Something new.\n", ""),
            "section 0.3.0 of CHANGELOG.md is empty",
        ),
        (lambda text: text.replace(" - 2027-01-31", ""), "has no date such as"),
        (lambda text: text.replace("2027-01-31", "soon"), "has no date such as"),
        (lambda text: text.replace("2027-01-31", "2027-02-31"), "has no date such as"),
        (
            lambda text: text.replace("[Unreleased]\n", "[Unreleased]\n\n- Later.\n"),
            "entries under Unreleased",
        ),
        (
            lambda text: text.replace("## [0.3.0]", "## [0.4.0] - 2027-03-01\n\n- More.\n\n## [0.3.0]"),
            "the first version in CHANGELOG.md is 0.4.0, not 0.3.0",
        ),
    ],
    ids=["none", "other", "empty", "undated", "word", "impossible", "unreleased", "newer"],
)
def test_a_changelog_without_the_version_is_refused(
    root: Path, capsys: pytest.CaptureFixture[str], change: Callable[[str], str], reason: str
) -> None:
    commit(root, CHANGELOG__md=change(CHANGELOG))
    assert reason in refusal(root, capsys)


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ("0.3.0", "0.2.0", "CITATION.cff names version 0.2.0, not 0.3.0"),
        ("version: 0.3.0\n", "", "CITATION.cff names version None, not 0.3.0"),
        (
            "2027-01-31",
            "2026-11-18",
            "CITATION.cff has the release date 2026-11-18, but CHANGELOG.md has 2027-01-31",
        ),
    ],
)
def test_an_old_citation_is_refused(
    root: Path, capsys: pytest.CaptureFixture[str], old: str, new: str, reason: str
) -> None:
    commit(root, CITATION__cff=CITATION.replace(old, new))
    assert reason in refusal(root, capsys)


def test_another_branch_is_refused(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    git(root, "switch", "--quiet", "--create", "topic")
    assert "a release is tagged on main, not on topic" in refusal(root, capsys)


def test_a_detached_commit_is_refused(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    git(root, "switch", "--quiet", "--detach")
    assert "not on a detached commit" in refusal(root, capsys)


@pytest.mark.parametrize("file", ["README.md", "new.txt"])
def test_uncommitted_changes_are_refused(root: Path, capsys: pytest.CaptureFixture[str], file: str) -> None:
    (root / file).write_text("changed\n", "utf-8")
    assert "there are uncommitted changes" in refusal(root, capsys)


def test_a_failing_check_is_refused(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert "failed" in refusal(root, capsys, FAILS)


def test_a_check_that_changes_files_is_refused(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert "left uncommitted changes" in refusal(root, capsys, LITTERS)


def test_all_reasons_are_listed_at_once_before_the_check(
    root: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    git(root, "tag", "v0.3.0")
    git(root, "switch", "--quiet", "--create", "topic")
    (root / "README.md").write_text("changed\n", "utf-8")
    reasons = refusal(root, capsys, LITTERS)
    assert reasons.count("Not ready: ") == 3
    assert not (root / "litter.txt").exists()


@pytest.mark.parametrize(("flags", "command"), [([], "make check"), (["--full"], "make test")])
def test_the_check_is_that_of_the_project(
    root: Path, monkeypatch: pytest.MonkeyPatch, flags: list[str], command: str
) -> None:
    run: list[str] = []
    monkeypatch.setattr(release, "run_check", lambda _root, options: run.append(" ".join(options)))
    assert release.main(flags, root) == 0
    assert run == [command]


def test_help_has_an_example(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        release.main(["--help"])
    assert ended.value.code == 0
    assert "Example: python -m tools.release" in capsys.readouterr().out
