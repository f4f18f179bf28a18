"""Orders against a license, appeals, the paper to post, and what everyone may read."""

from __future__ import annotations

import csv
import io
import re
from dataclasses import replace
from datetime import UTC, date, datetime

import pikepdf
import pytest
import time_machine
from django.core.exceptions import PermissionDenied
from django.urls import reverse
from django.utils.formats import date_format

from licenses.appealing import Filing, Result, appeal_until, file_appeal, order_stay
from licenses.bodies import officer_left
from licenses.certificates import print_certificate
from licenses.granting import STAY, Found, Route
from licenses.models import CertificateCopy, Decision, License, Sanction
from licenses.ordering import Order
from licenses.packets import appeal_packet
from licenses.public import actions_of, copy_seen
from licenses.rules import State
from licenses.selectors import licenses_of, organizations_on, standing_of
from licenses.services import end_suspension, void_license, void_suspension
from registry import flows
from registry.access import BadInput, Refused
from registry.history import Act
from registry.letters import serve_letter
from registry.models import Letter, WorkItem
from tests.factories import (
    AssignmentFactory,
    DecisionFactory,
    LicensedFactory,
    LicenseFactory,
    NameTagFactory,
    OfficerFactory,
    OrganizationFactory,
    PremisesFactory,
    WorkerFactory,
)
from tests.licenses.test_granting import DENY, at, recommended
from volunteers.tagging import TagState, check_numbered

pytestmark = pytest.mark.django_db
TODAY = date(2026, 12, 1)
TO_JUNE = Order(
    "suspend",
    starts_on=date(2026, 12, 5),
    ends_on=date(2027, 6, 30),
    grounds=[Found("records", "No game sheets for October")],
    reason="Records are missing.",
    route=Route(days=20, source="Resolution 26-114"),
    readings=[STAY],
)
REVOKED = replace(TO_JUNE, kind="revoke", ends_on=None)


@pytest.fixture
def license_() -> License:
    """A license of class A for the year to September 30, 2027."""
    body = OrganizationFactory(name="Heron Lake Post 9", city="Hudson")
    return LicenseFactory(
        organization=body,
        number="A-2027-0042",
        issued_on=date(2026, 10, 1),
        expires_on=date(2027, 9, 30),
    )


def state(license_, day) -> State:
    return standing_of(licenses_of(license_.organization).get(pk=license_.pk), day).state


def ordered(adam, license_, wanted=TO_JUNE) -> Decision:
    with at(TODAY):
        return flows.order(adam, license_, wanted)


def states(license_, *days) -> list[State]:
    return [state(license_, day) for day in days]


def test_a_suspension_holds_from_its_first_to_its_last_day(license_, adam):
    ordered(adam, license_)

    assert states(
        license_, date(2026, 12, 4), date(2026, 12, 5), date(2027, 6, 30), date(2027, 7, 1)
    ) == [State.IN_FORCE, State.SUSPENDED, State.SUSPENDED, State.IN_FORCE]


def test_a_warning_changes_nothing_and_stands_in_the_file(license_, adam):
    ordered(adam, license_, replace(TO_JUNE, kind="warn", ends_on=None))

    assert state(license_, date(2026, 12, 5)) is State.IN_FORCE
    assert Sanction.objects.get().kind == "warning"


def test_a_conditional_revocation_rests_the_license_until_it_is_reinstated(license_, adam):
    wanted = replace(
        REVOKED, kind="condition", condition="Hand in the sheets", cure_by=date(2027, 1, 15)
    )
    ordered(adam, license_, wanted)
    with at(date(2027, 1, 10)):
        flows.reinstate(
            adam, Sanction.objects.get(), from_day=date(2027, 1, 11), reason="They are here."
        )

    assert states(license_, date(2026, 12, 5), date(2027, 1, 10), date(2027, 1, 11)) == [
        State.CONDITION, State.CONDITION, State.IN_FORCE,
    ]  # fmt: skip


def test_a_revocation_ends_the_approvals_and_the_tags_say_so(license_, adam):
    with at(date(2026, 11, 20)):
        worker = WorkerFactory(organization=license_.organization)
        approval = AssignmentFactory(
            person=worker.person,
            organization=license_.organization,
            license=license_,
            starts_on=date(2026, 11, 20),
            eligible_on=date(2026, 11, 20),
            ends_on=date(2027, 9, 30),
        )
        tag = NameTagFactory(assignment=approval)
    ordered(adam, license_, REVOKED)

    approval.refresh_from_db()
    assert approval.ends_on == date(2026, 12, 4)
    assert state(license_, date(2027, 12, 1)) is State.REVOKED
    with at(date(2026, 12, 5)):
        assert check_numbered(str(tag.number), date(2026, 12, 5)) is not TagState.GOOD


def test_the_notice_names_ground_reading_and_the_way_to_appeal(license_, adam):
    ordered(adam, license_)

    letter = Letter.objects.get()
    texts = [(one["text"], one["cite"]) for one in letter.paragraphs]
    assert letter.subject == "Suspension: license A-2027-0042"
    assert texts[:-1] == [
        (
            "License A-2027-0042 is suspended from Dec 5, 2026 to Jun 30, 2027, its last day.",
            "§ 10-93",
        ),
        (texts[1][0], "§ 10-93(a)(1)f"),
        ("Records are missing.", ""),
        (
            (
                "You may appeal to the board of county commissioners within 20 days after this"
                " letter was served (Resolution 26-114)."
            ),
            "§ 10-93",
        ),
        (
            "The appeal does not stop this decision, unless the board orders that it does.",
            "§ 10-93",
        ),
    ]
    assert texts[1][0].endswith("What was found: No game sheets for October")


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"grounds": []}, "grounds"),
        ({"grounds": [Found("deny_years", "Young")]}, "grounds"),
        ({"grounds": [Found("lessor_breach", "Rent")]}, "grounds"),
        ({"starts_on": date(2026, 11, 30)}, "starts_on"),
        ({"ends_on": date(2026, 12, 4)}, "ends_on"),
        ({"reason": " "}, "reason"),
        ({"route": Route()}, "appeal_days"),
        ({"readings": []}, "readings"),
        ({"kind": "condition"}, "condition"),
        ({"kind": "grant"}, "kind"),
    ],
)
def test_nothing_is_ordered_that_is_not_settled(license_, adam, change, field):
    with pytest.raises(BadInput) as bad:
        ordered(adam, license_, replace(TO_JUNE, **change))

    assert bad.value.field == field
    assert not Decision.objects.exists()


def test_only_the_administrator_orders(license_, clerk):
    with pytest.raises(PermissionDenied):
        ordered(clerk, license_)


def test_the_days_for_an_appeal_run_from_the_service(license_, adam, clerk):
    decision = ordered(adam, license_)
    assert appeal_until(decision) is None
    with at(date(2026, 12, 3)):
        serve_letter(
            clerk, Letter.objects.get(), how="hand", served_on=date(2026, 12, 2), to="Ada Reyes"
        )

    assert appeal_until(decision) == date(2026, 12, 22)


def test_an_appeal_stays_nothing_until_a_stay_is_ordered(license_, adam, clerk):
    decision = ordered(adam, license_)
    with at(date(2026, 12, 10)):
        appeal = file_appeal(clerk, decision, Filing(date(2026, 12, 9)))
        assert state(license_, date(2026, 12, 10)) is State.SUSPENDED
        order_stay(
            clerk, appeal, stay_from=date(2026, 12, 11), stay_to=None, ordered_by="Board, Dec 10"
        )
    with at(date(2027, 2, 1)):
        flows.close_appeal(
            clerk, appeal, Result("upheld", date(2027, 2, 1), "the board of county commissioners")
        )

    assert states(
        license_, date(2026, 12, 10), date(2026, 12, 11), date(2027, 2, 1), date(2027, 2, 2)
    ) == [State.SUSPENDED, State.IN_FORCE, State.IN_FORCE, State.SUSPENDED]
    listed = organizations_on(adam, date(2027, 2, 1)).get(pk=license_.organization.pk)
    assert (listed.is_in_force, listed.is_suspended) == (True, False)


def test_a_reversal_lifts_the_order_from_its_day_and_undoes_no_day(license_, adam, clerk):
    decision = ordered(adam, license_, REVOKED)
    with at(date(2027, 1, 20)):
        appeal = file_appeal(clerk, decision, Filing(date(2027, 1, 4)))
        flows.close_appeal(clerk, appeal, Result("reversed", date(2027, 1, 20), "the board"))

    assert states(license_, date(2027, 1, 19), date(2027, 1, 20)) == [
        State.REVOKED, State.IN_FORCE,
    ]  # fmt: skip


def test_a_denial_that_is_reversed_is_decided_anew(ada, clerk, ivan, adam):
    application = recommended(ada, clerk, ivan)
    denial = flows.decide_application(adam, application, DENY)
    appeal = file_appeal(clerk, denial, Filing(denial.decided_on))

    flows.close_appeal(clerk, appeal, Result("reversed", denial.decided_on, "the board"))
    flows.decide_application(adam, application, replace(DENY, kind="grant", grounds=[]))

    application.refresh_from_db()
    assert application.status == "granted"
    assert [row.kind for row in Decision.objects.standing()] == ["grant"]


def test_a_license_given_back_runs_to_its_last_day(license_, clerk):
    with at(TODAY):
        flows.accept_surrender(
            clerk, license_, last_day=date(2026, 12, 31), reason="Letter of Nov 28"
        )

    assert states(license_, date(2026, 12, 31), date(2027, 1, 1)) == [
        State.IN_FORCE, State.SURRENDERED,
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("moment", "word"),
    [
        (datetime(2027, 10, 1, 0, 30, tzinfo=UTC), "In force"),
        (datetime(2027, 10, 1, 3, 59, tzinfo=UTC), "In force"),
        (datetime(2027, 10, 1, 4, 0, tzinfo=UTC), "Ended"),
    ],
    ids=["20:30 on September 30", "23:59 on September 30", "00:00 on October 1"],
)
def test_a_license_ends_at_the_countys_midnight(client, license_, moment, word):
    with time_machine.travel(moment, tick=False):
        shown = client.get(f"/licenses/{license_.organization.slug}/").content.decode()

    assert f"</svg> {word}<" in shown or f"{word}</span>" in shown


def test_two_officers_must_be_left_to_sign(license_, clerk):
    body = license_.organization
    leaving, _staying = OfficerFactory(organization=body), OfficerFactory(organization=body)

    officer_left(clerk, leaving, last_day=leaving.starts_on)

    item = WorkItem.objects.get()
    assert item.cite == "§ 10-64(b)"
    assert item.note == f"{leaving.full_name} left: too few principal officers sign checks now."


@pytest.mark.parametrize(("day", "offered"), [(date(2027, 7, 1), False), (date(2027, 7, 2), True)])
def test_the_license_page_offers_its_renewal_in_the_window(client, license_, clerk, day, offered):
    address = f"/organizations/{license_.organization.slug}/licenses/{license_.number}/"

    with at(day):
        client.force_login(clerk)
        shown = client.get(address).content.decode()

    assert "Print the license" in shown
    assert ("Renew A-2027-0042" in shown) is offered


# The paper to post.


def test_a_second_print_of_the_same_facts_replaces_nothing(license_, clerk):
    with at(TODAY):
        first = print_certificate(clerk, license_)
        print_certificate(clerk, license_)

    assert first.startswith(b"%PDF-")
    assert CertificateCopy.objects.count() == 1
    assert Act.objects.filter(verb="certificate.printed").count() == 2


def test_a_paper_that_no_longer_says_what_holds_is_told_apart(client, license_, adam, clerk):
    with at(TODAY):
        print_certificate(clerk, license_)
        copy = CertificateCopy.objects.get()
        fresh = client.get(f"/l/{copy.token.lower()}/").content.decode()
    PremisesFactory(organization=license_.organization, license=license_, name="New Hall")
    ordered(adam, license_)
    with at(date(2026, 12, 6)):
        stale = client.get(f"/l/{copy.token}/").content.decode()
        assert copy_seen(copy.token, date(2026, 12, 6)).changed == ["places"]

    assert "The paper is the current one." in fresh
    assert "This paper was replaced." in stale
    assert "Suspended" in stale
    assert client.get("/l/" + "0" * 32 + "/").status_code == 404


def test_a_license_that_does_not_hold_is_not_printed(license_, adam, clerk):
    ordered(adam, license_)

    with at(date(2026, 12, 6)), pytest.raises(Refused):
        print_certificate(clerk, license_)


# For everyone.


def test_the_public_list_comes_as_csv_and_json_of_bodies_alone(client, license_, adam):
    LicensedFactory(name="Another Body")
    OrganizationFactory(name="Never Licensed")
    OfficerFactory(organization=license_.organization, full_name="Ada Private")
    ordered(adam, license_)

    with at(date(2026, 12, 6)):
        data = client.get("/licenses/?q=heron&export=json").json()
        answer = client.get("/licenses/?q=heron&export=csv")
        body = b"".join(answer.streaming_content).decode("utf-8-sig")
        page = client.get(f"/licenses/{license_.organization.slug}/").content.decode()

    assert data == {
        "on": "2026-12-06",
        "licensees": [
            {
                "name": "Heron Lake Post 9",
                "kind": "charitable",
                "city": "Hudson",
                "page": license_.organization.slug,
                "licenses": [
                    {
                        "number": "A-2027-0042",
                        "class": "A",
                        "first_day": "2026-10-01",
                        "last_day": "2027-09-30",
                        "status": "suspended",
                        "status_in_words": "Suspended",
                    }
                ],
            }
        ],
    }
    assert list(csv.reader(io.StringIO(body))) == [
        ["Name", "City", "License", "On the day", "Last day"],
        ["Heron Lake Post 9", "Hudson", "A-2027-0042", "Suspended", "2027-09-30"],
    ]
    assert "§ 10-93(a)(1)f" in page
    assert "Ada Private" not in page
    assert adam.name not in page
    assert "No game sheets" not in page


def test_the_register_of_another_day_is_that_days(client, license_, adam):
    ordered(adam, license_)

    with at(date(2026, 12, 6)):
        before = client.get("/licenses/?on=12/1/2026&export=json").json()

    assert before["licensees"][0]["licenses"][0]["status"] == "in_force"


def test_a_stay_that_had_not_begun_stays_nothing_after_the_result(license_, adam, clerk):
    decision = ordered(adam, license_, REVOKED)
    filing = Filing(TODAY, stay_from=date(2027, 2, 1), stay_cite="Board, Dec 1")
    with at(TODAY):
        appeal = file_appeal(clerk, decision, filing)
    with at(date(2027, 1, 20)):
        flows.close_appeal(clerk, appeal, Result("upheld", date(2027, 1, 20), "the board"))

    assert states(license_, date(2027, 1, 31), date(2027, 2, 1)) == [State.REVOKED, State.REVOKED]


def test_a_stay_that_is_cut_short_ends_the_approvals_granted_under_it(license_, adam, clerk):
    decision = ordered(adam, license_, REVOKED)
    with at(TODAY):
        appeal = file_appeal(
            clerk, decision, Filing(TODAY, stay_from=date(2026, 12, 5), stay_cite="Board")
        )
    with at(date(2026, 12, 20)):
        worker = WorkerFactory(organization=license_.organization)
        approval = AssignmentFactory(
            person=worker.person,
            organization=license_.organization,
            license=license_,
            starts_on=date(2026, 12, 20),
            eligible_on=date(2026, 12, 20),
            ends_on=date(2027, 9, 30),
        )
        flows.order_stay(
            clerk,
            appeal,
            stay_from=date(2026, 12, 5),
            stay_to=date(2026, 12, 31),
            ordered_by="Board, Dec 20",
        )

    approval.refresh_from_db()
    assert approval.ends_on == date(2026, 12, 31)


def test_a_clerk_neither_ends_nor_takes_out_what_the_administrator_ordered(license_, adam, clerk):
    ordered(adam, license_)
    sanction = Sanction.objects.get()

    with pytest.raises(Refused, match="only he lifts it"):
        end_suspension(clerk, sanction, last_day=date(2026, 12, 10))
    with pytest.raises(Refused, match="only he lifts it"):
        void_suspension(clerk, sanction, reason="Typo")

    sanction.refresh_from_db()
    assert (sanction.ends_on, sanction.voided_at) == (date(2027, 6, 30), None)


def test_the_letter_names_the_day_from_which_a_license_holds_again_or_is_given_back(
    license_, adam, clerk
):
    ordered(adam, license_)
    with at(date(2026, 12, 20)):
        sanction = Sanction.objects.get()
        flows.reinstate(adam, sanction, from_day=date(2027, 1, 2), reason="Sheets came.")
        flows.accept_surrender(clerk, license_, last_day=date(2027, 3, 31), reason="Letter")

    letters = Letter.objects.order_by("pk").values_list("paragraphs", flat=True)
    assert [paragraphs[0]["text"] for paragraphs in letters][1:] == [
        "License A-2027-0042 is reinstated from Jan 2, 2027 on: Sheets came.",
        "License A-2027-0042 is given back; its last day is Mar 31, 2027.",
    ]


def test_everyone_reads_what_came_of_an_appeal_and_nothing_of_a_license_entered_in_error(
    license_, adam, clerk
):
    decision = ordered(adam, license_, REVOKED)
    wrong = LicenseFactory(
        organization=license_.organization,
        license_class="B",
        issued_on=date(2026, 10, 1),
        expires_on=date(2027, 9, 30),
    )
    DecisionFactory(license=wrong, decided_on=TODAY)
    with at(date(2027, 1, 20)):
        appeal = file_appeal(clerk, decision, Filing(date(2027, 1, 4)))
        flows.close_appeal(clerk, appeal, Result("reversed", date(2027, 1, 20), "the board"))
        void_license(clerk, wrong, reason="Typo")

    found = actions_of(license_.organization, date(2027, 2, 1))
    assert [(one.what, one.number, one.appealed, one.outcome) for one in found] == [
        ("revocation", "A-2027-0042", False, "the decision is reversed")
    ]


def test_a_denial_is_appealed_from_the_page_of_its_application(client, ada, clerk, ivan, adam):
    application = recommended(ada, clerk, ivan)
    denial = flows.decide_application(adam, application, DENY)
    client.force_login(clerk)
    page = reverse("application_work", args=[ada.organization.slug, application.number])
    record = reverse("ruling_appeal", args=[ada.organization.slug, denial.pk])
    assert record in client.get(page).content.decode()

    done = client.post(record, {"filed_on": date_format(denial.decided_on, "m/d/Y")})

    appeal = denial.appeals.get()
    assert done["Location"] == page
    shown = client.get(page).content.decode()
    assert reverse("appeal_close", args=[ada.organization.slug, appeal.pk]) in shown
    assert reverse("appeal_packet", args=[ada.organization.slug, appeal.pk]) in shown


def test_the_packet_binds_the_letter_the_application_and_what_was_done(ada, clerk, ivan, adam):
    application = recommended(ada, clerk, ivan)
    denial = flows.decide_application(adam, application, DENY)
    appeal = file_appeal(clerk, denial, Filing(denial.decided_on))

    with pikepdf.open(io.BytesIO(appeal_packet(clerk, appeal))) as bound:
        with bound.open_outline() as outline:
            parts = [item.title for item in outline.root]
        assert len(bound.pages) > len(parts)

    assert [re.sub(r"^\d+\.\s*", "", part) for part in parts if "Contents" not in part] == [
        "The decision",
        "The application",
        "What was done",
    ]
    assert Act.objects.filter(verb="packet.printed").count() == 1
