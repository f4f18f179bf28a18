"""What the pages of a roster share: the way up, whom they are about, a refusal in words."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from functools import cached_property
from typing import Any

from django.http import Http404
from django.urls import NoReverseMatch, reverse
from django.utils.translation import gettext as _

from registry.access import Anyone, Refused, is_regulator
from registry.entries import Unreadable, read_day
from registry.generic import ActView, PageView
from registry.ruleset import in_force
from registry.tables import Link
from registry.verdicts import Ruling
from registry.worded import Mark, WordedRuling
from volunteers.models import Assignment, Membership
from volunteers.rosters import name_for
from volunteers.selectors import latest_membership, membership_for, seen_by
from volunteers.words import duty_word
from volunteers.words.page import worded
from volunteers.words.shown import short_day


def address(page: str, **parts: Any) -> str:
    """The address of a page by its name, "" where there is no such page."""
    try:
        return reverse(page, kwargs=parts)
    except NoReverseMatch:
        return ""


def day_of(text: str | None) -> date | None:
    """A day out of an address; None for what is none."""
    try:
        return read_day(text) if text else None
    except Unreadable:
        return None


def worded_for(user: Anyone, ruling: Ruling, *, confirmed: bool = True) -> WordedRuling:
    """A ruling in the words this user may read."""
    seen = seen_by(user, ruling, confirmed=confirmed)
    return worded(seen, in_force(ruling.on), county=is_regulator(user))


def worded_refusal(user: Anyone, refused: Refused, *, confirmed: bool = True) -> WordedRuling:
    """A refusal in words: what stands in the way in one sentence, and the verdicts if any bars."""
    if refused.ruling is None:
        return WordedRuling(Mark.NOT_CLEARED, _("This cannot be done"), later=refused.message)
    return worded_for(user, refused.ruling, confirmed=confirmed)


def approval_words(row: Assignment) -> str:
    """Caller, seller, Dec 1, 2026 to Sep 30, 2027."""
    duties = ", ".join(duty_word(duty) for duty in row.duties)
    return _("%(duties)s, %(first)s to %(last)s") % {
        "duties": duties,
        "first": short_day(row.starts_on),
        "last": short_day(row.ends_on),
    }


class RosterPage(PageView):
    """A page under an organization's roster."""

    def at(self, page: str, **parts: Any) -> str:
        """The address of one of this organization's pages."""
        return address(page, slug=self.own.slug, **parts)

    def trail(self) -> Sequence[Link]:
        """The organization and its roster."""
        steps = [
            Link(str(self.own), self.at("organization_detail")),
            Link(_("People"), self.at("membership_list")),
        ]
        return [step for step in steps if step.url]


class RosterAct(RosterPage, ActView):
    """An act on an organization's roster; its result shows on the roster."""

    def success_url(self, result: Any) -> str:
        """The roster."""
        return self.at("membership_list")

    def word(self, refused: Refused) -> WordedRuling:
        """The verdicts, as this user may read them."""
        return worded_refusal(self.request.user, refused)


class PersonPage(RosterPage):
    """A page about one membership of the organization in the address; 404 for any other."""

    @cached_property
    def membership(self) -> Membership:
        """The membership of the address."""
        found = membership_for(self.request.user, self.own, self.kwargs["pk"])
        if found is None:
            raise Http404
        return found

    @property
    def name(self) -> str:
        """The person's name, as this user may read it."""
        return name_for(self.request.user, self.membership)

    def get_title(self) -> str:
        """The title, with the name where it asks for one."""
        return str(self.title) % {"name": self.name}

    def trail(self) -> Sequence[Link]:
        """The roster and the person's page."""
        page = self.at("membership_detail", pk=self.membership.pk)
        return [*super().trail(), Link(self.name, page)]


class PersonAct(PersonPage, RosterAct):
    """An act about one membership; its result shows on the person's page."""

    def success_url(self, result: Any) -> str:
        """The person's page."""
        return self.at("membership_detail", pk=self.membership.pk)


class RowAct(RosterAct):
    """An act about one row of the organization in the address; 404 for any other."""

    def find(self) -> Any:
        """The row of the address through a scoped selector, None when it is not there."""
        raise NotImplementedError

    @cached_property
    def row(self) -> Any:
        """The row of the address."""
        found = self.find()
        if found is None:
            raise Http404
        return found

    @cached_property
    def membership(self) -> Membership | None:
        """The membership under which the row's person is listed, if any still is."""
        return latest_membership(self.request.user, self.row)

    @property
    def name(self) -> str:
        """The person's name, as this user may read it."""
        user = self.request.user
        if self.membership is None:
            return self.row.person.full_name if is_regulator(user) else _("this person")
        return name_for(user, self.membership)

    def get_title(self) -> str:
        """The title, with the name where it asks for one."""
        return str(self.title) % {"name": self.name}

    def trail(self) -> Sequence[Link]:
        """The roster and the person's page."""
        return [*super().trail(), *self._person()]

    def _person(self) -> list[Link]:
        if self.membership is None:
            return []
        return [Link(self.name, self.at("membership_detail", pk=self.membership.pk))]

    def success_url(self, result: Any) -> str:
        """The person's page, or the roster where nothing lists the person any more."""
        steps = self._person()
        return steps[0].url if steps else super().success_url(result)
