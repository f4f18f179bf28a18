"""The generic pages, as a browser meets them."""

import csv
import io
import re
from uuid import uuid4

import django_filters
import django_tables2
import pytest
from allauth.account.models import EmailAddress
from django import forms
from django.contrib.auth.models import AnonymousUser
from django.core.exceptions import ImproperlyConfigured, ValidationError
from django.http import Http404
from django.template.loader import render_to_string
from django.test import Client, RequestFactory
from django.urls import include, path
from django.utils.translation import ngettext_lazy

from registry import selectors
from registry.access import BadInput, Capability, Refused
from registry.accounts import account_urls
from registry.fields import Choice, NameField
from registry.forms import RegisterForm
from registry.frame import navigation
from registry.generic import (
    ActView,
    DetailView,
    LookupView,
    PageView,
    PdfView,
    TableView,
    pdf_response,
)
from registry.history import Act, acting
from registry.models import Organization
from registry.tables import Link, RegisterFilterSet, RegisterTable
from registry.worded import Mark, WordedRuling
from tests.factories import (
    AccountHolderFactory,
    OrganizationFactory,
    RoleGrantFactory,
    UserFactory,
)

pytestmark = [pytest.mark.django_db, pytest.mark.urls(__name__)]


class Filters(RegisterFilterSet):
    kind = django_filters.ChoiceFilter(choices=Organization.Kind.choices, label="Kind")

    class Meta:
        model = Organization
        fields = []


class Organizations(RegisterTable):
    caption = ngettext_lazy("%(shown)s organization", "%(shown)s organizations", "count")

    name = django_tables2.Column("Name")


class Listed(TableView):
    capability = Capability.SEE_REGISTER
    title = "Organizations"
    table_class = Organizations
    filterset_class = Filters
    switch = "kind"
    per_page = 2
    export_name = "organizations"

    def rows(self):
        return selectors.organizations(self.request.user)

    def acts(self):
        return [Link("Enter an organization", "/new/")]

    def about(self):
        return "All bodies of the county."


class Overview(DetailView):
    capability = Capability.SEE_OWN

    def find(self):
        return self.organization

    def standing(self):
        return "Licensed to Sep 30, 2027."

    def acts(self):
        return [Link("Print tags", "tags/"), Link("End it", "end/", kind="danger")]


class NoteForm(RegisterForm):
    name = NameField(label="Name")
    outcome = forms.ChoiceField(
        choices=[(c, c) for c in ("done", "refused", "bad", "bad-elsewhere", "invalid")]
    )


class Note(ActView):
    capability = Capability.KEEP_ROSTER
    title = "Write a note"
    form_class = NoteForm
    verb = "Keep the note"
    done_message = "Kept."

    def act(self, form):
        outcome = form.cleaned_data["outcome"]
        if outcome == "refused":
            raise Refused("The office is closed.")
        if outcome == "invalid":
            raise ValidationError("The two do not go together.")
        if outcome.startswith("bad"):
            field = "name" if outcome == "bad" else "elsewhere"
            raise BadInput(field, "“X” is taken: choose another name.")
        with acting(self.request.user, "note.kept", organization=self.organization) as act:
            return act

    def success_url(self, result):
        return f"/organizations/{self.organization.slug}/"


class Careful(Note):
    asks_first = True
    is_dangerous = True

    def preview(self, form):
        return {"consequences": [f"{form.cleaned_data['name']} is written down."]}


class Live(Note):
    is_live = True

    def preview(self, form):
        name = form.cleaned_data["name"]
        return {"ruling": WordedRuling(Mark.CLEARED, f"Cleared: {name}")}


class Paper(PdfView):
    capability = Capability.PRINT_TAGS
    filename = "tags für alle.pdf"

    def document(self):
        return b"%PDF-1.7"


class Found(LookupView):
    def choices(self, text):
        return [Choice(f"K{n}", f"{text} {n}", "note") for n in range(20)]


class Open(PageView):
    capability = Capability.PUBLIC
    template_name = "registry/home_public.html"

    def get(self, request):
        return self.page()


urlpatterns = [
    *account_urls,
    path("accounts/", include("allauth.urls")),
    path("i18n/", include("django.conf.urls.i18n")),
    path("", Open.as_view(), name="home"),
    path("organizations/", Listed.as_view(), name="organization_list"),
    path("organizations/<slug:slug>/", Overview.as_view(), name="organization_detail"),
    path("organizations/<slug:slug>/note/", Note.as_view(), name="membership_list"),
    path("organizations/<slug:slug>/careful/", Careful.as_view()),
    path("organizations/<slug:slug>/live/", Live.as_view()),
    path("organizations/<slug:slug>/tags.pdf", Paper.as_view()),
    path("found/", Found.as_view()),
    path("search/", Listed.as_view(), name="search"),
]


@pytest.fixture
def post():
    return OrganizationFactory(name="Marsh Lantern Post 1", slug="marsh-lantern")


@pytest.fixture
def ada(client, post):
    """Account holder of the post, signed in."""
    holder = AccountHolderFactory(organization=post, user=UserFactory(name="Ada Reyes"))
    client.force_login(holder.user)
    return holder.user


@pytest.fixture
def cleo(client, settings):
    """A clerk, signed in."""
    settings.REQUIRE_SECOND_FACTOR = False
    grant = RoleGrantFactory(user=UserFactory(name="Cleo Park"))
    client.force_login(grant.user)
    return grant.user


def note(**changes):
    return {"name": "Pat", "outcome": "done", "token": str(uuid4())} | changes


def text_of(response):
    return " ".join(re.sub(r"<[^>]+>", " ", response.content.decode()).split())


def test_a_view_without_a_capability_does_not_start():
    class Nameless(PageView):
        pass

    with pytest.raises(ImproperlyConfigured, match="Nameless names no capability"):
        Nameless.as_view()


def test_only_public_pages_are_open_without_a_login(client, post):
    answers = {
        address: client.get(address).status_code
        for address in ("/", "/organizations/", "/organizations/marsh-lantern/", "/found/")
    }

    assert answers == {
        "/": 200,
        "/organizations/": 302,
        "/organizations/marsh-lantern/": 302,
        "/found/": 302,
    }


def test_another_organization_is_not_there_and_an_act_above_ones_role_is_refused(client, ada):
    OrganizationFactory(name="Elks 2", slug="elks")

    answers = [
        client.get(address).status_code
        for address in (
            "/organizations/marsh-lantern/",
            "/organizations/elks/",
            "/organizations/nobody/",
            "/organizations/",
        )
    ]

    assert answers == [200, 404, 404, 403]


def test_personal_pages_are_kept_by_no_cache(client, ada):
    assert "no-store" in client.get("/organizations/marsh-lantern/")["Cache-Control"]
    assert "Cache-Control" not in client.get("/")


def test_a_list_shows_its_sentence_its_acts_and_its_first_page(client, cleo):
    for number in range(3):
        OrganizationFactory(name=f"Post {number}")

    text = text_of(client.get("/organizations/"))

    assert "All bodies of the county." in text
    assert "Enter an organization" in text
    assert "3 organizations" in text
    assert "Page 1 of 2" in text
    assert [name for name in ("Post 0", "Post 1", "Post 2") if name in text] == ["Post 0", "Post 1"]


@pytest.mark.parametrize("query", ["page=x", "page=99", "page=-1", "sort=nothing", "per_page=999"])
def test_a_mistyped_address_shows_the_list_all_the_same(client, cleo, query):
    for number in range(3):
        OrganizationFactory(name=f"Post {number}")

    response = client.get(f"/organizations/?{query}")

    assert response.status_code == 200
    assert response.content.decode().count('<th scope="row"') == 2


def test_filters_stay_in_the_address_through_sorting_and_saving(client, cleo):
    OrganizationFactory(kind=Organization.Kind.CHARITABLE)
    OrganizationFactory(kind=Organization.Kind.OTHER)

    html = client.get("/organizations/?kind=other").content.decode()

    assert 'href="?kind=other&amp;sort=name"' in html
    assert 'href="?kind=other&amp;export=csv"' in html
    assert "1 organization<" in html


def test_the_file_has_all_pages_of_what_is_filtered(client, cleo):
    names = sorted(OrganizationFactory(kind=Organization.Kind.OTHER).name for _n in range(3))
    OrganizationFactory(kind=Organization.Kind.CHARITABLE)

    response = client.get("/organizations/?kind=other&page=2&export=csv")
    text = b"".join(response.streaming_content).decode().removeprefix("\ufeff")

    assert [row[0] for row in csv.reader(io.StringIO(text))] == ["Name", *names]
    assert response["Content-Disposition"] == 'attachment; filename="organizations.csv"'
    assert list(Act.objects.filter(verb="list.downloaded").values_list("by", "data")) == [
        (cleo.pk, {"list": "organizations", "query": "kind=other&page=2&export=csv"})
    ]


@pytest.mark.parametrize("count", [1, 3])
def test_a_list_asks_as_often_for_three_rows_as_for_one(
    client, cleo, count, django_assert_num_queries
):
    for _n in range(count):
        OrganizationFactory()
    client.get("/organizations/")

    with django_assert_num_queries(6):
        client.get("/organizations/")


def test_a_thing_says_how_it_stands_before_anything_else(client, ada):
    html = client.get("/organizations/marsh-lantern/").content.decode()

    assert "<h1><bdi>Marsh Lantern Post 1</bdi></h1>" in html
    assert html.index("Licensed to Sep 30, 2027.") < html.index("Print tags")
    assert "button--danger" in html


def test_an_act_is_done_once_and_said(client, ada):
    response = client.post("/organizations/marsh-lantern/note/", note(), follow=True)

    assert response.redirect_chain == [("/organizations/marsh-lantern/", 302)]
    assert "Kept." in text_of(response)
    assert Act.objects.filter(verb="note.kept").count() == 1


def test_a_second_press_finds_the_first(client, ada):
    sent = note()
    client.post("/organizations/marsh-lantern/note/", sent)

    response = client.post("/organizations/marsh-lantern/note/", sent, follow=True)

    assert response.redirect_chain == [("/organizations/marsh-lantern/", 302)]
    assert "This was already done the first time you pressed." in text_of(response)
    assert Act.objects.filter(verb="note.kept").count() == 1


def test_a_mistake_comes_back_with_the_words_typed_and_nothing_is_done(client, ada):
    response = client.post(
        "/organizations/marsh-lantern/note/", note(name="Pat 078-05-1120", outcome="no")
    )

    assert response.status_code == 422
    assert 'value="Pat 078-05-1120"' in response.content.decode()
    assert "2 things to correct" in text_of(response)
    assert not Act.objects.filter(verb="note.kept").exists()


@pytest.mark.parametrize(
    ("outcome", "status", "errors"),
    [
        ("bad", 422, {"name": ["“X” is taken: choose another name."]}),
        ("bad-elsewhere", 422, {"__all__": ["“X” is taken: choose another name."]}),
        ("invalid", 422, {"__all__": ["The two do not go together."]}),
        ("refused", 409, {}),
    ],
)
def test_what_the_service_says_no_to_is_shown_on_the_form(client, ada, outcome, status, errors):
    response = client.post("/organizations/marsh-lantern/note/", note(outcome=outcome))

    assert response.status_code == status
    assert response.context["form"].errors == errors


def test_a_refusal_says_why(client, ada):
    response = client.post("/organizations/marsh-lantern/note/", note(outcome="refused"))

    assert "This cannot be done" in text_of(response)
    assert "The office is closed." in text_of(response)


def test_a_careful_act_shows_first_what_would_happen(client, ada):
    sent = note()

    asked = client.post("/organizations/marsh-lantern/careful/", sent)
    again = dict(re.findall(r'type="hidden" name="(\w+)" value="([^"]*)"', asked.content.decode()))
    before = Act.objects.filter(verb="note.kept").count()
    client.post("/organizations/marsh-lantern/careful/", again | {"confirmed": "1"})

    assert "Pat is written down." in text_of(asked)
    assert sent.items() <= again.items()
    assert (before, Act.objects.filter(verb="note.kept").count()) == (0, 1)


def test_a_live_preview_follows_without_doing_anything(client, ada):
    shown = client.post("/organizations/marsh-lantern/live/?live", note(name="Zoë"))
    wrong = client.post("/organizations/marsh-lantern/live/?live", note(name=""))

    assert "Cleared: Zoë" in text_of(shown)
    assert "<html" not in shown.content.decode()
    assert (wrong.status_code, wrong.content) == (200, b"")
    assert not Act.objects.filter(verb="note.kept").exists()


def test_an_act_by_a_stranger_is_not_there(client, ada):
    OrganizationFactory(slug="elks")

    assert client.post("/organizations/elks/note/", note()).status_code == 404
    assert not Act.objects.filter(verb="note.kept").exists()


def test_a_paper_opens_in_the_browser_under_its_name(client, ada):
    response = client.get("/organizations/marsh-lantern/tags.pdf")

    assert (response.content, response["Content-Type"]) == (b"%PDF-1.7", "application/pdf")
    assert response["Content-Disposition"].startswith("inline; filename*=utf-8''tags%20f")
    assert "no-store" in response["Cache-Control"]
    assert pdf_response(b"", "a.pdf")["Content-Disposition"] == 'inline; filename="a.pdf"'


def test_a_type_ahead_offers_ten_and_nothing_for_nothing(client, ada):
    typed = client.get("/found/?person=<b>", headers={"HX-Trigger-Name": "person"})
    empty = client.get("/found/?person=+", headers={"HX-Trigger-Name": "person"})

    assert re.findall(r'data-key="(\w+)"', typed.content.decode()) == [f"K{n}" for n in range(10)]
    assert "<b>" not in typed.content.decode()
    assert empty.content.strip() == b""


def test_the_frame_says_who_acts_for_whom(client, ada):
    text = text_of(client.get("/organizations/marsh-lantern/"))

    assert "Ada Reyes for Marsh Lantern Post 1" in text
    assert "Sign out" in text


def test_the_navigation_is_the_roles(client, ada, cleo, post):
    def labels(user, organization=None):
        request = RequestFactory().get("/organizations/marsh-lantern/note/")
        request.user = user
        if organization:
            request.organization = organization
        return [(link.label, link.is_current) for link in navigation(request)]

    assert labels(AnonymousUser()) == [("Home", False)]
    assert labels(ada, post) == [("Overview", False), ("People", True)]
    assert labels(ada) == [("Overview", False), ("People", True)]
    assert labels(cleo) == [("Home", False), ("Organizations", True)]
    assert labels(UserFactory()) == [("Home", False)]


def test_a_page_that_is_not_there_helps_on(client, ada):
    response = client.get("/nothing/here/")

    assert response.status_code == 404
    assert "There is nothing at this address" in text_of(response)


def test_a_refused_page_says_what_the_role_lacks(client, ada):
    assert "Your role does not include this: see the register." in text_of(
        client.get("/organizations/")
    )


def test_no_page_needs_an_inline_script_or_style(client, ada):
    pages = [client.get(a).content.decode() for a in ("/", "/organizations/marsh-lantern/note/")]

    assert all(
        re.findall(r"<script(?![^>]*\bsrc=)|<style| style=|\son\w+=", p) == [] for p in pages
    )


@pytest.mark.parametrize(
    "address",
    [
        "/accounts/login/",
        "/accounts/signup/",
        "/accounts/password/reset/",
        "/accounts/password/reset/done/",
        "/accounts/password/reset/key/done/",
        "/accounts/confirm-email/",
        "/accounts/confirm-email/unknown/",
        "/accounts/inactive/",
    ],
)
def test_the_pages_of_signing_in_wear_the_frame(client, address):
    html = client.get(address).content.decode()

    assert 'class="entrance"' in html
    assert html.count("<h1") == 1


def test_a_page_left_open_too_long_asks_to_send_again(ada):
    strict = Client(enforce_csrf_checks=True)
    strict.force_login(ada)

    response = strict.post("/organizations/marsh-lantern/note/", note())

    assert response.status_code == 403
    assert "Please send it again" in text_of(response)
    assert not Act.objects.filter(verb="note.kept").exists()


@pytest.mark.parametrize("name", ["400.html", "500.html"])
def test_the_pages_for_bad_days_need_nothing(name, django_assert_num_queries):
    with django_assert_num_queries(0):
        html = render_to_string(name)

    assert html.count("<h1>") == 1
    assert html.count('class="lead"') == 1


def test_letters_about_an_account_are_short_and_hold_the_link(client, mailoutbox):
    user = UserFactory(email="ada@example.org")
    with acting(user, "test.address"):
        EmailAddress.objects.create(user=user, email=user.email, verified=True, primary=True)

    for address in ("ada@example.org", "nobody@example.org"):
        client.post("/accounts/password/reset/", {"email": address})

    letters = {mail.to[0]: mail for mail in mailoutbox}
    assert {to: mail.subject for to, mail in letters.items()} == {
        "ada@example.org": "Choose a new password",
        "nobody@example.org": "No account with this address",
    }
    assert "/accounts/password/reset/key/" in letters["ada@example.org"].body
    assert "/accounts/signup/" in letters["nobody@example.org"].body
    assert all(len(mail.body.split()) < 60 for mail in letters.values())


def test_find_may_answer_that_it_is_not_there(client, ada, monkeypatch):
    def missing(_self):
        raise Http404

    monkeypatch.setattr(Overview, "find", missing)

    assert client.get("/organizations/marsh-lantern/").status_code == 404
