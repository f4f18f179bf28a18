"""The people of licensing: a clerk, an investigator, the administrator, a charity's officer."""

from __future__ import annotations

import pytest

from tests.factories import AccountHolderFactory, OrganizationFactory, RoleGrantFactory


@pytest.fixture
def clerk():
    return RoleGrantFactory(role="clerk").user


@pytest.fixture
def ivan():
    return RoleGrantFactory(role="investigator").user


@pytest.fixture
def adam():
    return RoleGrantFactory(role="administrator").user


@pytest.fixture
def ada():
    return AccountHolderFactory(organization=OrganizationFactory(kind="charitable"))
