"""Which of the design system's files are served: it brings four thousand, pages use a tenth."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django.contrib.staticfiles.finders import FileSystemFinder

LEFT_OUT = [
    "scss",
    "theme",
    "components",
    "*/material-icons*",
    "*/uswds-icons",
    "*/favicons",
    "css/uswds.css",
    "js/uswds.js",
    "js/uswds-init.js",
    "*/*.woff",
    "*/*/*.ttf",
]


class NeededFinder(FileSystemFinder):
    """Django's finder of STATICFILES_DIRS without the folders no page names."""

    def list(self, ignore_patterns: Iterable[str] | None) -> Iterable[Any]:
        """Every file but those in a folder that is left out."""
        return super().list([*(ignore_patterns or []), *LEFT_OUT])
