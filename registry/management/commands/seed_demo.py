"""Build the training county from fixtures/, through the services, as a county would be entered."""

from __future__ import annotations

import json
from datetime import date, timedelta
from typing import Any

from allauth.account.models import EmailAddress
from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from licenses.applying import Oath, save_step, start_application
from licenses.bmf import Kind
from licenses.irs_acts import compare_standings
from licenses.irs_loading import load_irs_file
from licenses.rules import last_day_of_term
from licenses.services import (
    ExemptionEntry,
    issue_license,
    record_exemption,
    record_interest,
    suspend_license,
)
from licenses.stating import complete_statement, make_link, name_statements
from registry.access import Refused
from registry.flows import hand_in
from registry.history import System, acting
from registry.models import Organization, Person, User
from registry.offices import grant_role, name_holder
from registry.places import CHECKOUT
from registry.services import OrganizationEntry, found_organization
from volunteers.assigning import Grant, assign
from volunteers.ending import end_membership
from volunteers.models import Membership
from volunteers.services import (
    Deed,
    Enrollment,
    Statement,
    enroll,
    record_activity,
)
from volunteers.suspending import suspend_member

BY = System.SET_UP
PASSWORD = "training-county-2026"  # noqa: S105 - printed for everyone who tries the demo
OFFICER = "A. Reyes, secretary"


class Command(BaseCommand):
    """Enter the invented charities, halls and people, once; print the logins each time."""

    help = "Builds the training county (invented people and charities) and prints its logins."

    def add_arguments(self, parser: Any) -> None:
        """One switch, for a first look at an installation that is not the demo."""
        parser.add_argument("--anyway", action="store_true", help="also outside the demo")

    def handle(self, *args: Any, **options: Any) -> None:
        """Enter everything in one act; a county that already has organizations is left alone."""
        if not (settings.DEMO or settings.DEBUG or options["anyway"]):
            raise CommandError(
                "The training county belongs into the demo; start it by `make demo`."
            )
        if not Organization.objects.exists():
            with acting(BY, "demo.seeded"):
                County(timezone.localdate()).enter()
        self._print_logins()

    def _print_logins(self) -> None:
        self.stdout.write("Logins (password for all: " + PASSWORD + ")")
        for row in _read("users"):
            what = ", ".join(row.get("roles", [])) or "acts for " + ", ".join(row["holds"])
            self.stdout.write(f"  {row['email']:<26} {what}")


def _read(name: str) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = json.loads((CHECKOUT / "fixtures" / f"{name}.json").read_text())
    return rows


class County:
    """The training county as it stands on a day; dates in the fixtures are days before it."""

    def __init__(self, today: date) -> None:
        self.today = today
        self.organizations: dict[str, Organization] = {}

    def ago(self, days: int) -> date:
        """The day so many days ago."""
        return self.today - timedelta(days=days)

    def enter(self) -> None:
        """Organizations first, then the users who act for them, then people; what the IRS says."""
        for row in _read("organizations"):
            self._organization(row)
        for row in _read("users"):
            self._user(row)
        for row in _read("persons"):
            self._person(row)
        self._irs()
        for row in _read("applications"):
            self._application(row)

    def _application(self, row: dict[str, Any]) -> None:
        """One that waits for the clerk, complete, and one half filled."""
        organization = self.organizations[row["organization"]]
        application = start_application(BY, organization, license_class=row["class"])
        for step, answers in row["answers"].items():
            save_step(BY, application, step, answers, revision=0)
        for statement in name_statements(BY, application):
            if own := row.get("statements", {}).get(statement.full_name):
                key = make_link(BY, statement)
                complete_statement(key, own, signed_as=statement.full_name)
        if row["handed_in"]:
            hand_in(BY, application, Oath(row["sworn_by"]))

    def _irs(self) -> None:
        """The files of the IRS, in which some of the county's charities stand."""
        folder = CHECKOUT / "fixtures" / "irs"
        for name, kind in (
            ("eo_training.csv", Kind.BMF),
            ("data-download-revocation.txt", Kind.REVOCATIONS),
        ):
            load_irs_file(BY, folder / name, kind, file_date=self.ago(20))
        compare_standings(BY)

    def _organization(self, row: dict[str, Any]) -> None:
        columns = ("name", "kind", "ein", "street", "city", "postal_code")
        entry = OrganizationEntry(
            **{name: row.get(name, "") for name in columns},
            existing_since=_day(row.get("existing_since")),
        )
        organization = found_organization(BY, entry)
        self.organizations[organization.slug] = organization
        if "basis" in row:
            shown = ExemptionEntry(
                row["basis"], row["evidence"], row.get("reference", ""), self.ago(30)
            )
            record_exemption(BY, organization, shown)
        if "license" in row:
            self._license(organization, row)

    def _license(self, organization: Organization, row: dict[str, Any]) -> None:
        issued = self.ago(420) if row.get("lapsed") else self.ago(50)
        license_ = issue_license(
            BY,
            organization,
            license_class=row["license"],
            issued_on=issued,
            expires_on=self.ago(20) if row.get("lapsed") else last_day_of_term(self.today),
        )
        if "suspended_days_ago" in row:
            suspend_license(
                BY,
                license_,
                starts_on=self.ago(row["suspended_days_ago"]),
                ends_on=self.ago(-30),
                reason=row["suspended_why"],
            )

    def _user(self, row: dict[str, Any]) -> None:
        user = User.objects.create_user(row["email"], PASSWORD, name=row["name"])
        EmailAddress.objects.create(user=user, email=user.email, verified=True, primary=True)
        for role in row.get("roles", ()):
            grant_role(BY, user, role, starts_on=self.ago(365))
        for slug in row.get("holds", ()):
            name_holder(BY, user, self.organizations[slug], starts_on=self.ago(365))

    def _person(self, row: dict[str, Any]) -> None:
        for place in row["at"]:
            membership = self._membership(row, place)
            if "duties" in place:
                self._approve(membership, tuple(place["duties"]))
        if "interest" in row:
            lessor, tie = row["interest"]
            record_interest(
                BY,
                membership.person,
                lessor=self.organizations[lessor],
                tie=tie,
                starts_on=self.ago(200),
            )

    def _membership(self, row: dict[str, Any], place: dict[str, Any]) -> Membership:
        organization = self.organizations[place["in"]]
        statement = Statement(self.today, OFFICER, "officer's statement")
        entry = Enrollment(
            full_name=row["name"],
            kind=place.get("kind", "regular"),
            starts_on=self.ago(place["days"]),
            born_on=self._birth_date(row),
            is_adult=place.get("adult", False),
            is_resident=True,
        )
        membership = enroll(BY, organization, entry, statement)
        for kind, days in place.get("did", ()):
            record_activity(BY, organization, [membership], Deed(kind, self.ago(days)), statement)
        self._interruptions(membership, place)
        return membership

    def _interruptions(self, membership: Membership, place: dict[str, Any]) -> None:
        if "left" in place:
            end_membership(BY, membership, last_day=self.ago(place["left"]))
        if "suspended" in place:
            first, last = place["suspended"]
            suspend_member(
                BY,
                membership,
                starts_on=self.ago(first),
                ends_on=self.ago(last),
                reason="dues not paid",
            )

    def _birth_date(self, row: dict[str, Any]) -> date | None:
        if "born_days_before_18" in row:
            day = self.ago(-row["born_days_before_18"])
            return day.replace(year=day.year - 18, day=min(day.day, 28))
        return _day(row.get("born_on"))

    def _approve(self, membership: Membership, duties: tuple[str, ...]) -> None:
        person: Person = membership.person
        try:
            assign(BY, person, membership.organization, Grant(self.today, duties))
        except Refused as refused:
            bar = refused.ruling.first_bar if refused.ruling else None
            raise CommandError(f"{person} is not approved: {bar or refused}") from refused


def _day(text: str | None) -> date | None:
    return date.fromisoformat(text) if text else None
