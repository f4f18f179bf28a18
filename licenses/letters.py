"""What the county writes about applications and licenses: each ground with its cite."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date

from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _lazy
from django.utils.translation import ngettext

from licenses.models import Application, Decision, License, Query, Sanction
from licenses.reading import steps_of
from licenses.words import short_day
from licenses.words_applications import REASONS
from registry.letters import LetterDraft, Paragraph
from registry.models import Organization, User
from registry.periods import ONE_DAY
from registry.ruleset import Ruleset, in_force

BOARD = "§ 10-93"
"""The paragraph of the appeal to the board of county commissioners."""


@dataclass(frozen=True, slots=True)
class Ask:
    """One question to the applicant: about which step, why by code, in what words."""

    reason: str
    step: str = ""
    text: str = ""


def addressee_of(organization: Organization) -> str:
    """Name and address as a letter has them, a line each."""
    place = f"{organization.city}, {organization.state} {organization.postal_code}".strip(" ,")
    return "\n".join(filter(None, [organization.name, organization.street, place]))


def signed(by: User, office: str) -> str:
    """Who signs: the name and the office under it."""
    return f"{by.get_full_name()}\n{office}"


def decision_draft(decision: Decision, license_: License | None = None) -> LetterDraft:
    """The letter of a decision on an application; works on one that is only previewed."""
    application = decision.application
    assert application is not None
    words = _granted(application, decision, license_) if license_ else _denied(decision)
    subject = (
        _("Your license %(number)s") % {"number": license_.number}
        if license_
        else _("Your application %(number)s is denied") % {"number": application.number}
    )
    return LetterDraft(
        kind=f"decision.{decision.kind}",
        subject=subject,
        addressee=addressee_of(decision.organization),
        paragraphs=list(words),
        signed_by=signed(decision.decided_by, _("County administrator or designee")),
        key=f"decision:{decision.pk}" if decision.pk else None,
    )


def _granted(
    application: Application, decision: Decision, license_: License
) -> Iterator[Paragraph]:
    yield Paragraph(
        _("Your application %(number)s for a license of %(class)s was granted on %(day)s.")
        % {
            "number": application.number,
            "class": application.get_license_class_display(),
            "day": short_day(decision.decided_on),
        },
        "§ 10-84",
    )
    yield Paragraph(
        _("License %(number)s runs from %(first)s to %(last)s, its last day.")
        % {
            "number": license_.number,
            "first": short_day(license_.issued_on),
            "last": short_day(license_.expires_on),
        },
        "§ 10-91(a)",
    )
    yield Paragraph(
        _("Print it from the register and keep it posted where bingo is played, in plain view."),
        "§ 10-64(a)",
    )


def _denied(decision: Decision) -> Iterator[Paragraph]:
    application = decision.application
    assert application is not None
    yield Paragraph(
        _("Your application %(number)s for a license of %(class)s was denied on %(day)s.")
        % {
            "number": application.number,
            "class": application.get_license_class_display(),
            "day": short_day(decision.decided_on),
        },
        "§ 10-84",
    )
    yield from grounds(decision)
    if application.prior is not None:
        yield Paragraph(
            _(
                "If you presented the renewal by the last day of license %(number)s, that license"
                " stays in force until this decision is final."
            )
            % {"number": application.prior.number},
            "§ 10-91(b)",
        )
    yield from appeal_route(decision)


def grounds(decision: Decision) -> Iterator[Paragraph]:
    """Each ground with its cite and the facts found, then the reason in the signer's words."""
    for ground in decision.grounds:
        found = _("What was found: %(facts)s") % {"facts": ground["facts"]}
        yield Paragraph(f"{ground['text']} {found}", ground["cite"])
    if decision.reason:
        yield Paragraph(decision.reason)


def appeal_route(decision: Decision) -> Iterator[Paragraph]:
    """Where and until when to appeal, whether that stops the decision, on which readings."""
    route = decision.appeal
    if route.get("days"):
        text = ngettext(
            "You may appeal to the board of county commissioners within %(days)s day after this"
            " letter was served (%(source)s).",
            "You may appeal to the board of county commissioners within %(days)s days after this"
            " letter was served (%(source)s).",
            route["days"],
        ) % {"days": route["days"], "source": route["source"]}
    else:
        text = _(
            "You may appeal to the board of county commissioners. No number of days is set for"
            " the appeal."
        )
    yield Paragraph(text, BOARD)
    yield Paragraph(
        _("The appeal stops this decision until the board has decided.")
        if route.get("stays")
        else _("The appeal does not stop this decision, unless the board orders that it does."),
        BOARD,
    )
    yield from adopted(decision, in_force(decision.decided_on))


def adopted(decision: Decision, law: Ruleset) -> Iterator[Paragraph]:
    """The readings counsel has not confirmed, adopted by the signer by name (decisions 38)."""
    for key in decision.readings:
        reading = law.readings.get(key)
        if reading is not None:
            yield Paragraph(
                _(
                    "The ordinance leaves open: %(question)s I read it so: %(taken)s. Counsel has"
                    " not confirmed this reading; I adopt it for this decision."
                )
                % {"question": reading.question, "taken": reading.says(reading.value)}
            )


ORDERS = {
    Decision.Kind.WARN: _lazy("The county administrator warns you about license %(number)s."),
    Decision.Kind.SUSPEND: _lazy("License %(number)s is suspended from %(first)s%(to)s."),
    Decision.Kind.CONDITION: _lazy(
        "License %(number)s is conditionally revoked from %(first)s on. Nobody may conduct bingo"
        " under it until it is reinstated."
    ),
    Decision.Kind.REVOKE: _lazy("License %(number)s is revoked from %(first)s on."),
    Decision.Kind.SURRENDER: _lazy("License %(number)s is given back; its last day is %(before)s."),
    Decision.Kind.REINSTATE: _lazy(
        "License %(number)s is reinstated from %(first)s on: %(reason)s"
    ),
}
"""What each order says first."""


def order_draft(
    decision: Decision, sanction: Sanction | None = None, *, from_day: date | None = None
) -> LetterDraft:
    """The notice of an order against a license; works on one that is only previewed.

    `from_day` is the first day on which a license that is reinstated holds again.
    """
    license_ = decision.license
    assert license_ is not None
    return LetterDraft(
        kind=f"decision.{decision.kind}",
        subject=_("%(what)s: license %(number)s")
        % {"what": capfirst(decision.get_kind_display()), "number": license_.number},
        addressee=addressee_of(decision.organization),
        paragraphs=list(_ordered(decision, sanction, from_day)),
        signed_by=signed(decision.decided_by, _("County administrator or designee")),
        key=f"decision:{decision.pk}" if decision.pk else None,
    )


def _ordered(
    decision: Decision, sanction: Sanction | None, from_day: date | None
) -> Iterator[Paragraph]:
    assert decision.license is not None
    first = sanction.starts_on if sanction else from_day or decision.decided_on
    ends = sanction.ends_on if sanction else None
    named = {
        "number": decision.license.number,
        "first": short_day(first),
        "before": short_day(first - ONE_DAY),
        "to": _(" to %(last)s, its last day") % {"last": short_day(ends)} if ends else "",
        "reason": decision.reason,
    }
    yield Paragraph(str(ORDERS[Decision.Kind(decision.kind)]) % named, BOARD)
    if sanction and sanction.condition and sanction.cure_by:
        told = {"condition": sanction.condition, "day": short_day(sanction.cure_by)}
        yield Paragraph(_("The condition, to be met by %(day)s: %(condition)s") % told)
    if decision.grounds:
        yield from grounds(decision)
        yield from appeal_route(decision)


def questions_draft(by: User, application: Application, queries: Iterable[Query]) -> LetterDraft:
    """The letter with which an application goes back: each question in words, by its step."""
    titles = {step.key: str(step.title) for step in steps_of(application)}
    opening = Paragraph(
        _(
            "Your application %(number)s cannot go on yet. Please mend what stands below in the"
            " register, then hand it in again. The day on which it was presented stays the same."
        )
        % {"number": application.number},
        "§ 10-84(a)",
    )
    return LetterDraft(
        kind="application.questions",
        subject=_("Questions about your application %(number)s") % {"number": application.number},
        addressee=addressee_of(application.organization),
        paragraphs=[opening, *_asked(queries, titles)],
        signed_by=signed(by, _("Sheriff's office, bingo licensing")),
    )


def preview_questions(by: User, application: Application, asks: Sequence[Ask]) -> LetterDraft:
    """The letter as it would go out with these questions."""
    queries = [Query(step=ask.step, reason=ask.reason, text=ask.text) for ask in asks]
    return questions_draft(by, application, queries)


def _asked(queries: Iterable[Query], titles: dict[str, str]) -> Sequence[Paragraph]:
    found = []
    for query in queries:
        parts = [titles.get(query.step, ""), str(REASONS[query.reason])]
        line = ": ".join(filter(None, parts))
        found.append(Paragraph(" ".join(filter(None, [line, query.text]))))
    return found
