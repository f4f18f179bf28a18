"""The eligibility desk: may she work for X on Saturday?"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from typing import Any
from urllib.parse import urlencode

from django import forms
from django.http import Http404, HttpRequest, QueryDict
from django.http.response import HttpResponseBase
from django.urls import URLPattern, path, reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from registry.access import Anyone, Capability, can, is_regulator
from registry.fields import Choice, DateField, Lookup, LookupField
from registry.forms import RegisterForm
from registry.generic import LookupView, PageView
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
from registry.tables import Link
from registry.templatetags.register import number_day
from registry.views.parties import ActOn
from volunteers.asking import save_answer
from volunteers.lookups import answer_for, membership_on, own_line, own_lines
from volunteers.models import Membership
from volunteers.rosters import name_for
from volunteers.selectors import Asked
from volunteers.words.page import worded
from volunteers.words.shown import long_day


def person_choices(user: Anyone, text: str) -> list[Choice]:
    """Persons for a regulator's type-ahead, told apart by their number."""
    return [Choice(row.number, row.full_name, row.number) for row in find_people(user, text)]


def own_choices(user: Anyone, organization: Organization, text: str) -> list[Choice]:
    """People of the organization's own roster, by the name it stated: nobody else is there."""
    found = {}
    for line in own_lines(user, organization, text):
        number = line.person.number
        found[number] = Choice(number, name_for(user, line), number)
    return list(found.values())


class DeskForm(RegisterForm):
    """Three fields; the address is the question."""

    person = LookupField(label=gettext_lazy("May"))
    organization = LookupField(label=gettext_lazy("conduct bingo for"))
    on = DateField(label=gettext_lazy("on"), help_text="")

    field_order = ("person", "organization", "on")

    def prepare(self) -> None:
        """Bind both type-aheads to what the user may see."""
        del self.fields["token"]
        self._bind_person()
        self._bind_organization()

    def _bind_person(self) -> None:
        everyone = people(self.by)
        _lookup(self, "person").use(
            Lookup(
                search=lambda text: person_choices(self.by, text),
                find=lambda key: everyone.filter(number=key.upper()).first(),
                url=reverse("person_lookup"),
            ),
            label_of=lambda key: str(everyone.filter(number=key.upper()).first() or ""),
        )

    def _bind_organization(self) -> None:
        bodies = organizations(self.by)
        _lookup(self, "organization").use(
            Lookup(
                search=lambda text: organization_choices(self.by, text),
                find=lambda key: bodies.filter(slug=key).first(),
                url=reverse("organization_lookup"),
            ),
            label_of=lambda key: str(bodies.filter(slug=key).first() or ""),
        )

    def offers(self) -> list[tuple[Any, str, list[Link]]]:
        """Each field that was filled in but not understood: its sentence, and links that mean one.

        For the answer's place on the page, where the form itself stays as it is.
        """
        filled = [self[name] for name in self.fields if any(_sent(self, name))]
        return [
            (field, str(field.errors[0]), _links(self, field.name))
            for field in filled
            if field.errors
        ]


def _lookup(form: forms.Form, name: str) -> LookupField:
    field = form.fields[name]
    assert isinstance(field, LookupField)
    return field


def _sent(form: forms.Form, name: str) -> tuple[str, ...]:
    return tuple(form.data.get(key, "") for key in (name, f"{name}_key", f"{name}_pick"))


def _links(form: forms.Form, name: str) -> list[Link]:
    """The same question with one of the offered choices in place of what was typed."""
    assert isinstance(form.data, QueryDict)
    found = []
    for choice in getattr(form.fields[name].widget, "offered", ()):
        query = {**form.data.dict(), name: choice.label, f"{name}_key": choice.key}
        found.append(Link(f"{choice.label} {choice.note}".strip(), f"?{urlencode(query)}"))
    return found


class OwnDeskForm(DeskForm):
    """The same for an organization: about its own people, at its own games."""

    def prepare(self) -> None:
        """Bind the type-ahead to the organization's own roster."""
        del self.fields["token"], self.fields["organization"]
        body: Any = self.organization
        _lookup(self, "person").use(
            Lookup(
                search=lambda text: own_choices(self.by, body, text),
                find=lambda key: own_line(self.by, body, key),
                url=reverse("own_person_lookup", args=[body.slug]),
            ),
            label_of=lambda key: self._name(own_line(self.by, body, key)),
        )

    def _name(self, line: Membership | None) -> str:
        return name_for(self.by, line) if line else ""


class Desk(PageView):
    """Question and answer on one page, for regulators about anybody."""

    capability = Capability.SEE_REGISTER
    template_name = "volunteers/desk.html"
    title = gettext_lazy("May they work?")
    form_class: type[DeskForm] = DeskForm

    def get(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        """The three fields, and the answer once they are filled in.

        An address that names a person alone, as the person's page does, is not a question yet.
        """
        asked = request.GET if {"on", "person"} & set(request.GET) else None
        form = self.form_class(
            asked,
            by=request.user,
            organization=self.organization,
            initial={
                "person": request.GET.get("person_key", ""),
                "organization": request.GET.get("organization_key", ""),
                "on": timezone.localdate(),
            },
        )
        if asked is None or not form.is_valid():
            return self.page({"form": form})
        return self.page({"form": form, **self.answer(form.cleaned_data)})

    def meant(self, asked: dict[str, Any]) -> tuple[Person, str, Organization]:
        """Who is meant, under which name, and by which organization."""
        return asked["person"], asked["person"].full_name, asked["organization"]

    def answer(self, asked: dict[str, Any]) -> dict[str, Any]:
        """The ruling in words, or the sentence why the day cannot be judged."""
        user, on = self.request.user, asked["on"]
        person, name, organization = self.meant(asked)
        try:
            ruling = answer_for(user, person, organization, on)
            law = in_force(on)
        except TextUnknown as unknown:
            return {"unknown": str(unknown)}
        return {
            "ruling": worded(ruling, law, county=is_regulator(user)),
            "person": person,
            "name": name,
            "asked_organization": organization,
            "on": on,
            "approve": self._approve(person, organization, ruling.eligible_on),
        }

    def _approve(
        self, person: Person, organization: Organization, day: date | None
    ) -> dict[str, Any] | None:
        """The way to an approval from the first lawful day, where the person is on the roster."""
        user = self.request.user
        if day is None or day < timezone.localdate():
            return None
        if not can(user, Capability.ASSIGN, organization):
            return None
        membership = membership_on(user, organization, person, day)
        return {"day": day, "membership": membership} if membership else None


class OwnDesk(Desk):
    """The desk of an organization: its own people, its own games."""

    capability = Capability.ASK
    form_class = OwnDeskForm

    def meant(self, asked: dict[str, Any]) -> tuple[Person, str, Organization]:
        """Somebody of the own roster, under the name the organization gave."""
        line = asked["person"]
        return line.person, name_for(self.request.user, line), self.own


class AnswerForm(RegisterForm):
    """Who was told, so that the county can stand by its answer."""

    caller = forms.CharField(label=gettext_lazy("Caller's name"), max_length=200)
    telephone = forms.CharField(
        label=gettext_lazy("Telephone number"), max_length=60, required=False
    )


class SaveAnswer(ActOn):
    """Keep an answer given at the desk with the caller's name and number."""

    capability = Capability.SEE_REGISTER
    title = gettext_lazy("Save this answer")
    verb = gettext_lazy("Save the answer given")
    form_class = AnswerForm
    done_message = gettext_lazy("The answer is in the history of the person.")
    organization_kwarg = None

    def find(self) -> None:
        """The person, the organization and the day of the address."""
        self.person = person_for(self.request.user, self.kwargs["number"])
        self.asked = organization_for(self.request.user, self.kwargs["asked"])
        try:
            self.on = date.fromisoformat(self.kwargs["on"])
            in_force(self.on)
        except (ValueError, TextUnknown):
            raise Http404 from None

    @property
    def about(self) -> str:
        """The question the answer is about."""
        return _("%(person)s for %(organization)s on %(day)s.") % {
            "person": self.person,
            "organization": self.asked,
            "day": long_day(self.on),
        }

    def trail(self) -> Sequence[Link]:
        """Back to the question."""
        return [Link(_("May they work?"), self._question())]

    def act(self, form: RegisterForm) -> Any:
        """Judge once more and keep the answer."""
        return save_answer(
            self.by,
            self.person,
            Asked(self.asked, self.on, as_approved=True),
            caller=form.cleaned_data["caller"],
            telephone=form.cleaned_data["telephone"],
        )

    def success_url(self, result: Any) -> str:
        """Back to the question."""
        return self._question()

    def _question(self) -> str:
        query = {"person_key": self.person.number, "organization_key": self.asked.slug}
        return f"{reverse('desk')}?{urlencode({**query, 'on': number_day(self.on)})}"


def organization_choices(user: Anyone, text: str) -> list[Choice]:
    """Organizations the user may see, with their city to tell them apart."""
    return [Choice(row.slug, row.name, row.city) for row in find_organizations(user, text)]


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
        return own_choices(self.request.user, self.own, text)


class OrganizationLookup(LookupView):
    """Organizations the user may see."""

    def choices(self, text: str) -> Sequence[Choice]:
        """What fits what was typed."""
        return organization_choices(self.request.user, text)


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
