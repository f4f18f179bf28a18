"""The deploy check refuses what is fit for a demo only."""

from __future__ import annotations

from typing import Any

import pytest

from registry.deployment import is_ready_for_the_public


@pytest.fixture(autouse=True)
def _a_real_installation(monkeypatch: pytest.MonkeyPatch, settings: Any) -> None:
    monkeypatch.setenv("DATABASE_URL", "postgresql://app@db/register")
    monkeypatch.setenv("DATABASE_OWNER_URL", "postgresql://owner@db/register")
    settings.DEMO = False
    settings.REQUIRE_SECOND_FACTOR = True
    settings.PUBLIC_ADDRESS = "https://bingo.example.gov"


def faults() -> list[str | None]:
    return [fault.id for fault in is_ready_for_the_public(None)]


def test_a_real_installation_passes() -> None:
    assert faults() == []


@pytest.mark.parametrize(
    ("name", "value", "fault"),
    [
        ("DEMO", True, "bona.D001"),
        ("REQUIRE_SECOND_FACTOR", False, "bona.D002"),
        ("PUBLIC_ADDRESS", "", "bona.D003"),
        ("PUBLIC_ADDRESS", "http://bingo.example.gov", "bona.D003"),
    ],
)
def test_a_setting_fit_for_a_demo_only_is_refused(
    settings: Any, name: str, value: object, fault: str
) -> None:
    setattr(settings, name, value)

    assert faults() == [fault]


@pytest.mark.parametrize(
    ("missing", "fault"), [("DATABASE_URL", "bona.D004"), ("DATABASE_OWNER_URL", "bona.D005")]
)
def test_a_database_fit_for_a_demo_only_is_refused(
    monkeypatch: pytest.MonkeyPatch, missing: str, fault: str
) -> None:
    monkeypatch.delenv(missing)

    assert faults() == [fault]
