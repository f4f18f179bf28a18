"""Every URL with every role: signed out, nobody, another organization's officer, each office."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import pytest
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver, reverse

from registry.access import HOLDER, MATRIX, Capability, Role
from registry.models import Organization, User
from tests.factories import (
    AccountHolderFactory,
    ActivityFactory,
    AddressFactory,
    AdoptedValueFactory,
    AppealFactory,
    ApplicationFactory,
    AssignmentFactory,
    CertificateCopyFactory,
    DecisionFactory,
    DeterminationFactory,
    DifferentPeopleFactory,
    DocumentFactory,
    IrsOrganizationFactory,
    LessorInterestFactory,
    LetterFactory,
    LicensedFactory,
    NameTagFactory,
    OfficerFactory,
    PersonFactory,
    QueryFactory,
    ReceiptFactory,
    RoleGrantFactory,
    RosterFileFactory,
    SanctionFactory,
    StatementFactory,
    SuspensionFactory,
    UserFactory,
    WorkerFactory,
    WorkItemFactory,
)

pytestmark = pytest.mark.django_db

# Django's and allauth's own pages, tested where they come from.
FOREIGN = ("account_", "mfa_", "openid_", "admin:", "set_language", "demo_mail")


def patterns(
    resolver: Any = None, prefix: str = ""
) -> Iterator[tuple[str, dict[str, Any], type | None]]:
    """Each named URL of ours with the converters of its parts and its view class."""
    for entry in (resolver or get_resolver()).url_patterns:
        if isinstance(entry, URLResolver):
            space = f"{entry.namespace}:" if entry.namespace else ""
            yield from patterns(entry, prefix + space)
        elif isinstance(entry, URLPattern) and entry.name:
            name = prefix + entry.name
            if not name.startswith(FOREIGN):
                view = getattr(entry.callback, "view_class", None)
                yield name, dict(entry.pattern.converters), view


OURS = sorted({name: (parts, view) for name, parts, view in patterns()}.items())


@dataclass
class Things:
    """One of everything that belongs to one organization, by the first word of the page's name.

    A page that names two things has its own entry, by its whole name.
    """

    organization: Organization
    ids: dict[str, dict[str, Any]]

    def arguments(self, name: str, parts: dict[str, Any]) -> dict[str, Any]:
        """What to put into the address of this page."""
        of_kind = self.ids.get(name.partition("_")[0], {})
        known = self.ids["any"] | of_kind | self.ids.get(name, {})
        missing = set(parts) - set(known)
        assert not missing, f"tests/test_access.py knows no {missing} for {name}"
        return {part: known[part] for part in parts}


@pytest.fixture
def things() -> Things:
    """An organization with one row of each kind."""
    # One membership more than approvals, so that a page fed with the wrong key finds nothing.
    WorkerFactory()
    organization = LicensedFactory()
    license_ = organization.licenses.get()
    membership = WorkerFactory(organization=organization)
    person = membership.person
    assignment = AssignmentFactory(person=person, organization=organization)
    tag = NameTagFactory(assignment=assignment)
    holder = AccountHolderFactory(organization=organization)
    sanction = SanctionFactory(license=license_)
    application = ApplicationFactory(organization=organization, license_class="B")
    renewal = ApplicationFactory(
        organization=organization, kind="renewal", prior=license_, status="withdrawn"
    )
    statement = StatementFactory(application=application)
    receipt = ReceiptFactory(application=application)
    ruling = DecisionFactory(organization=organization, license=license_)
    appeal = AppealFactory(decision=ruling)
    officer = OfficerFactory(organization=organization)
    copy = CertificateCopyFactory(license=license_)
    draft = ApplicationFactory(
        organization=organization, license_class="A", status="draft", presented_on=None
    )
    query = QueryFactory(application=application)
    suspended = {"number": license_.number, "pk": sanction.pk}
    anyway = {
        "slug": organization.slug,
        "asked": organization.slug,
        "number": person.number,
        "other": PersonFactory().number,
        "on": "2026-12-05",
        "token": tag.token,
        "pk": membership.pk,
    }
    return Things(
        organization,
        {
            "any": anyway,
            "license": {"number": license_.number},
            "license_reinstate": suspended,
            "license_copy": {"token": copy.token},
            "ruling": {"pk": ruling.pk},
            "appeal": {"pk": appeal.pk},
            "officer": {"pk": officer.pk},
            "license_suspension_end": suspended,
            "license_suspension_void": suspended,
            "application": {"number": application.number},
            "application_workers": {"number": renewal.number},
            "application_step": {"number": draft.number, "step": "bank"},
            "checklist": {"letter": "A"},
            "query": {"number": application.number, "pk": query.pk},
            "own": {"number": application.number},
            "own_statement": {"key": "0" * 32},
            "statement": {"number": application.number, "pk": statement.pk},
            "receipt": {"number": application.number, "receipt": receipt.number},
            "decision": {"pk": DeterminationFactory(person=person, organization=organization).pk},
            "assignment": {"pk": assignment.pk},
            "assignment_new": {"pk": membership.pk},
            "assignment_ask": {"pk": membership.pk},
            "suspension_add": {"pk": membership.pk},
            "activity": {
                "pk": ActivityFactory(person=person, organization=organization, kind="meeting").pk
            },
            "suspension": {"pk": SuspensionFactory(person=person, organization=organization).pk},
            "document": {"pk": DocumentFactory(organization=organization).pk},
            "letter": {"pk": LetterFactory(organization=organization).pk},
            "roster": {"pk": RosterFileFactory(organization=organization).pk},
            "tags": {"pk": tag.pk},
            "value": {
                "key": "licensing.fee_class_a",
                "pk": AdoptedValueFactory(document=DocumentFactory(organization=None)).pk,
            },
            "tag": {"pk": tag.pk},
            "irs": {"ein": IrsOrganizationFactory().ein},
            "interest": {"pk": LessorInterestFactory(person=person).pk},
            "address": {"pk": AddressFactory(person=person).pk},
            "different": {"pk": DifferentPeopleFactory(first=person).pk},
            "person_part": {"other": PersonFactory(merged_into=person).number},
            "work": {"pk": WorkItemFactory(person=person).pk},
            "holder": {"pk": holder.pk},
            "user": {"pk": holder.user.pk},
            "role": {
                "pk": holder.user.pk,
                "grant": RoleGrantFactory(user=holder.user, role="inspector").pk,
            },
        },
    )


def page(name: str, things: Things, parts: dict[str, Any]) -> str:
    return reverse(name, kwargs=things.arguments(name, parts))


def signed_in(user: User) -> Client:
    client = Client()
    client.force_login(user)
    return client


FINE = {200, 302, 405, 422}


@pytest.mark.parametrize(("name", "found"), OURS, ids=[name for name, _found in OURS])
def test_a_page_opens_for_those_whose_capability_it_is_and_for_nobody_else(
    name: str, found: tuple[dict[str, Any], type | None], things: Things
) -> None:
    parts, view = found
    assert view is not None, f"{name} is no PageView and names no capability"
    capability = view.capability
    url = page(name, things, parts)

    answers = {"signed out": Client().get(url).status_code}
    answers["nobody"] = signed_in(UserFactory()).get(url).status_code
    for role in Role:
        client = signed_in(RoleGrantFactory(role=role).user)
        answers[role.value] = client.get(url).status_code

    for who, status in answers.items():
        if capability is Capability.PUBLIC:
            assert status in FINE | {404}, (who, status)
        elif who == "signed out":
            assert status == 302, (who, status)
        elif capability is Capability.SIGNED_IN or who in MATRIX[capability]:
            assert status in FINE, (who, status)
        else:
            assert status in {403, 404}, (who, status)


def under_an_organization(parts: dict[str, Any], view: Any) -> bool:
    """True for a page whose address names an organization, and that is not for everyone."""
    return "slug" in parts and view is not None and view.capability is not Capability.PUBLIC


UNDER = [page for page in OURS if under_an_organization(*page[1])]
INNER = [
    (name, (parts, view))
    for name, (parts, view) in UNDER
    if set(parts) - {"slug", "on", "token", "letter"} and HOLDER in MATRIX[view.capability]
]
"""Pages of holders that name something within the organization."""


@pytest.mark.parametrize(("name", "found"), UNDER, ids=[name for name, _found in UNDER])
def test_another_organization_is_not_there_and_nothing_is_written(
    name: str, found: tuple[dict[str, Any], type | None], things: Things
) -> None:
    parts, _view = found
    stranger = signed_in(AccountHolderFactory().user)
    url = page(name, things, parts)
    before = rows()

    answers = (stranger.get(url).status_code, stranger.post(url, {}).status_code)

    assert answers == (404, 404)
    assert rows() == before


@pytest.mark.parametrize(("name", "found"), INNER, ids=[name for name, _found in INNER])
def test_an_id_of_another_organization_is_not_there_under_ones_own(
    name: str, found: tuple[dict[str, Any], type | None], things: Things
) -> None:
    parts, _view = found
    mine = AccountHolderFactory()
    url = reverse(name, kwargs=things.arguments(name, parts) | {"slug": mine.organization.slug})
    client, before = signed_in(mine.user), rows()

    answers = (client.get(url).status_code, client.post(url, {}).status_code)

    assert set(answers) <= {404, 405}
    assert rows() == before


def rows() -> dict[str, int]:
    """How many rows each table of the register has."""
    from registry.checks import own_models

    return {
        model._meta.label: model._default_manager.count()
        for model in own_models()
        if model._meta.label != "registry.Act"
    }


def test_every_capability_is_somebodys() -> None:
    open_to_all = {Capability.PUBLIC, Capability.SIGNED_IN}

    assert set(MATRIX) == set(Capability) - open_to_all
    assert all(MATRIX.values())
