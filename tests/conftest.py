"""The database is made by its owner and tested as the application; nothing leaves the process."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator

import hypothesis
import pytest
from django.conf import settings
from django.core.cache import cache
from django.db import connection

from registry import database

BROWSERS = ("chromium", "chromium-browser", "google-chrome")


# The same examples on every run; `--hypothesis-profile=default` looks for new ones.
hypothesis.settings.register_profile("steady", derandomize=True, deadline=None)
hypothesis.settings.load_profile("steady")


def pytest_configure() -> None:
    """Settings that make tests quick and quiet; they are read before the first test."""
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
    settings.TASKS = {"default": {"BACKEND": "django_tasks.backends.immediate.ImmediateBackend"}}
    settings.CACHES = {"default": {"BACKEND": "django.core.cache.backends.locmem.LocMemCache"}}
    settings.STORAGES = {
        **settings.STORAGES,
        "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"},
    }
    settings.WHITENOISE_AUTOREFRESH = True
    settings.DEMO = False
    # Its own tests switch it on; everywhere else a clerk signs in and works.
    settings.REQUIRE_SECOND_FACTOR = False
    settings.SECURE_SSL_REDIRECT = False
    settings.PUBLIC_ADDRESS = "https://bingo.example.gov"
    settings.ALLOWED_HOSTS = ["*"]
    # A test's rows may be lost with the machine.
    options = settings.DATABASES["default"]["OPTIONS"]
    options["options"] = f"{options.get('options', '')} -c synchronous_commit=off"


@pytest.fixture(scope="session")
def django_db_modify_db_settings(django_db_modify_db_settings: None) -> None:
    """The owner makes the database and its tables."""
    settings.DATABASES["default"].update(settings.DATABASE_OWNER)


@pytest.fixture(scope="session")
def django_db_setup(django_db_setup: None) -> Iterator[None]:
    """From here on the application's role works; at the end the owner drops what he made."""
    _work_as({"USER": database.application_role(), "PASSWORD": _application_password()})
    yield
    _work_as(settings.DATABASE_OWNER)


@pytest.fixture(autouse=True)
def _no_memory() -> Iterator[None]:
    """Rate limits of one test do not reach the next."""
    yield
    cache.clear()


@pytest.fixture(autouse=True)
def _documents_elsewhere(settings: pytest.FixtureRequest, tmp_path: object) -> None:
    """Files of a test lie in its own folder."""
    settings.MEDIA_ROOT = tmp_path
    settings.DEMO_MAIL = tmp_path


@pytest.fixture(scope="session")
def chromium() -> str:
    """Where the browser of the journeys lies. Without one they are skipped, in CI they fail."""
    found = next(filter(None, map(shutil.which, BROWSERS)), None)
    if found:
        return found
    reason = "no Chromium on this machine: apt-get install chromium"
    if os.environ.get("BONA_FIDE_BROWSER") == "required":
        pytest.fail(reason)
    pytest.skip(reason)


def _work_as(login: dict[str, str]) -> None:
    connection.close()
    settings.DATABASES["default"].update(login)


def _application_password() -> str:
    return database.from_url_or_embedded()["PASSWORD"]
