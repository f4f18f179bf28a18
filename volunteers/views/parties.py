"""The page of an organization, its change, and the list of people."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from django.urls import URLPattern, path, reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from licenses.renewals import renewable
from licenses.rules import asks_for_exemption
from licenses.selectors import exemption_of, interested_in, licenses_shown, standing_on
from licenses.views.renewing import renew_link
from registry.access import Capability, can, is_regulator
from registry.forms import RegisterForm
from registry.generic import DetailView, TableView
from registry.models import Organization
from registry.party_forms import OrganizationChangeForm, entered
from registry.selectors import acts_about, holders_of, organizations, taken_over_by
from registry.services import change_organization
from registry.tables import Link
from registry.templatetags.register import short_day
from registry.views.parties import OrganizationAct, up_to
from registry.worded import Mark
from volunteers.lookups import people_found, printed_otherwise
from volunteers.party_tables import PersonTable
from volunteers.rosters import Standing, standing_counts
from volunteers.views import merging, people, person_acts
from volunteers.views.people import history

MARKS = {
    Standing.CLEARED: Mark.CLEARED,
    Standing.LATER: Mark.NOTE,
    Standing.MISSING: Mark.MISSING,
    Standing.NOT_CLEARED: Mark.NOT_CLEARED,
}


class PersonList(TableView):
    """Everybody in the register, found by any part of the name or by number."""

    capability = Capability.SEE_REGISTER
    template_name = "volunteers/person_list.html"
    title = gettext_lazy("People")
    table_class = PersonTable
    export_name = "people"

    @property
    def text(self) -> str:
        """What was typed."""
        return " ".join(self.request.GET.get("q", "").split())

    def rows(self) -> Any:
        """Those whose name or number fits."""
        return people_found(self.request.user, self.text)

    def acts(self) -> Sequence[Link]:
        """Enter somebody whom no organization has named."""
        if not can(self.request.user, Capability.KEEP_PEOPLE):
            return ()
        return [Link(_("Enter a person"), reverse("person_new"))]

    def context(self) -> dict[str, Any]:
        """The text for the search field."""
        return super().context() | {"text": self.text}


class OrganizationDetail(DetailView):
    """One legal body: how it stands, its people, licenses, exemption and account holders."""

    capability = Capability.SEE_OWN
    template_name = "volunteers/organization_detail.html"

    def find(self) -> Any:
        """The organization of the address."""
        return self.organization

    def standing(self) -> str:
        """Licensed, class A, to Sep 30, 2027 · 501(c)(19); or by what it was taken over."""
        return merged_said(self.thing) or standing_on(self.thing, timezone.localdate())

    def trail(self) -> Sequence[Link]:
        """Up to the list, for those who may see it."""
        if not is_regulator(self.request.user):
            return ()
        return [Link(_("Organizations"), reverse("organization_list"))]

    def acts(self) -> Sequence[Link]:
        """Its people first; a clerk changes what the register says of it."""
        slug = self.thing.slug
        roster = Link(_("Open the roster"), reverse("membership_list", args=[slug]))
        letters = Link(_("Letters"), reverse("letter_list", args=[slug]), kind="outline")
        page = reverse("application_list", args=[slug])
        applications = Link(_("Applications"), page, kind="outline")
        if not self._keeps:
            return [roster, applications, letters]
        change = reverse("organization_change", args=[slug])
        changing = Link(_("Change name or address"), change, kind="outline")
        links = [roster, applications, letters, changing]
        if self.thing.merged_into is None:
            code = reverse("claim_code_give", args=[slug])
            links.append(Link(_("Give a claim code"), code, kind="outline"))
        if self.thing.merged_into is None and can(self.by, Capability.CORRECT, self.organization):
            merge = reverse("organization_merge", args=[slug])
            links.append(Link(_("Record a merger"), merge, kind="outline"))
        return links

    @property
    def _keeps(self) -> bool:
        return can(self.request.user, Capability.KEEP_ORGANIZATIONS, self.organization)

    def context(self) -> dict[str, Any]:
        """Licenses, people by standing, exemption, account holders, history."""
        user, today = self.request.user, timezone.localdate()
        return super().context() | {
            "keeps": self._keeps,
            "county_sees": is_regulator(user),
            "facts": organization_facts(self.thing),
            "merger": self.thing.merged_into,
            "survivor_url": self._survivor_url(),
            "took_over": list(taken_over_by(user, self.thing)),
            "counts": self._counts(),
            "licenses": licenses_shown(self.thing, today),
            "renewals": self._renewals(),
            "asks_exemption": asks_for_exemption(self.thing.kind),
            "exemption": exemption_of(self.thing),
            "holders": list(holders_of(self.thing, today)),
            "interested": list(interested_in(user, self.thing, today)),
            **history(
                self.request, acts_about(user, organization=self.thing), up_to(self.thing).url
            ),
        }

    def _renewals(self) -> list[Link]:
        """A button for each license that can be renewed now, for who may apply."""
        if self.thing.merged_into or not can(self.by, Capability.APPLY, self.organization):
            return []
        return [renew_link(row) for row in renewable(self.thing, timezone.localdate())]

    def _survivor_url(self) -> str:
        """The page of the body that took this one over, for who may open it."""
        body = self.thing.merged_into
        seen = body and organizations(self.request.user).filter(pk=body.pk).exists()
        return reverse("organization_detail", args=[body.slug]) if body and seen else ""

    def _counts(self) -> list[tuple[Mark, Link]]:
        """How many people stand how today, each a link to the roster so filtered."""
        page = reverse("membership_list", args=[self.thing.slug])
        found = standing_counts(self.request.user, self.thing, timezone.localdate())
        return [
            (mark, Link(str(kind.label), f"{page}?standing={kind.value}", count=found[kind]))
            for kind, mark in MARKS.items()
        ]


def merged_said(body: Organization) -> str:
    """“Merged into X on Nov 1, 2026”; "" for a body that stands on its own."""
    if body.merged_into is None:
        return ""
    told = {"name": body.merged_into.name, "day": short_day(body.merged_on)}
    return _("Merged into %(name)s on %(day)s. Its people go on there.") % told


def organization_facts(body: Organization) -> list[tuple[str, str]]:
    """What the register knows of a body; what is not known is left out."""
    ein = f"{body.ein[:2]}-{body.ein[2:]}" if body.ein else ""
    place = " ".join(filter(None, [body.state, body.postal_code])) if body.city else ""
    return [
        (_("Kind"), body.get_kind_display()),
        (_("EIN"), ein),
        (_("Address"), ", ".join(filter(None, [body.street, body.city, place]))),
        (_("In existence since"), short_day(body.existing_since)),
    ]


class OrganizationChange(OrganizationAct):
    """Change what the register says of a body; shows first how many tags go stale."""

    title = gettext_lazy("Change the organization")
    verb = gettext_lazy("Change the organization")
    form_class = OrganizationChangeForm
    asks_first = True
    done_message = gettext_lazy("Changed. The history keeps what stood there before.")

    def form_arguments(self) -> dict[str, Any]:
        """What is recorded so far."""
        return {"initial": entered(self.own)}

    def preview(self, form: RegisterForm) -> Mapping[str, Any]:
        """Each field that changes, and the tags that have to be printed anew."""
        changed = [name for name in form.changed_data if name in form.initial]
        lines = [
            _("%(field)s: from “%(old)s” to “%(new)s”.")
            % {
                "field": form.fields[name].label,
                "old": shown(form, name, form.initial[name]),
                "new": shown(form, name, form.cleaned_data[name]),
            }
            for name in changed
        ]
        stale = printed_otherwise(self.own, form.cleaned_data["name"], timezone.localdate())
        if stale:
            lines.append(
                ngettext(
                    "%(count)s name tag carries another name and must be printed anew.",
                    "%(count)s name tags carry another name and must be printed anew.",
                    stale,
                )
                % {"count": stale}
            )
        return {"consequences": lines or [_("Nothing is changed.")]}

    def act(self, form: RegisterForm) -> Any:
        """Write it, with the reason."""
        assert isinstance(form, OrganizationChangeForm)
        reason = form.cleaned_data["reason"]
        return change_organization(self.by, self.own, form.entry, reason=reason)


def shown(form: RegisterForm, name: str, value: Any) -> str:
    """A value as a person reads it: the word of a choice, a day, a dash for nothing."""
    choices = dict(getattr(form.fields[name], "choices", ()))
    if hasattr(value, "year"):
        return short_day(value)
    return str(choices.get(value, value) or "-")


urls: list[URLPattern] = [
    path("people/", PersonList.as_view(), name="person_list"),
    path("organizations/<slug:slug>/", OrganizationDetail.as_view(), name="organization_detail"),
    path(
        "organizations/<slug:slug>/change/",
        OrganizationChange.as_view(),
        name="organization_change",
    ),
    *merging.urls,
    *people.urls,
    *person_acts.urls,
]
