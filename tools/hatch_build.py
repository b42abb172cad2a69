"""A build hook that refuses to build a package without the page."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

PAGE = "src/tripot/server/page/index.html"


class PageHook(BuildHookInterface[Any]):
    """`make page` makes the page, which is not in git: a package could be built without it by mistake."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Stop the build if there is no page. An editable installation needs none."""
        if version != "editable" and not Path(self.root, PAGE).is_file():
            self.app.abort("the page is not built: run `make page` first, or `make dist` for both")
