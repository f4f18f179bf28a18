"""The renewal of a license: begun in its window, its workers asked about and approved anew."""

from __future__ import annotations

from datetime import date

import pytest
from django.urls import reverse

from licenses.applying import start_application
from licenses.models import Application, License
from registry.flows import decide_application
from registry.history import Act
from registry.worded import Mark
from tests.factories import (
    AccountHolderFactory,
    AssignmentFactory,
    LicensedFactory,
    LicenseFactory,
    OrganizationFactory,
    PersonFactory,
    RoleGrantFactory,
    UserFactory,
    WorkerFactory,
)
from tests.licenses.test_granting import GRANT, at, recommended
from volunteers.models import Assignment
from volunteers.renewing import HERE, LEFT, Stay, confirmed, workers_judged

pytestmark = pytest.mark.django_db
FIRST, LAST = date(2026, 12, 1), date(2027, 9, 30)


@pytest.fixture
def ada():
    """Who acts for a licensed charity."""
    with at(FIRST):
        holder = AccountHolderFactory(organization=OrganizationFactory(slug="heron"))
        LicenseFactory(
            organization=holder.organization,
            number="A-2027-0042",
            issued_on=FIRST,
            expires_on=LAST,
        )
        return holder


@pytest.fixture
def license_(ada) -> License:
    return ada.organization.licenses.get()


def approved(license_, **more) -> Assignment:
    """Somebody approved since January, to the end of the license."""
    with at(date(2027, 1, 5)):
        person = more.pop("person", None) or PersonFactory()
        WorkerFactory(organization=license_.organization, person=person)
        return AssignmentFactory(
            person=person,
            organization=license_.organization,
            license=license_,
            starts_on=date(2027, 1, 5),
            eligible_on=date(2027, 1, 5),
            ends_on=license_.expires_on,
            **more,
        )


def busy_elsewhere(license_) -> Assignment:
    """A worker who from October on conducts for two other organizations: the place is full."""
    worker = approved(license_)
    for _body in range(2):
        body = LicensedFactory()
        other = LicenseFactory(
            organization=body, license_class="B", issued_on=FIRST, expires_on=date(2028, 9, 30)
        )
        AssignmentFactory(
            person=worker.person,
            organization=body,
            license=other,
            starts_on=date(2027, 10, 1),
            eligible_on=date(2027, 10, 1),
            ends_on=date(2028, 9, 30),
        )
    return worker


def renewal(ada, license_) -> Application:
    return start_application(ada.user, ada.organization, license_class="A", prior=license_)


def page_of(application: Application) -> str:
    return reverse("application_workers", args=["heron", application.number])


RENEW = "/organizations/heron/licenses/A-2027-0042/renew/"


def test_too_early_it_says_from_when_and_begins_nothing(client, ada, license_):
    with at(date(2027, 7, 1)):
        client.force_login(ada.user)
        shown = client.get(RENEW)
        refused = client.post(RENEW)

    assert "can be renewed from Jul 2, 2027 on" in shown.content.decode()
    assert "Begin the renewal" not in shown.content.decode()
    assert refused.status_code == 409
    assert not Application.objects.exists()


def test_in_its_window_the_organizations_page_leads_to_one_renewal(client, ada, license_):
    with at(date(2027, 7, 2)):
        client.force_login(ada.user)
        link = client.get("/organizations/heron/").context["renewals"][0]
        shown = client.get(link.url).content.decode()
        answers = [client.post(link.url).status_code for _press in range(2)]

        assert (link.url, answers) == (RENEW, [302, 302])
        assert "the new term begins on Oct 1, 2027" in shown
        assert Application.objects.get().prior == license_
        assert client.get("/organizations/heron/").context["renewals"] == []


def test_of_each_worker_it_asks_here_or_left_and_keeps_it_any_time(client, ada, license_):
    here, left, unsaid = (approved(license_) for _one in range(3))
    with at(date(2027, 8, 1)):
        client.force_login(ada.user)
        application = renewal(ada, license_)
        page = page_of(application)
        typed = {f"stay_{here.pk}": "here", f"left_{left.pk}": "7/15/2027"}

        assert client.post(page, typed).status_code == 302

        assert confirmed(application) == {
            here.pk: Stay(HERE),
            left.pk: Stay(LEFT, date(2027, 7, 15)),
        }
        form = client.get(page).context["form"]
        again = {name: form[name].value() or "" for name in form.fields if name != "token"}
        assert client.post(page, again | {"everyone": "here"}).status_code == 302
        assert confirmed(application)[unsaid.pk] == Stay(HERE)
        assert confirmed(application)[left.pk].answer == LEFT
        assert client.post(page, {f"left_{here.pk}": "9/1/2027"}).status_code == 422


def test_it_shows_who_would_be_cleared_on_the_first_day_and_why_not(client, ada, license_):
    fine, busy = approved(license_), busy_elsewhere(license_)
    with at(date(2027, 8, 1)):
        client.force_login(ada.user)
        response = client.get(page_of(renewal(ada, license_)))

    rows = {row["stay"].name: row for row in response.context["rows"]}
    assert response.context["first"] == date(2027, 10, 1)
    assert rows[f"stay_{fine.pk}"]["mark"] == Mark.CLEARED
    assert rows[f"stay_{busy.pk}"]["mark"] == Mark.NOT_CLEARED
    assert "2027" in response.content.decode()
    for elsewhere in Assignment.objects.exclude(organization=ada.organization):
        assert elsewhere.organization.name not in response.content.decode()


@pytest.mark.parametrize("count", [1, 3])
def test_looking_ahead_takes_the_same_few_queries_for_many(
    ada, license_, count, django_assert_max_num_queries
):
    for _one in range(count):
        approved(license_)
    with at(date(2027, 8, 1)):
        application = renewal(ada, license_)

        with django_assert_max_num_queries(25):
            _first, workers = workers_judged(application, date(2027, 8, 1))

    assert len(workers) == count


@pytest.mark.parametrize(
    ("handed_in", "decided", "first"),
    [
        (date(2027, 8, 1), date(2027, 8, 20), date(2027, 10, 1)),
        (date(2027, 9, 30), date(2027, 11, 5), date(2027, 11, 5)),
    ],
)
def test_end_to_end_the_workers_come_over_in_one_judged_step(
    client, ada, license_, handed_in, decided, first
):
    """Early no day is lost; late the license before went on until the decision."""
    fine, busy, left = approved(license_), busy_elsewhere(license_), approved(license_)
    clerk, ivan, adam = (
        RoleGrantFactory(role=role).user for role in ("clerk", "investigator", "administrator")
    )
    with at(handed_in):
        client.force_login(ada.user)
        application = recommended(ada, clerk, ivan, prior=license_)
        sent = {f"stay_{left.pk}": "left", "everyone": "here"}
        assert client.post(page_of(application), sent).status_code == 302
    with at(decided):
        ahead = {one.approval: one.allows for one in workers_judged(application, decided)[1]}
        decide_application(adam, application, GRANT)
        client.force_login(ada.user)
        shown = client.get(page_of(application)).context["outcomes"]

    new = License.objects.get(application=application)
    assert (new.issued_on, new.expires_on) == (first, date(2028, 9, 30))
    made = Assignment.objects.filter(license=new)
    assert [(row.person, row.starts_on, row.ends_on) for row in made] == [
        (fine.person, first, date(2028, 9, 30))
    ]
    fine.refresh_from_db()
    assert fine.ends_on == first - (date(2027, 10, 1) - LAST)
    assert ahead == {fine: True, busy: False, left: True}
    told = {one.approval: (one.anew is not None, one.why) for _name, one in shown}
    assert told[fine] == (True, "")
    assert told[left] == (False, "Left the organization.")
    assert told[busy][0] is False
    assert "§ 10-63(10)" in told[busy][1]
    assert Act.objects.filter(verb="workers.confirmed").count() == 1


def test_an_application_that_renews_nothing_asks_about_nobody(client, ada):
    with at(date(2027, 8, 1)):
        client.force_login(ada.user)
        application = start_application(ada.user, ada.organization, license_class="B")
        response = client.get(page_of(application))
        again = client.post(page_of(application))

    assert "Only a renewal asks" in response.content.decode()
    assert again.status_code == 409
    assert not application.steps.exists()


def test_a_stranger_finds_neither_page(client, ada, license_):
    with at(date(2027, 8, 1)):
        application = renewal(ada, license_)
        client.force_login(AccountHolderFactory(user=UserFactory()).user)

        answers = [client.get(page).status_code for page in (RENEW, page_of(application))]

    assert answers == [404, 404]
