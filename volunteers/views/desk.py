"""The eligibility desk: may she work for X on Saturday?"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django import forms
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.urls import URLPattern, path, reverse
from django.utils import timezone
from django.utils.dateparse import parse_date
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from registry.access import Anyone, Capability, is_regulator
from registry.fields import Choice, DateField, Lookup, LookupField
from registry.forms import RegisterForm
from registry.generic import ActView, LookupView, PageView
from registry.models import Organization, Person
from registry.ruleset import TextUnknown, in_force
from registry.selectors import (
    find_organizations,
    find_people,
    organization_for,
    organizations,
    people,
    person_for,
)
from registry.verdicts import Ruling
from volunteers.asking import save_answer
from volunteers.lookups import membership_on, own_people
from volunteers.selectors import Asked, ruling_for
from volunteers.words.page import worded
from volunteers.words.shown import long_day


def person_choices(user: Anyone, text: str) -> list[Choice]:
    """Persons for a regulator's type-ahead, told apart by their number."""
    return [Choice(row.number, row.full_name, row.number) for row in find_people(user, text)]


def own_choices(user: Anyone, organization: Organization, text: str) -> list[Choice]:
    """People of the organization's own roster: nobody else is there for it."""
    rows = own_people(user, organization, text)
    return [Choice(row.number, row.full_name, row.number) for row in rows]


class DeskForm(RegisterForm):
    """Three fields; the address is the question."""

    person = LookupField(label=gettext_lazy("May"))
    organization = LookupField(label=gettext_lazy("conduct bingo for"))
    on = DateField(label=gettext_lazy("on"))

    field_order = ("person", "organization", "on")

    def prepare(self) -> None:
        """Bind both type-aheads to what the user may see."""
        del self.fields["token"]
        everyone = people(self.by)
        self._person().use(
            Lookup(
                search=lambda text: person_choices(self.by, text),
                find=lambda key: everyone.filter(number=key.upper()).first(),
                url=reverse("person_lookup"),
            ),
            label_of=lambda key: _name(everyone.filter(number=key.upper()).first()),
        )
        bodies = organizations(self.by)
        self._organization().use(
            Lookup(
                search=lambda text: [
                    Choice(row.slug, row.name, row.city)
                    for row in find_organizations(self.by, text)
                ],
                find=lambda key: bodies.filter(slug=key).first(),
                url=reverse("organization_lookup"),
            ),
            label_of=lambda key: _name(bodies.filter(slug=key).first()),
        )

    def _person(self) -> LookupField:
        field = self.fields["person"]
        assert isinstance(field, LookupField)  # noqa: S101 - declared above
        return field

    def _organization(self) -> LookupField:
        field = self.fields["organization"]
        assert isinstance(field, LookupField)  # noqa: S101 - declared above
        return field


class OwnDeskForm(DeskForm):
    """The same for an organization: about its own people, at its own games."""

    def prepare(self) -> None:
        """Bind the type-ahead to the organization's own roster."""
        del self.fields["token"], self.fields["organization"]
        mine = own_people(self.by, self.organization)
        self._person().use(
            Lookup(
                search=lambda text: own_choices(self.by, self.organization, text),
                find=lambda key: mine.filter(number=key.upper()).first(),
                url=reverse("own_person_lookup", args=[self.organization.slug]),
            ),
            label_of=lambda key: _name(mine.filter(number=key.upper()).first()),
        )


def _name(row: Person | Organization | None) -> str:
    return str(row) if row else ""


class Desk(PageView):
    """Question and answer on one page, for regulators about anybody."""

    capability = Capability.SEE_REGISTER
    template_name = "volunteers/desk.html"
    title = gettext_lazy("May they work?")
    form_class: type[DeskForm] = DeskForm

    def get(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        """The three fields, and the answer once they are filled in."""
        asked = request.GET if {"on", "person", "person_key"} & set(request.GET) else None
        form = self.form_class(
            asked,
            by=request.user,
            organization=self.organization,
            initial={"on": timezone.localdate()},
        )
        if asked is None or not form.is_valid():
            return self.page({"form": form})
        return self.page({"form": form, **self.answer(form.cleaned_data)})

    def answer(self, asked: dict[str, Any]) -> dict[str, Any]:
        """The ruling in words, or the sentence why the day cannot be judged."""
        organization = self.organization or asked["organization"]
        person, on = asked["person"], asked["on"]
        try:
            ruling = ruling_for(person, Asked(organization, on))
            law = in_force(on)
        except TextUnknown as unknown:
            return {"unknown": str(unknown)}
        county = is_regulator(self.request.user)
        return {
            "ruling": worded(ruling, law, county=county),
            "person": person,
            "asked_organization": organization,
            "on": on,
            "approve": self._approve(person, organization, ruling, county=county),
        }

    def _approve(
        self, person: Person, organization: Organization, ruling: Ruling, *, county: bool
    ) -> dict[str, Any] | None:
        """The way to an approval from the first lawful day, where the person is on the roster."""
        day = (ruling if county else ruling.for_organization()).eligible_on
        if day is None or day < timezone.localdate():
            return None
        membership = membership_on(self.request.user, organization, person, day)
        return {"day": day, "membership": membership} if membership else None


class OwnDesk(Desk):
    """The desk of an organization: its own people, its own games."""

    capability = Capability.ASK
    form_class = OwnDeskForm


class AnswerForm(RegisterForm):
    """Who was told, so that the county can stand by its answer."""

    caller = forms.CharField(label=gettext_lazy("Caller's name"), max_length=200)
    telephone = forms.CharField(
        label=gettext_lazy("Telephone number"), max_length=60, required=False
    )


class SaveAnswer(ActView):
    """Keep an answer given at the desk with the caller's name and number."""

    capability = Capability.SEE_REGISTER
    title = gettext_lazy("Save this answer")
    verb = gettext_lazy("Save the answer given")
    form_class = AnswerForm
    done_message = gettext_lazy("The answer is in the history of the person.")
    organization_kwarg = None

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        """Find person, organization and day of the address."""
        if is_regulator(request.user):
            self.person = person_for(request.user, kwargs["number"])
            self.asked = organization_for(request.user, kwargs["asked"])
            self.on = parse_date(kwargs["on"]) or timezone.localdate()
        return super().dispatch(request, *args, **kwargs)

    @property
    def about(self) -> str:
        """The question the answer is about."""
        return _("%(person)s for %(organization)s on %(day)s.") % {
            "person": self.person,
            "organization": self.asked,
            "day": long_day(self.on),
        }

    def act(self, form: RegisterForm) -> Any:
        """Judge once more and keep the answer."""
        return save_answer(
            self.request.user,  # type: ignore[arg-type]
            self.person,
            Asked(self.asked, self.on),
            caller=form.cleaned_data["caller"],
            telephone=form.cleaned_data["telephone"],
        )

    def success_url(self, result: Any) -> str:
        """Back to the question."""
        query = f"person_key={self.person.number}&organization_key={self.asked.slug}"
        return f"{reverse('desk')}?{query}&on={self.on.isoformat()}"


class PersonLookup(LookupView):
    """Persons, for regulators."""

    capability = Capability.SEE_REGISTER

    def choices(self, text: str) -> Sequence[Choice]:
        """What fits what was typed."""
        return person_choices(self.request.user, text)


class OwnPersonLookup(LookupView):
    """People of the organization's own roster."""

    capability = Capability.SEE_OWN

    def choices(self, text: str) -> Sequence[Choice]:
        """What fits what was typed, on this roster only."""
        assert self.organization is not None  # noqa: S101 - the address names it
        return own_choices(self.request.user, self.organization, text)


class OrganizationLookup(LookupView):
    """Organizations the user may see."""

    def choices(self, text: str) -> Sequence[Choice]:
        """What fits what was typed."""
        rows = find_organizations(self.request.user, text)
        return [Choice(row.slug, row.name, row.city) for row in rows]


urls: list[URLPattern] = [
    path("desk/", Desk.as_view(), name="desk"),
    path("desk/<str:number>/<slug:asked>/<str:on>/save/", SaveAnswer.as_view(), name="answer_save"),
    path("organizations/<slug:slug>/desk/", OwnDesk.as_view(), name="organization_desk"),
    path("lookup/people/", PersonLookup.as_view(), name="person_lookup"),
    path("lookup/organizations/", OrganizationLookup.as_view(), name="organization_lookup"),
    path(
        "organizations/<slug:slug>/lookup/people/",
        OwnPersonLookup.as_view(),
        name="own_person_lookup",
    ),
]
