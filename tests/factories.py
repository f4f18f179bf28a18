"""Lawful by default: joined 31 days ago and took part; each test states its deviation."""

from __future__ import annotations

from datetime import date, timedelta
from typing import Any

import factory
from django.utils import timezone

from licenses.models import (
    Appeal,
    Application,
    CertificateCopy,
    Decision,
    Exemption,
    IrsFile,
    IrsOrganization,
    LessorInterest,
    License,
    Officer,
    Premises,
    Query,
    Receipt,
    Sanction,
    Statement,
)
from registry.history import System, acting
from registry.models import (
    AccountHolder,
    Address,
    AdoptedValue,
    DifferentPeople,
    Document,
    Letter,
    Organization,
    Person,
    RoleGrant,
    User,
    WorkItem,
)
from volunteers.models import (
    Activity,
    Assignment,
    Determination,
    Membership,
    NameTag,
    RosterFile,
    Suspension,
)


def days_ago(days: int) -> date:
    """The county's date so many days before today; negative is to come."""
    return timezone.localdate() - timedelta(days=days)


class RegisterFactory(factory.django.DjangoModelFactory):
    """Every row is written inside an act of the set-up."""

    class Meta:
        abstract = True
        skip_postgeneration_save = True

    @classmethod
    def _create(cls, model_class: type[Any], *args: Any, **kwargs: Any) -> Any:
        with acting(System.SET_UP, "test.made"):
            return super()._create(model_class, *args, **kwargs)


class UserFactory(RegisterFactory):
    class Meta:
        model = User

    email = factory.Sequence(lambda n: f"user{n}@example.org")
    name = factory.Sequence(lambda n: f"User {n}")

    @classmethod
    def _create(cls, model_class: type[Any], *args: Any, **kwargs: Any) -> Any:
        with acting(System.SET_UP, "test.made"):
            return User.objects.create_user(
                password=kwargs.pop("password", "correct horse"), **kwargs
            )


class RoleGrantFactory(RegisterFactory):
    class Meta:
        model = RoleGrant

    user = factory.SubFactory(UserFactory)
    role = RoleGrant.Role.CLERK
    starts_on = factory.LazyFunction(lambda: days_ago(400))


class OrganizationFactory(RegisterFactory):
    class Meta:
        model = Organization

    name = factory.Sequence(lambda n: f"Marsh Lantern Post {n}")
    slug = factory.Sequence(lambda n: f"marsh-lantern-post-{n}")
    kind = Organization.Kind.CHARITABLE
    city = "Dade City"


class AdoptedValueFactory(RegisterFactory):
    """A fee that somebody proposed and, with `consented_by`, another one agreed to."""

    class Meta:
        model = AdoptedValue

    key = "licensing.fee_class_a"
    value = "125.00"
    valid_from = factory.LazyFunction(lambda: days_ago(10))
    cite = "Resolution 26-7"
    source = "Adopted by the board on its October meeting"
    proposed_by = factory.SubFactory(UserFactory)
    consented_at = factory.LazyAttribute(lambda o: timezone.now() if o.consented_by else None)
    consented_by = None


class LicenseFactory(RegisterFactory):
    class Meta:
        model = License

    organization = factory.SubFactory(OrganizationFactory)
    license_class = "A"
    number = factory.Sequence(lambda n: f"A-2027-{n + 5000:04d}")
    issued_on = factory.LazyFunction(lambda: days_ago(300))
    expires_on = factory.LazyFunction(lambda: days_ago(-300))


class LicensedFactory(OrganizationFactory):
    """An organization whose license is in force."""

    license = factory.RelatedFactory(LicenseFactory, factory_related_name="organization")


PDF = (
    b"%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n"
    b"2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj\n"
    b"3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]>>endobj\ntrailer<</Root 1 0 R>>\n"
)
"""One empty page."""


class DocumentFactory(RegisterFactory):
    class Meta:
        model = Document

    organization = factory.SubFactory(OrganizationFactory)
    kind = Document.Kind.MERGER
    name = "articles-of-merger.pdf"
    media_type = "application/pdf"
    content = PDF
    cleaned = PDF
    cleaned_type = "application/pdf"
    sha256 = factory.Sequence(lambda n: f"{n:064x}")


class LetterFactory(RegisterFactory):
    class Meta:
        model = Letter

    organization = factory.SubFactory(OrganizationFactory)
    kind = "reminder"
    subject = "Your license ends soon"
    addressee = "Heron Lake Post\n1 Lake Road"
    paragraphs = [{"text": "Renew it by September 30.", "cite": "§ 10-64(a)"}]
    written_on = factory.LazyFunction(lambda: days_ago(3))
    signed_by = "Dana Price\nCounty clerk"


class SanctionFactory(RegisterFactory):
    class Meta:
        model = Sanction

    license = factory.SubFactory(LicenseFactory)
    starts_on = factory.LazyFunction(lambda: days_ago(5))
    reason = "records not kept"


class ExemptionFactory(RegisterFactory):
    class Meta:
        model = Exemption

    organization = factory.SubFactory(OrganizationFactory)
    basis = "501(c)(19)"


class AccountHolderFactory(RegisterFactory):
    class Meta:
        model = AccountHolder

    user = factory.SubFactory(UserFactory)
    organization = factory.SubFactory(LicensedFactory)
    starts_on = factory.LazyFunction(lambda: days_ago(100))


class PersonFactory(RegisterFactory):
    class Meta:
        model = Person

    full_name = factory.Sequence(lambda n: f"Worker Number{n}")
    born_on = date(1970, 1, 2)


class AddressFactory(RegisterFactory):
    class Meta:
        model = Address

    person = factory.SubFactory(PersonFactory)
    city = "Dade City"
    starts_on = factory.LazyFunction(lambda: days_ago(700))


class MembershipFactory(RegisterFactory):
    class Meta:
        model = Membership

    person = factory.SubFactory(PersonFactory)
    organization = factory.SubFactory(LicensedFactory)
    kind = "regular"
    starts_on = factory.LazyFunction(lambda: days_ago(31))
    name_stated = factory.LazyAttribute(lambda row: row.person.full_name)
    born_on_stated = factory.LazyAttribute(lambda row: row.person.born_on)
    is_adult_stated = True
    is_resident_stated = True
    attested_on = factory.LazyFunction(timezone.localdate)
    attested_by = "Ada Reyes"


class ActivityFactory(RegisterFactory):
    class Meta:
        model = Activity

    person = factory.SubFactory(PersonFactory)
    organization = factory.SubFactory(LicensedFactory)
    done_on = factory.LazyFunction(lambda: days_ago(10))
    kind = "food pantry"
    attested_on = factory.LazyFunction(timezone.localdate)
    attested_by = "Ada Reyes"


class WorkerFactory(MembershipFactory):
    """A member who may be approved today."""

    @factory.post_generation
    def activity(self: Any, create: bool, extracted: Any, **_kwargs: Any) -> None:  # noqa: FBT001
        if extracted is not False:
            ActivityFactory(person=self.person, organization=self.organization)


class SuspensionFactory(RegisterFactory):
    class Meta:
        model = Suspension

    starts_on = factory.LazyFunction(lambda: days_ago(3))


class AssignmentFactory(RegisterFactory):
    """An approval as the register would have granted it; its license is the organization's."""

    class Meta:
        model = Assignment

    person = factory.SubFactory(PersonFactory)
    organization = factory.SubFactory(LicensedFactory)
    license = factory.LazyAttribute(lambda row: row.organization.licenses.first())
    duties = ["caller"]
    eligible_on = factory.LazyAttribute(lambda row: row.starts_on)
    starts_on = factory.LazyFunction(timezone.localdate)
    ends_on = factory.LazyAttribute(lambda row: row.license.expires_on)


class DeterminationFactory(RegisterFactory):
    """A board that decided for the person."""

    class Meta:
        model = Determination

    person = factory.SubFactory(PersonFactory)
    organization = factory.SubFactory(LicensedFactory)
    rule = "tenure"
    is_met = True
    decided_by = Determination.By.BOARD
    decided_on = factory.LazyFunction(lambda: days_ago(2))
    reference = "Resolution 26-114"
    starts_on = factory.LazyFunction(lambda: days_ago(1))


class NameTagFactory(RegisterFactory):
    class Meta:
        model = NameTag

    assignment = factory.SubFactory(AssignmentFactory)
    number = factory.Sequence(lambda n: 900_000 + n)
    name = factory.LazyAttribute(lambda row: row.assignment.person.full_name)
    organization_name = factory.LazyAttribute(lambda row: row.assignment.organization.name)


class RosterFileFactory(RegisterFactory):
    class Meta:
        model = RosterFile

    organization = factory.SubFactory(LicensedFactory)
    name = "roster.csv"
    sha256 = factory.Sequence(lambda n: f"{n:064x}")
    content = b"Name,Joined\n"
    uploaded_by = factory.SubFactory(UserFactory)


class IrsFileFactory(RegisterFactory):
    class Meta:
        model = IrsFile

    kind = IrsFile.Kind.BMF
    name = factory.Sequence(lambda n: f"eo_{n}.csv")
    sha256 = factory.Sequence(lambda n: f"{n:064x}")
    file_date = date(2026, 11, 10)


class IrsOrganizationFactory(RegisterFactory):
    """A row of the master file; `row` is the whole line."""

    class Meta:
        model = IrsOrganization

    file = factory.SubFactory(IrsFileFactory)
    line = factory.Sequence(lambda n: n + 2)
    ein = "012345678"
    name = "MARSH LANTERN POST 42"
    row = factory.LazyAttribute(
        lambda made: (
            f"{made.ein},{made.name},,PO BOX 1,DADE CITY,FL,33525-0001,0000,19,3,1000,199001,1,00,"
            "000000000,1,01,202412,4,4,01,0,12,100000,50000,50000,W30,"
        )
    )


class LessorInterestFactory(RegisterFactory):
    class Meta:
        model = LessorInterest

    person = factory.SubFactory(PersonFactory)
    lessor = factory.SubFactory(OrganizationFactory)
    tie = "owner"
    starts_on = factory.LazyFunction(lambda: days_ago(50))


class ApplicationFactory(RegisterFactory):
    """An application for class A that was handed in today."""

    class Meta:
        model = Application

    organization = factory.SubFactory(OrganizationFactory)
    number = factory.Sequence(lambda n: f"F-2027-{n + 5000:04d}")
    license_class = "A"
    kind = "new"
    status = "submitted"
    since = factory.LazyFunction(timezone.now)
    presented_on = factory.LazyFunction(timezone.localdate)


class StatementFactory(RegisterFactory):
    class Meta:
        model = Statement

    application = factory.SubFactory(ApplicationFactory)
    full_name = factory.Sequence(lambda n: f"Officer {n}")
    capacity = "President"


class QueryFactory(RegisterFactory):
    """A question of the county about an application."""

    class Meta:
        model = Query

    application = factory.SubFactory(ApplicationFactory)
    reason = "unclear"
    asked_by = factory.SubFactory(UserFactory)


class ReceiptFactory(RegisterFactory):
    class Meta:
        model = Receipt

    application = factory.SubFactory(ApplicationFactory)
    number = factory.Sequence(lambda n: f"R-2027-{n + 5000:04d}")
    share = "full"
    amount = 75
    received_on = factory.LazyFunction(timezone.localdate)
    method = "check"


class DecisionFactory(RegisterFactory):
    """A suspension that was ordered today."""

    class Meta:
        model = Decision

    organization = factory.SelfAttribute("license.organization")
    license = factory.SubFactory(LicenseFactory)
    kind = "suspend"
    grounds = factory.LazyFunction(
        lambda: [{"code": "records", "cite": "§ 10-93(a)(1)f", "text": "No records.", "facts": "x"}]
    )
    reason = "No records were kept"
    decided_on = factory.LazyFunction(timezone.localdate)
    decided_by = factory.SubFactory(UserFactory)


class AppealFactory(RegisterFactory):
    class Meta:
        model = Appeal

    decision = factory.SubFactory(DecisionFactory)
    filed_on = factory.LazyFunction(timezone.localdate)


class OfficerFactory(RegisterFactory):
    class Meta:
        model = Officer

    organization = factory.SubFactory(OrganizationFactory)
    full_name = factory.Sequence(lambda n: f"Officer {n}")
    office = "President"
    signs_checks = True
    starts_on = factory.LazyFunction(lambda: days_ago(100))


class PremisesFactory(RegisterFactory):
    class Meta:
        model = Premises

    organization = factory.SubFactory(OrganizationFactory)
    name = factory.Sequence(lambda n: f"Hall {n}")
    street = "1 Lake Rd"
    city = "Dade City"
    basis = "owned"
    starts_on = factory.LazyFunction(lambda: days_ago(300))


class CertificateCopyFactory(RegisterFactory):
    class Meta:
        model = CertificateCopy

    license = factory.SubFactory(LicenseFactory)
    facts = factory.LazyFunction(dict)


class WorkItemFactory(RegisterFactory):
    class Meta:
        model = WorkItem

    kind = WorkItem.Kind.POSSIBLE_DOUBLE
    person = factory.SubFactory(PersonFactory)


class DifferentPeopleFactory(RegisterFactory):
    class Meta:
        model = DifferentPeople

    first = factory.SubFactory(PersonFactory)
    second = factory.SubFactory(PersonFactory)
    reason = "Father and son"
