"""Who may import whom, what rules may not touch, and who may touch rows."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
APPS = ["registry", "licenses", "volunteers", "inspections"]

# What each module is for; a module imports only its own layer and those above in this list.
LAYERS = [
    "pure",
    "platform",
    "models",
    "selectors",
    "services",
    "paper",
    "doors",
    "views",
    "composition",
]
WHERE = {
    "periods": "pure", "verdicts": "pure", "provisions": "pure", "ruleset": "pure",
    "worded": "pure", "entries": "pure", "facts": "pure", "rules": "pure", "words": "pure",
    "cases": "pure", "readers": "pure", "questions": "pure", "grounds": "pure",
    "flows": "services", "overlaying": "pure",
    "words_applications": "pure", "reading": "selectors", "numbering": "services",
    "applying": "services", "stating": "services", "investigating": "services",
    "granting": "services", "ordering": "services",
    "appealing": "services", "certificates": "paper", "public": "selectors",
    "bodies": "services", "copies": "services",
    "forms_orders": "doors",
    "following": "services", "renewing": "services",
    "settling": "services", "fees": "services",
    "receipts": "paper", "printing": "paper", "prefilling": "selectors",
    "forms_applications": "doors", "forms_handing_in": "doors",
    "forms_county": "doors", "tables_applications": "doors",
    "ages": "pure", "deeds": "pure", "timeline": "pure",
    "human_names": "pure", "matching": "pure", "measuring": "pure", "reasons": "pure",
    "apart": "pure", "scrubbing": "platform", "cleaning": "platform", "papers": "models",
    "letters": "services", "letterhead": "paper", "packets": "paper", "uploads": "doors",
    "doubles": "selectors", "unions": "selectors", "joining": "services",
    "places": "platform", "lifeline": "platform", "embedded": "platform", "database": "platform",
    "bootstrap": "platform", "constraints": "platform", "fonts": "platform",
    "staticfiles": "platform", "gunicorn": "platform", "__init__": "pure",
    "history": "models", "base": "models", "models": "models",
    "access": "selectors", "selectors": "selectors", "lookups": "selectors", "grants": "selectors",
    "checks": "selectors", "deployment": "selectors",
    "services": "services", "assigning": "services", "asking": "services", "tagging": "services",
    "documents": "services", "merging": "services", "blocking": "selectors",
    "codes": "models", "claims": "services", "registering": "services",
    "reminding": "services", "renewals": "selectors", "forms_renewal": "doors",
    "forms_registering": "doors",
    "adopted": "models", "adopting": "selectors", "consenting": "services",
    "addresses": "services", "offices": "services", "deciding": "services",
    "comparing": "services", "planning": "services", "entering": "services", "filing": "services",
    "jobs": "services", "keeping": "services", "layouts": "pure", "filework": "doors",
    "filerows": "doors", "controls": "doors",
    "handback": "doors",
    "bmf": "pure", "standing_501c": "pure", "irs_words": "pure", "irs": "selectors",
    "irs_loading": "services", "irs_acts": "services", "irs_forms": "doors",
    "gathering": "selectors", "rosters": "selectors", "exporting": "selectors",
    "attesting": "services",
    "suspending": "services", "ending": "services", "correcting": "services",
    "roster_forms": "doors", "assignment_forms": "doors", "roster_tables": "doors",
    "pdf": "paper", "tags": "paper", "exports": "paper", "mail": "paper",
    "fields": "doors", "forms": "doors", "tables": "doors", "imports": "doors",
    "party_forms": "doors", "value_forms": "doors", "party_tables": "doors",
    "forms_files": "doors", "tables_files": "doors",
    "credentials": "services", "passkeys": "doors",
    "county_login": "doors", "openid": "platform", "throttle": "doors", "adapters": "doors",
    "frame": "doors", "generic": "doors", "middleware": "doors",
    "templatetags": "doors", "admin": "doors", "accounts": "doors", "demo_mail": "views",
    "views": "views",
    "apps": "composition", "settings": "composition", "urls": "composition",
    "workday": "composition", "serving": "composition",
    "wsgi": "composition", "management": "composition",
}  # fmt: skip
OPEN_DOORS = {"registry/urls.py", "registry/workday.py", "registry/flows.py"}


def sources() -> Iterator[Path]:
    for app in APPS:
        for path in sorted((ROOT / app).rglob("*.py")):
            if "migrations" not in path.parts:
                yield path


def module_of(path: Path) -> tuple[str, str]:
    """The app and the module a file belongs to; a package is one module."""
    app, *rest = path.relative_to(ROOT).parts
    return app, rest[0].removesuffix(".py")


def imports(path: Path) -> Iterator[tuple[str, str]]:
    """The register's own modules that a file imports, as (app, module)."""
    yield from named(ast.walk(ast.parse(path.read_text())))


def named(nodes: Iterable[ast.AST]) -> Iterator[tuple[str, str]]:
    """The register's own modules that these statements import."""
    for node in nodes:
        names = []
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module:
            names = [node.module] + [f"{node.module}.{alias.name}" for alias in node.names]
        for name in names:
            app, _dot, rest = name.partition(".")
            module = rest.partition(".")[0]
            if app in APPS and (
                (ROOT / app / module).exists() or (ROOT / app / f"{module}.py").exists()
            ):
                yield app, module or "__init__"


def test_every_module_has_its_place() -> None:
    homeless = {module_of(path)[1] for path in sources()} - set(WHERE)

    assert homeless == set()


def test_apps_import_only_what_stands_below_them() -> None:
    wrong = [
        f"{path.relative_to(ROOT)} imports {app}.{module}"
        for path in sources()
        if str(path.relative_to(ROOT)) not in OPEN_DOORS and "management" not in path.parts
        for app, module in imports(path)
        if APPS.index(app) > APPS.index(module_of(path)[0])
    ]

    assert wrong == []


def top_level_imports(path: Path) -> Iterator[tuple[str, str]]:
    """Imports at the head of a file; those inside functions break a circle and say so."""
    body = ast.parse(path.read_text()).body
    head = [node for node in body if isinstance(node, ast.Import | ast.ImportFrom)]
    yield from named(head)


def test_modules_import_only_their_own_layer_and_those_below() -> None:
    wrong = []
    for path in sources():
        own = LAYERS.index(WHERE[module_of(path)[1]])
        for app, module in top_level_imports(path):
            if LAYERS.index(WHERE[module]) > own:
                wrong.append(f"{path.relative_to(ROOT)} imports {app}.{module}")

    assert wrong == []


PURE = [path for path in sources() if WHERE[module_of(path)[1]] == "pure"]


@pytest.mark.parametrize("path", PURE, ids=lambda path: str(path.relative_to(ROOT)))
def test_pure_modules_know_neither_rows_nor_today_nor_settings(path: Path) -> None:
    text = path.read_text()
    forbidden = ["django.db", "django.conf", "localdate", "date.today", "datetime.now", ".objects"]

    assert [word for word in forbidden if word in text] == []


DOORS = [p for p in sources() if WHERE[module_of(p)[1]] in {"doors", "views", "paper"}]


@pytest.mark.parametrize("path", DOORS, ids=lambda path: str(path.relative_to(ROOT)))
def test_forms_tables_and_views_reach_rows_only_through_selectors(path: Path) -> None:
    touched = [
        node.lineno
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.Attribute) and node.attr in {"objects", "_default_manager"}
    ]

    assert touched == []


def test_no_function_is_longer_than_forty_lines_and_no_file_than_four_hundred() -> None:
    long = []
    for path in sources():
        lines = path.read_text().splitlines()
        if len(lines) > 400:
            long.append(f"{path.relative_to(ROOT)}: {len(lines)} lines")
        for node in ast.walk(ast.parse("\n".join(lines))):
            if isinstance(node, ast.FunctionDef) and node.end_lineno - node.lineno >= 40:
                long += [f"{path.relative_to(ROOT)}:{node.lineno} {node.name}"]

    assert long == []
