"""Cites, verdicts, dates and names, each shown in one way everywhere."""

from __future__ import annotations

import re
from datetime import date, datetime
from typing import Any

from django import template
from django.forms import BaseForm
from django.forms.boundfield import BoundField
from django.template.defaultfilters import slugify
from django.template.loader import render_to_string
from django.urls import NoReverseMatch, reverse
from django.utils import timezone
from django.utils.datastructures import MultiValueDict
from django.utils.formats import date_format
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from registry import ages, deeds
from registry.forms import errors_in_order
from registry.periods import Period
from registry.ruleset import in_force
from registry.worded import Mark, WordedRuling, WordedVerdict

register = template.Library()

OWN_TO_A_POST = frozenset({"csrfmiddlewaretoken", "confirmed"})

SHAPES = {
    Mark.CLEARED: '<circle cx="12" cy="12" r="11" fill="currentColor"/>'
    '<path d="M6.5 12.5l3.6 3.6 7.2-7.6" fill="none" stroke="#fff" stroke-width="2.6"/>',
    Mark.MISSING: '<circle cx="12" cy="12" r="9.5" fill="none" stroke="currentColor" '
    'stroke-width="3"/>',
    Mark.NOT_CLEARED: '<path d="M4.5 4.5l15 15m0-15l-15 15" fill="none" stroke="currentColor" '
    'stroke-width="4.5"/>',
    Mark.NOTE: '<circle cx="12" cy="12" r="11" fill="currentColor"/>'
    '<path d="M12 10.5v7M12 5.8v2.6" fill="none" stroke="#fff" stroke-width="2.6"/>',
}


def word_of(mark: str) -> str:
    """The word of a mark; every mark has one, since nobody reads colours alone."""
    return {
        Mark.CLEARED: _("Cleared"),
        Mark.MISSING: _("Papers missing"),
        Mark.NOT_CLEARED: _("Not cleared"),
        Mark.NOTE: _("Note"),
    }[Mark(mark)]


@register.simple_tag
def shape(mark: str) -> SafeString:
    """The drawing of a mark, silent to a screen reader: the word stands beside it."""
    drawing = SHAPES[Mark(mark)]
    return mark_safe(  # noqa: S308 - both parts are constants of this module
        '<svg class="mark-shape" viewBox="0 0 24 24" aria-hidden="true" focusable="false">'
        f"{drawing}</svg>"
    )


@register.simple_tag
def status(mark: str, word: str = "") -> SafeString:
    """A mark with its word, or with another one in its place."""
    kind = Mark(mark)
    return format_html(
        '<span class="mark mark--{}">{} {}</span>', kind.value, shape(kind), word or word_of(kind)
    )


@register.simple_tag
def verdict(worded: WordedVerdict) -> SafeString:
    """One test's answer, to be opened for text, facts and readings."""
    return mark_safe(render_to_string("_verdict.html", {"verdict": worded}))  # noqa: S308


@register.simple_tag
def ruling(worded: WordedRuling) -> SafeString:
    """The whole answer: the large line, the sentence for the caller, each test."""
    return mark_safe(render_to_string("_ruling.html", {"ruling": worded}))  # noqa: S308


def anchor(cite: str) -> str:
    """The place of a paragraph on the rules page: § 10-63(12) is #s10-63-12."""
    return "s" + slugify(re.sub(r"[().]+", "-", cite.replace("§", ""))).strip("-")


@register.simple_tag
def cite(paragraph: str) -> SafeString | str:
    """A paragraph in small type, linked to its text on the rules page."""
    if not paragraph:
        return ""
    try:
        address = f"{reverse('rules')}#{anchor(paragraph)}"
    except NoReverseMatch:
        return format_html('<span class="cite">{}</span>', paragraph)
    return format_html('<a class="cite" href="{}">{}</a>', address, paragraph)


@register.filter
def day(value: date | None) -> str:
    """Mon, Nov 30, 2026; an instant is shown on its county-local day."""
    return date_format(_local(value), pgettext("day", "D, M j, Y")) if value else ""


@register.filter
def short_day(value: date | None) -> str:
    """Nov 30, 2026, where the weekday does not matter."""
    return date_format(_local(value), pgettext("short day", "M j, Y")) if value else ""


@register.filter
def when(value: datetime | None) -> str:
    """Mon, Nov 30, 2026, 7:42 PM on the county's clock."""
    if not value:
        return ""
    return f"{day(value)}, {date_format(_local(value), pgettext('clock', 'g:i A'))}"


@register.filter
def clock(value: datetime | None) -> str:
    """10:02 AM on the county's clock; with its day unless that is today."""
    if not value:
        return ""
    time = date_format(_local(value), pgettext("clock", "g:i A"))
    is_today = timezone.localdate(value) == timezone.localdate()
    return time if is_today else f"{day(value)}, {time}"


@register.filter
def number_day(value: date | None) -> str:
    """11/30/2026, as dates are typed."""
    return _local(value).strftime("%m/%d/%Y") if value else ""


@register.filter
def span(value: Period | Any) -> str:
    """since Mar 1, 2024; Mar 1 - Jun 30, 2026 (last day); on Mar 1, 2026.

    Takes a Period, or anything with `starts_on` and `ends_on`.
    """
    if not value:
        return ""
    first, last = value.starts_on, value.ends_on
    if last is None:
        return _("since %(day)s") % {"day": short_day(first)}
    if last < first:
        return _("never in force (withdrawn before %(day)s)") % {"day": short_day(first)}
    if first == last:
        return _("on %(day)s only") % {"day": short_day(first)}
    opening = date_format(first, pgettext("month and day", "M j"))
    return _("%(first)s – %(last)s (last day)") % {  # noqa: RUF001 - a span has an en dash
        "first": opening if first.year == last.year else short_day(first),
        "last": short_day(last),
    }


@register.filter
def age_band(born_on: date | None) -> str:
    """The decade of somebody's age today; the birth date itself is for those who need it."""
    today = timezone.localdate()
    return ages.age_band(born_on, today, in_force(today).age.min_years)


@register.filter
def deed(verb: str) -> str:
    """What an act did, in words."""
    return deeds.word_of(verb)


@register.filter
def deed_details(data: dict[str, Any]) -> str:
    """What an act keeps beside its reason."""
    return deeds.details(data)


@register.filter
def mistakes(form: BaseForm) -> list[tuple[BoundField | None, str]]:
    """Each mistake of a form with its field, in the order of the page."""
    return list(errors_in_order(form))


@register.simple_tag
def sent_again(form: BaseForm) -> SafeString:
    """What was sent, as hidden fields: the page between a form and its confirmation."""
    data = form.data
    sent = (
        data if isinstance(data, MultiValueDict) else MultiValueDict({k: [data[k]] for k in data})
    )
    return format_html_join(
        "",
        '<input type="hidden" name="{}" value="{}">',
        (
            (name, value)
            for name, values in sent.lists()
            if name not in OWN_TO_A_POST
            for value in values
        ),
    )


def _local(value: date) -> date:
    return timezone.localtime(value) if isinstance(value, datetime) else value
