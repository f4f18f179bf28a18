"""Two bodies become one: what their people had goes on, and both are one (P13, O101, O104)."""

from __future__ import annotations

from datetime import date, timedelta
from typing import Any

import pytest
from django.core.exceptions import PermissionDenied
from django.core.files.uploadedfile import SimpleUploadedFile
from django.utils import timezone

from registry.access import BadInput, Refused
from registry.documents import Paper
from registry.history import Act, System
from registry.models import Document, Organization, WorkItem
from tests.factories import (
    PDF,
    AccountHolderFactory,
    ActivityFactory,
    AssignmentFactory,
    LicensedFactory,
    MembershipFactory,
    OrganizationFactory,
    PersonFactory,
    RoleGrantFactory,
    SuspensionFactory,
    UserFactory,
    WorkerFactory,
    days_ago,
)
from tests.test_constraints import at_once
from volunteers.assigning import Grant, assign
from volunteers.joining import join_people
from volunteers.lookups import answer_for
from volunteers.merging import Merger, merge_organizations, plan_merger
from volunteers.models import Assignment, Membership
from volunteers.services import Enrollment, Statement, enroll

pytestmark = pytest.mark.django_db
PAPER = Paper("articles.pdf", PDF)
MERGED = days_ago(2)
EVE = MERGED - timedelta(days=1)


@pytest.fixture
def survivor() -> Organization:
    return LicensedFactory(name="Marsh Lantern Post 1", slug="marsh-lantern")


@pytest.fixture
def gone() -> Organization:
    return LicensedFactory(name="Heron Auxiliary", slug="heron")


def merge(gone: Organization, survivor: Organization, by: Any = System.SET_UP, **said: Any) -> Any:
    usual = {"merged_on": MERGED, "paper": PAPER, "reason": "Articles filed with the state."}
    return merge_organizations(by, gone, survivor, **(usual | said))


def spells(model: Any, organization: Organization) -> list[tuple[date, date | None]]:
    rows = model.objects.standing().filter(organization=organization).order_by("starts_on", "pk")
    return list(rows.values_list("starts_on", "ends_on"))


def may(person: Any, organization: Organization) -> bool:
    return answer_for(System.SET_UP, person, organization, timezone.localdate()).allows


def test_a_member_of_the_merged_body_may_work_for_the_survivor_the_same_day(gone, survivor) -> None:
    worker = WorkerFactory(organization=gone, starts_on=days_ago(900))
    assert not may(worker.person, survivor)

    plan = merge(gone, survivor)

    assert may(worker.person, survivor)
    assert spells(Membership, gone) == [(days_ago(900), EVE)]
    assert spells(Membership, survivor) == [(MERGED, None)]
    carried = Membership.objects.get(organization=survivor)
    assert (carried.name_stated, carried.attested_by) == (worker.name_stated, "Ada Reyes")
    assert plan.counts == {
        "memberships": 1,
        "suspensions": 0,
        "approvals": 0,
        "approvals_ended": 0,
        "places_freed": 0,
        "licenses_ended": 1,
    }


def test_somebody_too_new_there_is_too_new_here_and_cleared_on_the_same_day(gone, survivor) -> None:
    worker = WorkerFactory(organization=gone, starts_on=days_ago(12))

    merge(gone, survivor)

    ruling = answer_for(System.SET_UP, worker.person, survivor, timezone.localdate())
    assert (ruling.allows, ruling.eligible_on) == (False, days_ago(12 - 30))


def test_an_approval_goes_on_under_the_survivors_license_with_its_frozen_day(
    gone, survivor
) -> None:
    worker = WorkerFactory(organization=gone, starts_on=days_ago(900))
    old = AssignmentFactory(
        person=worker.person, organization=gone, starts_on=days_ago(50), eligible_on=days_ago(870)
    )

    merge(gone, survivor)

    old.refresh_from_db()
    new = Assignment.objects.get(organization=survivor)
    assert (old.starts_on, old.ends_on, old.end_reason) == (
        days_ago(50),
        EVE,
        "merged into Marsh Lantern Post 1",
    )
    assert (new.starts_on, new.ends_on, new.eligible_on, new.duties, new.license) == (
        MERGED,
        survivor.licenses.get().expires_on,
        days_ago(870),
        ["caller"],
        survivor.licenses.get(),
    )


def test_who_worked_for_both_has_a_place_free_for_a_third(gone, survivor) -> None:
    third = LicensedFactory()
    worker = WorkerFactory(organization=survivor)
    for body in (gone, third):
        WorkerFactory(organization=body, person=worker.person)
    for body in (gone, survivor):
        AssignmentFactory(person=worker.person, organization=body, starts_on=days_ago(20))
    assert not may(worker.person, third)

    plan = merge(gone, survivor)

    assert plan.freed == 1
    assert spells(Assignment, survivor) == [(days_ago(20), survivor.licenses.get().expires_on)]
    assert may(worker.person, third)
    grant = Grant(timezone.localdate(), ("seller",))
    assert assign(System.SET_UP, worker.person, third, grant).organization == third


def test_a_member_of_both_keeps_the_row_of_the_survivor_and_the_days_it_does_not_cover(
    gone, survivor
) -> None:
    there = WorkerFactory(organization=gone, starts_on=days_ago(900))
    MembershipFactory(organization=survivor, person=there.person, starts_on=days_ago(100),
                      ends_on=timezone.localdate())  # fmt: skip

    merge(gone, survivor)

    tomorrow = timezone.localdate() + timedelta(days=1)
    assert spells(Membership, survivor) == [
        (days_ago(100), timezone.localdate()),
        (tomorrow, None),
    ]


def test_a_suspension_goes_on_and_what_had_not_begun_is_void_at_the_merged_body(
    gone, survivor
) -> None:
    worker = WorkerFactory(organization=gone, starts_on=days_ago(900))
    SuspensionFactory(person=worker.person, organization=gone, starts_on=days_ago(1))
    license_ = survivor.licenses.get()

    merge(gone, survivor)

    assert not may(worker.person, survivor)
    assert worker.person.suspensions.standing().get().organization == survivor
    assert license_.expires_on == survivor.licenses.get().expires_on
    assert gone.licenses.get().expires_on == EVE


def test_without_a_license_of_the_survivor_approvals_end_and_wait_for_the_clerk(gone) -> None:
    survivor = OrganizationFactory(name="Unlicensed Lodge")
    worker = WorkerFactory(organization=gone)
    AssignmentFactory(person=worker.person, organization=gone, starts_on=days_ago(20))

    plan = merge(gone, survivor)

    assert (plan.assignments, len(plan.lost)) == ([], 1)
    assert spells(Assignment, gone) == [(days_ago(20), EVE)]
    item = WorkItem.objects.get()
    assert (item.kind, item.person, item.organization) == ("correction", worker.person, survivor)


def test_who_is_over_the_limit_is_counted_before_and_in_the_history_as_he_is_treated(
    gone, survivor
) -> None:
    sue = RoleGrantFactory(role="supervisor").user
    busy, twin = (WorkerFactory(organization=gone).person for _n in range(2))
    for _n in range(2):
        AssignmentFactory(person=twin, starts_on=days_ago(20))
    AssignmentFactory(person=busy, organization=gone, starts_on=days_ago(20))
    fine = WorkerFactory(organization=gone).person
    AssignmentFactory(person=fine, organization=gone, starts_on=days_ago(20))
    AssignmentFactory(person=fine, starts_on=days_ago(20))
    join_people(sue, busy, twin, reason="One.")

    before = plan_merger(gone, survivor, MERGED).counts
    after = merge(gone, survivor).counts

    assert before == after == {**before, "approvals": 1, "approvals_ended": 1}
    assert before.items() <= Act.objects.get(verb="organization.merged").data.items()
    item = WorkItem.objects.get(kind="correction")
    assert (item.person, item.organization) == (busy, survivor)


def test_who_belongs_to_one_of_the_bodies_leaves_the_merger_to_a_colleague(gone, survivor) -> None:
    sue = RoleGrantFactory(role="supervisor", user__person=PersonFactory()).user
    MembershipFactory(person=sue.person, organization=survivor)

    with pytest.raises(Refused, match="A colleague must do it"):
        merge(gone, survivor, by=sue)


def test_each_body_and_each_person_has_it_in_the_history_with_the_paper(gone, survivor) -> None:
    worker = WorkerFactory(organization=gone)

    merge(gone, survivor)

    gone.refresh_from_db()
    document = Document.objects.get()
    assert (gone.merged_into, gone.merged_on, gone.merger_document) == (survivor, MERGED, document)
    assert bytes(document.content) == PAPER.content
    told = Act.objects.filter(verb__startswith="organization.")
    assert sorted(told.values_list("verb", "organization", "reason")) == [
        ("organization.merged", gone.pk, "Articles filed with the state."),
        ("organization.took_over", survivor.pk, "Articles filed with the state."),
    ]
    assert Act.objects.get(verb="member.carried_over").person == worker.person


@pytest.mark.parametrize(
    ("said", "field"),
    [
        ({"merged_on": days_ago(-1)}, "merged_on"),
        ({"paper": Paper("articles.pdf", b"PK\x03\x04")}, "document"),
        ({"reason": " "}, "reason"),
    ],
)
def test_a_day_to_come_a_paper_that_is_none_and_no_reason_are_refused(
    gone, survivor, said, field
) -> None:
    WorkerFactory(organization=gone)

    with pytest.raises(BadInput) as refused:
        merge(gone, survivor, **said)

    assert refused.value.field == field
    gone.refresh_from_db()
    assert gone.merged_into is None


def test_nothing_new_is_entered_or_merged_again_at_a_body_that_is_no_more(gone, survivor) -> None:
    worker = WorkerFactory(organization=gone)
    merge(gone, survivor)
    entry = Enrollment("Pat Sample", "member", days_ago(40))

    with pytest.raises(Refused, match="was merged into Marsh Lantern Post 1"):
        enroll(System.SET_UP, gone, entry, Statement())
    with pytest.raises(Refused, match="was merged into Marsh Lantern Post 1"):
        assign(System.SET_UP, worker.person, gone, Grant(timezone.localdate(), ("seller",)))
    with pytest.raises(BadInput, match="was merged already"):
        merge(gone, LicensedFactory())
    with pytest.raises(BadInput, match="cannot take itself"):
        merge(survivor, survivor)
    with pytest.raises(BadInput, match="was merged itself"):
        merge(LicensedFactory(), gone)


def test_activities_stay_where_they_were_done_and_count_on(gone, survivor) -> None:
    worker = MembershipFactory(organization=gone, starts_on=days_ago(90))
    ActivityFactory(person=worker.person, organization=gone, done_on=days_ago(60))

    merge(gone, survivor)

    assert may(worker.person, survivor)
    assert worker.person.activities.get().organization == gone


@pytest.mark.parametrize("role", ["clerk", "administrator", "auditor"])
def test_only_a_supervisor_who_holds_neither_account_merges(gone, survivor, role) -> None:
    sam = RoleGrantFactory(role="supervisor").user
    AccountHolderFactory(user=sam, organization=survivor)

    for user in (RoleGrantFactory(role=role).user, sam):
        with pytest.raises(PermissionDenied):
            merge(gone, survivor, by=user)


def test_a_supervisor_sees_what_happens_then_records_it_and_finds_the_paper(
    client, gone, survivor
) -> None:
    sam = RoleGrantFactory(role="supervisor", user=UserFactory(name="Sam")).user
    client.force_login(sam)
    worker = WorkerFactory(organization=gone, starts_on=days_ago(900))
    AssignmentFactory(person=worker.person, organization=gone, starts_on=days_ago(20))
    typed = {"survivor_key": "marsh-lantern", "merged_on": MERGED.strftime("%m/%d/%Y")}

    shown = client.post("/organizations/heron/merge/?live", typed).content.decode()
    form = client.get("/organizations/heron/merge/").context["form"]
    paper = SimpleUploadedFile("articles.pdf", PAPER.content)
    sent = {**typed, "reason": "Filed.", "document": paper, "token": form["token"].value()}
    done = client.post("/organizations/heron/merge/", sent, follow=True)
    page = client.get("/organizations/marsh-lantern/").content.decode()
    gone.refresh_from_db()
    url = f"/organizations/heron/documents/{gone.merger_document_id}/"

    assert "1 membership goes on there" in shown
    assert "1 approval goes on there and needs a new name tag." in shown
    assert "Its license ends the day before" in shown
    assert "Merged into Marsh Lantern Post 1" in done.content.decode()
    assert "Marsh Lantern Post 1, merged on" in done.content.decode()
    assert "Heron Auxiliary" in page
    assert url in page
    assert client.get(url).content == PAPER.copy.content
    assert client.get(f"{url}original/").content == PAPER.content
    assert client.get(url)["Content-Disposition"] == 'attachment; filename="articles.pdf"'


@pytest.mark.django_db(transaction=True)
def test_whoever_is_entered_while_it_merges_goes_over_or_is_refused_in_words(gone, survivor):
    worker = WorkerFactory(organization=gone, starts_on=days_ago(900))
    grant = Grant(timezone.localdate(), ("seller",))
    entry = Enrollment("Pat Sample", "member", days_ago(40))

    merged, *others = at_once(
        lambda: merge(gone, survivor),
        lambda: assign(System.SET_UP, worker.person, gone, grant),
        lambda: enroll(System.SET_UP, gone, entry, Statement()),
    )

    assert isinstance(merged, Merger)
    for other in others:
        assert isinstance(other, (Assignment, Membership)) or "was merged into" in str(other)
    for model in (Membership, Assignment):
        left = model.objects.standing().filter(organization=gone)
        assert [row for row in left if row.ends_on is None or row.ends_on > EVE] == []
