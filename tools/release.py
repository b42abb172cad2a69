"""Check that a release is ready and create its annotated tag. Never pushes.

A version is released from a clean `main` whose package, CITATION.cff and CHANGELOG.md name the same version,
newer than the newest tag, and which passes `make check`. The text of the tag is the changelog section of
that version.
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import TypeAlias

ROOT = Path(__file__).resolve().parent.parent
BRANCH = "main"
CHECK = ("make", "check")
FULL_CHECK = ("make", "test")

Version: TypeAlias = tuple[int, int, int]

_VERSION = re.compile(r"(\d+)\.(\d+)\.(\d+)")
_PACKAGE_VERSION = re.compile(r'^__version__ = "([^"]*)"$', re.MULTILINE)
_CITATION_FIELD = re.compile(r"^(version|date-released): *[\"']?([^\"'\s]*)[\"']? *$", re.MULTILINE)
_SECTION = re.compile(r"^## \[([^\]]+)\](?: - (\S+))? *$", re.MULTILINE)


class NotReadyError(Exception):
    """Reasons why there can be no release now, one text per reason."""

    def __init__(self, reasons: Sequence[str]) -> None:
        self.reasons = tuple(reasons)
        super().__init__("; ".join(reasons))


@dataclass(frozen=True, slots=True)
class Section:
    """One version of the changelog: its heading, its date (empty for `Unreleased`) and the text below."""

    name: str
    date: str
    text: str


@dataclass(frozen=True, slots=True)
class Release:
    """What is about to be tagged."""

    version: str
    notes: str

    @property
    def tag(self) -> str:
        """The name of the tag."""
        return f"v{self.version}"


def parse_version(text: str) -> Version | None:
    """Return the three numbers of a version such as 0.2.0; None if the text is not of that form.

    >>> parse_version("0.2.10"), parse_version("0.2"), parse_version("0.2.0rc1")
    ((0, 2, 10), None, None)
    """
    match = _VERSION.fullmatch(text)
    return (int(match[1]), int(match[2]), int(match[3])) if match else None


def changelog_sections(text: str) -> list[Section]:
    """Return the versions of a changelog in the order in which it lists them.

    >>> changelog_sections("## [Unreleased]\\n\\n## [0.1.0] - 2026-01-31\\n\\n- First.\\n")[1]
    Section(name='0.1.0', date='2026-01-31', text='- First.')
    """
    headings = list(_SECTION.finditer(text))
    starts = [heading.start() for heading in headings] + [len(text)]
    return [
        Section(heading[1], heading[2] or "", text[heading.end() : following].strip())
        for heading, following in zip(headings, starts[1:], strict=True)
    ]


def package_version(root: Path) -> str:
    """Return the version that the package states."""
    match = _PACKAGE_VERSION.search((root / "src/tripot/__init__.py").read_text("utf-8"))
    if match is None:
        raise NotReadyError(['src/tripot/__init__.py has no line of the form __version__ = "0.0.0"'])
    return match[1]


def citation_fields(root: Path) -> dict[str, str]:
    """Return the version and the release date that CITATION.cff states, as far as it has them."""
    return dict(_CITATION_FIELD.findall((root / "CITATION.cff").read_text("utf-8")))


def newest_tag(root: Path) -> Version | None:
    """Return the highest version that has a tag; None if there is none."""
    names = _git(root, "tag", "--list", "v*").split()
    return max((version for name in names if (version := parse_version(name[1:]))), default=None)


def prepare(root: Path) -> Release:
    """Return what can be tagged, or raise `NotReadyError` with every reason against it."""
    version = package_version(root)
    sections = changelog_sections((root / "CHANGELOG.md").read_text("utf-8"))
    section = next((each for each in sections if each.name == version), None)
    reasons = [
        *_version_reasons(version, newest_tag(root)),
        *_changelog_reasons(version, sections),
        *_citation_reasons(version, section, citation_fields(root)),
        *_tree_reasons(root),
    ]
    if reasons or section is None:
        raise NotReadyError(reasons)
    return Release(version, section.text)


def _version_reasons(version: str, newest: Version | None) -> list[str]:
    numbers = parse_version(version)
    if numbers is None:
        return [f"version {version} of src/tripot/__init__.py is not of the form 0.0.0"]
    if newest is not None and numbers <= newest:
        tag = ".".join(map(str, newest))
        return [f"version {version} is not newer than the newest tag, v{tag}: change src/tripot/__init__.py"]
    return []


def _changelog_reasons(version: str, sections: Sequence[Section]) -> list[str]:
    unreleased = [each for each in sections if each.name == "Unreleased"]
    released = [each for each in sections if each.name != "Unreleased"]
    if version not in [each.name for each in released]:
        return [f"CHANGELOG.md has no section '## [{version}] - YYYY-MM-DD'"]
    newest = released[0]
    reasons = []
    if newest.name != version:
        reasons.append(f"the first version in CHANGELOG.md is {newest.name}, not {version}")
    elif not newest.text:
        reasons.append(f"the section {version} of CHANGELOG.md is empty")
    elif not _is_date(newest.date):
        reasons.append(f"the section {version} of CHANGELOG.md has no date such as 2026-01-31")
    if any(each.text for each in unreleased):
        reasons.append(f"CHANGELOG.md has entries under Unreleased: move them to {version}")
    return reasons


def _is_date(text: str) -> bool:
    try:
        return date.fromisoformat(text).isoformat() == text
    except ValueError:
        return False


def _citation_reasons(version: str, section: Section | None, fields: dict[str, str]) -> list[str]:
    reasons = []
    if fields.get("version") != version:
        reasons.append(f"CITATION.cff names version {fields.get('version')}, not {version}")
    if section is not None and fields.get("date-released") != section.date:
        stated = fields.get("date-released")
        reasons.append(
            f"CITATION.cff has the release date {stated}, but CHANGELOG.md has {section.date or 'none'}"
        )
    return reasons


def _tree_reasons(root: Path) -> list[str]:
    branch = _git(root, "branch", "--show-current").strip()
    reasons = []
    if branch != BRANCH:
        reasons.append(f"a release is tagged on {BRANCH}, not on {branch or 'a detached commit'}")
    if _git(root, "status", "--porcelain"):
        reasons.append("there are uncommitted changes: `git status` lists them")
    return reasons


def _git(root: Path, *arguments: str) -> str:
    done = subprocess.run(["git", *arguments], cwd=root, check=True, capture_output=True, text=True)
    return done.stdout


def create_tag(root: Path, release: Release) -> None:
    """Create the annotated tag of a release at the current commit."""
    message = f"Tripot {release.version}\n\n{release.notes}\n"
    # Git would take the headings of the notes, which start with #, for comments and drop them.
    _git(root, "tag", "--annotate", release.tag, "--cleanup=whitespace", "--message", message)


def run_check(root: Path, command: Sequence[str]) -> None:
    """Run the check of the project; raise `NotReadyError` if it fails or changes the tree."""
    if subprocess.run(command, cwd=root, check=False).returncode:
        raise NotReadyError([f"`{' '.join(command)}` failed"])
    if _git(root, "status", "--porcelain"):
        raise NotReadyError([f"`{' '.join(command)}` left uncommitted changes: `git status` lists them"])


def main(
    arguments: Sequence[str] | None = None, root: Path = ROOT, check: Sequence[str] | None = None
) -> int:
    """Run the command line and return its exit status; tests give another root and another check."""
    parser = argparse.ArgumentParser(
        prog="python -m tools.release",
        description="Check that a release is ready and create its annotated tag. Nothing is pushed.",
        epilog="Example: python -m tools.release --full --dry-run",
    )
    parser.add_argument("--full", action="store_true", help="run `make test` instead of `make check`")
    parser.add_argument("--dry-run", action="store_true", help="do everything except creating the tag")
    chosen = parser.parse_args(arguments)
    try:
        release = prepare(root)
        run_check(root, check or (FULL_CHECK if chosen.full else CHECK))
    except NotReadyError as error:
        for reason in error.reasons:
            print(f"Not ready: {reason}.", file=sys.stderr)
        return 1
    if chosen.dry_run:
        print(f"Ready to tag {release.tag}. Its text would be:\n\n{release.notes}")
        return 0
    create_tag(root, release)
    print(f"Created the tag {release.tag}. To publish it: git push origin {BRANCH} {release.tag}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
