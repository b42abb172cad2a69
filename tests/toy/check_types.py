"""Check the types of the toy games: `python tests/toy/check_types.py`.

At run time a toy is a package inside `tripot.games`, and its imports say so. Mypy looks for a package in one
folder only, so here it is shown a copy of the package made of links, toys included.
"""

from __future__ import annotations

import sys
from pathlib import Path

from mypy import api

TOYS = Path(__file__).parent
ROOT = TOYS.parents[1]
PACKAGE = ROOT / "src" / "tripot"
COPY = ROOT / "build" / "toys"


def link(name: str, target: Path) -> None:
    """Make a link in the copy, or renew it after the project was moved."""
    place = COPY / "tripot" / name
    place.parent.mkdir(parents=True, exist_ok=True)
    if place.is_symlink() and place.readlink() != target:
        place.unlink()
    if not place.is_symlink():
        place.symlink_to(target)


def main() -> int:
    for entry in PACKAGE.iterdir():
        if entry.name not in ("games", "__pycache__"):
            link(entry.name, entry)
    for entry in (PACKAGE / "games").iterdir():
        link(f"games/{entry.name}", entry)
    toys = [entry for entry in TOYS.iterdir() if (entry / "__init__.py").is_file()]
    for toy in toys:
        link(f"games/{toy.name}", toy)
    settings = COPY / "mypy.ini"
    ignored = "".join(f"[mypy-{name}.*]\nignore_missing_imports = True\n" for name in ("numba", "llvmlite"))
    settings.write_text(f"[mypy]\nstrict = True\nmypy_path = {COPY}\n{ignored}", "utf-8")
    packages = [word for toy in toys for word in ("-p", f"tripot.games.{toy.name}")]
    report, complaints, code = api.run(
        ["--config-file", str(settings), "--cache-dir", str(COPY / "cache"), *packages]
    )
    print(report + complaints, end="")
    return code


if __name__ == "__main__":
    sys.exit(main())
