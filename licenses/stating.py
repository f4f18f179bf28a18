"""Each officer's own statement (§ 10-84(a)(1)-(5)): by link or on paper, for the county alone."""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Mapping
from datetime import date, timedelta
from typing import Any

from django.utils import timezone
from django.utils.translation import gettext as _

from licenses.applying import about, lock_application, refuse_ssn_in
from licenses.models import Application, Statement
from licenses.questions.own import STATEMENT
from licenses.questions.reading import gaps_in
from licenses.reading import answers_of
from registry.access import BadInput, Capability, Refused, require
from registry.history import System, acting, from_paper
from registry.models import Document, User
from registry.ruleset import in_force
from registry.services import Actor, need_reason, tidy

NAME, CAPACITY = 200, 120
"""Letters that are kept of an answer not yet looked at; a longer one cannot be handed in."""
KEY_BYTES = 16
"""128 bits: nobody guesses the link to somebody's statement."""


def name_statements(by: Actor, application: Application) -> list[Statement]:
    """Open a statement for each officer and the representative, and close those no longer named.

    What somebody stated stays in the history when he is named no more.
    """
    require(by, Capability.APPLY, application.organization)
    with acting(by, "statements.named", organization=application.organization):
        row = lock_application(application)
        refuse_closed(row)
        wanted = named_in(row)
        standing = {one.full_name.casefold(): one for one in row.statements.standing()}
        for name, statement in list(standing.items()):
            if name not in {other.casefold() for other in wanted}:
                statement.voided_at, statement.void_reason = timezone.now(), _("no longer named")
                statement.key_hash = None
                statement.save(update_fields=["voided_at", "void_reason", "key_hash"])
        for name, capacity in wanted.items():
            there = standing.setdefault(
                name.casefold(), Statement(application=row, full_name=name, capacity="")
            )
            if there.capacity != capacity:
                there.capacity = capacity
                there.save()
        return [standing[name.casefold()] for name in wanted]


def refuse_closed(application: Application) -> None:
    """Raise Refused where an application is decided or withdrawn: nobody states for it any more."""
    if not application.is_open:
        raise Refused(_("The application is closed: nobody needs to state for it any more."))


def named_in(application: Application) -> dict[str, str]:
    """Who must state for himself: each officer and the representative once, with his office.

    Capitals make nobody another person.
    """
    answers = answers_of(application)
    people = [
        (officer.get("name", ""), tidy(str(officer.get("office", ""))) or _("officer or director"))
        for officer in answers.get("officers", {}).get("officers", ())
    ]
    representative = answers.get("representative", {})
    office = tidy(str(representative.get("office", ""))) or _("representative")
    people.append((representative.get("name", ""), office))
    named: dict[str, tuple[str, str]] = {}
    for written, capacity in people:
        if name := tidy(str(written))[:NAME]:
            named.setdefault(name.casefold(), (name, tidy(str(capacity))[:CAPACITY]))
    return dict(named.values())


def make_link(by: Actor, statement: Statement) -> str:
    """A new key for somebody's own statement; an earlier one stops to work. Returns the key.

    The register keeps only its fingerprint, so it can be shown once and never looked up. Raises
    Refused where nothing is to be stated any more.
    """
    application = statement.application
    require(by, Capability.APPLY, application.organization)
    key = secrets.token_hex(KEY_BYTES).upper()
    days = in_force(timezone.localdate()).procedure.code_days
    with acting(
        by,
        "statement.link_made",
        **about(application, name=statement.full_name),
    ):
        row = _lock(statement)
        _refuse_complete(row)
        row.key_hash = fingerprint(key)
        row.key_expires_on = timezone.localdate() + timedelta(days=days)
        row.save(update_fields=["key_hash", "key_expires_on"])
    return key


def fingerprint(key: str) -> str:
    """What the register keeps of a key."""
    return hashlib.sha256(key.strip().upper().encode()).hexdigest()


def statement_by_key(key: str, today: date) -> Statement | None:
    """The open statement of a link, None for a wrong, used, old or withdrawn one alike."""
    rows = Statement.objects.standing().select_related("application__organization")
    row: Statement | None = rows.filter(key_hash=fingerprint(key)).first()
    if row is None or row.key_expires_on is None or row.key_expires_on < today:
        return None
    return row if row.completed_at is None and row.application.is_open else None


def complete_statement(key: str, answers: Mapping[str, Any], *, signed_as: str) -> Statement:
    """The person's own act by his link: signed by name, complete, and closed to further looks.

    Raises Refused for a link that works no more, BadInput for what is missing.
    """
    statement = statement_by_key(key, timezone.localdate())
    if statement is None:
        raise Refused(_("This link works no more: ask the organization for a new one."))
    if signed_as.strip() and tidy(signed_as).casefold() != statement.full_name.casefold():
        raise BadInput(
            "signed_as",
            _("Sign with your name as it stands here: %(name)s.") % {"name": statement.full_name},
        )
    with acting(
        System.PUBLIC,
        "statement.completed",
        **about(statement.application, name=statement.full_name),
    ):
        return _complete(statement, answers, signed_as)


def key_in_statement(
    by: Actor,
    statement: Statement,
    answers: Mapping[str, Any],
    *,
    signed_as: str,
    received_on: date,
    paper: Document | None = None,
) -> Statement:
    """A clerk keys in a statement that came on paper (decisions 18)."""
    require(by, Capability.WORK_ON_APPLICATIONS)
    require(by, Capability.SEE_STATEMENTS, statement.application.organization)
    if received_on > timezone.localdate():
        raise BadInput("received_on", _("This day is still to come. Check the date."))
    with (
        from_paper(statement.full_name, received_on),
        acting(
            by,
            "statement.completed",
            **about(statement.application, name=statement.full_name),
        ),
    ):
        statement.paper = paper
        return _complete(statement, answers, signed_as)


def _complete(statement: Statement, answers: Mapping[str, Any], signed_as: str) -> Statement:
    refuse_ssn_in({**answers, "signed_as": signed_as})
    if not signed_as.strip():
        raise BadInput("signed_as", _("You sign by writing your full name."))
    gap = next(
        (g for g in gaps_in(STATEMENT, answers, timezone.localdate()) if g.is_required), None
    )
    if gap:
        raise BadInput(gap.item, f"{gap.label}: {gap.sentence}")
    paper = statement.paper
    row = _lock(statement)
    _refuse_complete(row)
    row.answers, row.signed_as, row.paper = dict(answers), tidy(signed_as), paper
    row.completed_at, row.key_hash = timezone.now(), None
    row.save()
    return row


def _refuse_complete(statement: Statement) -> None:
    refuse_closed(statement.application)
    if statement.completed_at is not None:
        raise Refused(_("This statement is complete already."))


def _lock(statement: Statement) -> Statement:
    rows = Statement.objects.select_for_update(no_key=True, of=("self",)).standing()
    row: Statement | None = (
        rows.select_related("application__organization").filter(pk=statement.pk).first()
    )
    if row is None:
        raise Refused(_("This person is no longer named in the application."))
    return row


def reopen_statement(by: Actor, statement: Statement, *, reason: str) -> Statement:
    """The county asks somebody to state anew: his answers stay, a new link opens them."""
    require(by, Capability.WORK_ON_APPLICATIONS)
    need_reason(reason)
    with acting(
        by,
        "statement.reopened",
        reason=reason,
        **about(statement.application, name=statement.full_name),
    ):
        row = _lock(statement)
        row.completed_at = None
        row.save(update_fields=["completed_at"])
    return row


def reveal_statement(by: User, statement: Statement) -> Mapping[str, Any]:
    """What somebody stated; each look is an act in the history."""
    organization = statement.application.organization
    require(by, Capability.SEE_STATEMENTS, organization)
    with acting(
        by,
        "statement.revealed",
        **about(statement.application, name=statement.full_name),
    ):
        answers: Mapping[str, Any] = statement.answers
        return answers


def receive_ssn(by: User, statement: Statement, *, received_on: date) -> Statement:
    """Note that the number § 10-84(a) asks for was handed to the sheriff on paper: by, on."""
    require(by, Capability.SEE_STATEMENTS, statement.application.organization)
    if received_on > timezone.localdate():
        raise BadInput("received_on", _("This day is still to come. Check the date."))
    with acting(
        by,
        "statement.ssn_received",
        **about(
            statement.application, name=statement.full_name, received_on=received_on.isoformat()
        ),
    ):
        row = _lock(statement)
        row.ssn_received_by, row.ssn_received_on = by, received_on
        row.save(update_fields=["ssn_received_by", "ssn_received_on"])
    return row
