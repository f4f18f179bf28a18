"""What an act of the history says: a word for each verb, and what it keeps besides. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import date
from typing import Any

from django.utils.formats import date_format
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext

DEEDS: Mapping[str, Promise] = {
    "accountholder.voided": gettext_lazy("Account taken out as entered in error"),
    "activity.recorded": gettext_lazy("Activity recorded"),
    "activity.voided": gettext_lazy("Activity taken out as entered in error"),
    "address.ended": gettext_lazy("Address ended"),
    "address.recorded": gettext_lazy("Address recorded"),
    "address.voided": gettext_lazy("Address taken out as entered in error"),
    "adoptedvalue.voided": gettext_lazy("Value withdrawn before it counted"),
    "answer.given": gettext_lazy("Answer given"),
    "appeal.closed": gettext_lazy("Appeal decided"),
    "appeal.filed": gettext_lazy("Appeal filed"),
    "appeal.stayed": gettext_lazy("Decision stayed"),
    "license.warned": gettext_lazy("Warning about the license"),
    "license.conditionally_revoked": gettext_lazy("License conditionally revoked"),
    "license.revoked": gettext_lazy("License revoked"),
    "license.surrendered": gettext_lazy("License surrendered"),
    "license.reinstated": gettext_lazy("License reinstated"),
    "certificate.printed": gettext_lazy("License printed"),
    "officer.left": gettext_lazy("Officer left"),
    "packet.printed": gettext_lazy("Appeal packet printed"),
    "appeal.voided": gettext_lazy("Appeal taken out as entered in error"),
    "application.accepted": gettext_lazy("Application found complete"),
    "application.denied": gettext_lazy("License denied"),
    "application.given_back": gettext_lazy("Application given back to the investigator"),
    "application.granted": gettext_lazy("License granted"),
    "application.handed_in": gettext_lazy("Application handed in"),
    "application.printed": gettext_lazy("Application printed"),
    "application.presented": gettext_lazy("Renewal presented on paper"),
    "application.recommended": gettext_lazy("Investigator reported to the administrator"),
    "application.saved": gettext_lazy("Step of an application saved"),
    "application.sent_back": gettext_lazy("Application sent back with questions"),
    "application.started": gettext_lazy("Application begun"),
    "application.withdrawn": gettext_lazy("Application withdrawn"),
    "applicationpaper.voided": gettext_lazy("Paper of an application taken out"),
    "approvals.followed": gettext_lazy("Approvals followed their license"),
    "approvals.listed": gettext_lazy("Approvals that no longer stand were listed"),
    "assignment.ended": gettext_lazy("Approval ended"),
    "assignment.made": gettext_lazy("Worker approved"),
    "assignment.refused": gettext_lazy("Approval refused"),
    "assignment.voided": gettext_lazy("Approval taken out as entered in error"),
    "assignments.made": gettext_lazy("Workers approved"),
    "assignments.refused": gettext_lazy("Approvals refused"),
    "bankaccount.voided": gettext_lazy("Bank account taken out as entered in error"),
    "birth_date.revealed": gettext_lazy("Birth date looked at"),
    "claim.asked": gettext_lazy("A claim code was asked for"),
    "claim.code_given": gettext_lazy("Claim code given"),
    "claim.refused": gettext_lazy("Claim code refused"),
    "claimcode.voided": gettext_lazy("Claim code withdrawn"),
    "concern.received": gettext_lazy("Concern received"),
    "decision.final": gettext_lazy("Decision became final"),
    "decision.recorded": gettext_lazy("Decision on one test recorded"),
    "decision.voided": gettext_lazy("Decision on a license taken out as entered in error"),
    "demo.seeded": gettext_lazy("Training county built"),
    "determination.voided": gettext_lazy("Decision taken out as entered in error"),
    "differentpeople.voided": gettext_lazy("“Different people” taken back"),
    "doubles.looked": gettext_lazy("Looked for the same person again"),
    "document.downloaded": gettext_lazy("Paper downloaded"),
    "exemption.recorded": gettext_lazy("Tax exemption recorded"),
    "exemption.voided": gettext_lazy("Tax exemption taken out as entered in error"),
    "fee.received": gettext_lazy("Fee received"),
    "holder.ended": gettext_lazy("Account ended"),
    "holder.named": gettext_lazy("Account holder named"),
    "incharge.voided": gettext_lazy("Member in charge taken out as entered in error"),
    "interest.ended": gettext_lazy("Interest in a hall owner ended"),
    "interest.recorded": gettext_lazy("Interest in a hall owner recorded"),
    "investigation.noted": gettext_lazy("Investigation noted"),
    "investigationnote.voided": gettext_lazy("Note taken out as entered in error"),
    "irs.loaded": gettext_lazy("File of the IRS loaded"),
    "irs.standing_changed": gettext_lazy("501(c) standing changed in the IRS files"),
    "irs.standings_compared": gettext_lazy("501(c) standings compared with the IRS files"),
    "lessorinterest.voided": gettext_lazy("Interest taken out as entered in error"),
    "letter.downloaded": gettext_lazy("Letter downloaded"),
    "letter.emailed": gettext_lazy("Letter e-mailed"),
    "letter.printed": gettext_lazy("Letter printed"),
    "letter.served": gettext_lazy("Service of the letter recorded"),
    "letter.service_corrected": gettext_lazy("Service of the letter corrected"),
    "letter.written": gettext_lazy("Letter written"),
    "license.issued": gettext_lazy("License issued"),
    "license.suspended": gettext_lazy("License suspended"),
    "license.suspension_ended": gettext_lazy("Suspension of the license ended"),
    "license.voided": gettext_lazy("License taken out as entered in error"),
    "line.voided": gettext_lazy("Line of the roster taken back"),
    "lines.confirmed": gettext_lazy("Lines of the roster confirmed"),
    "list.downloaded": gettext_lazy("List downloaded"),
    "member.carried_over": gettext_lazy("Membership carried over by a merger"),
    "member.confirmed": gettext_lazy("Membership confirmed"),
    "member.corrected": gettext_lazy("Membership corrected"),
    "member.enrolled": gettext_lazy("Entered on the roster"),
    "member.left": gettext_lazy("Left the organization"),
    "member.suspended": gettext_lazy("Membership suspended"),
    "member.suspension_ended": gettext_lazy("Suspension of the membership ended"),
    "membership.voided": gettext_lazy("Membership taken out as entered in error"),
    "officer.voided": gettext_lazy("Officer taken out as entered in error"),
    "organization.claimed": gettext_lazy("Claimed with a code"),
    "organization.changed": gettext_lazy("Organization changed"),
    "organization.founded": gettext_lazy("Organization entered"),
    "organization.founded_from_irs": gettext_lazy("Organization entered from the IRS file"),
    "organization.merged": gettext_lazy("Merged into another organization"),
    "organization.registered": gettext_lazy("Registered itself"),
    "organization.took_over": gettext_lazy("Took over another organization"),
    "paper.added": gettext_lazy("Paper added to an application"),
    "people.told_apart": gettext_lazy("Found to be different people"),
    "person.corrected": gettext_lazy("Name or birth date corrected"),
    "person.joined": gettext_lazy("Records of one person joined"),
    "person.parted": gettext_lazy("Joined records parted"),
    "person.registered": gettext_lazy("Person entered"),
    "place.asked": gettext_lazy("The place was asked for"),
    "place.freed": gettext_lazy("Place freed on the person's statement"),
    "premises.voided": gettext_lazy("Premises taken out as entered in error"),
    "query.answered": gettext_lazy("Question of the county answered"),
    "query.voided": gettext_lazy("Question taken out as entered in error"),
    "receipt.printed": gettext_lazy("Receipt printed"),
    "receipt.voided": gettext_lazy("Receipt taken out as entered in error"),
    "record.checked": gettext_lazy("Record of a person checked"),
    "recordcheck.voided": gettext_lazy("Record check taken out as entered in error"),
    "renewal.reminded": gettext_lazy("Reminded of the renewal"),
    "role.ended": gettext_lazy("Office ended"),
    "role.granted": gettext_lazy("Office granted"),
    "rolegrant.voided": gettext_lazy("Office taken out as entered in error"),
    "roster.entered": gettext_lazy("Roster entered from a file"),
    "roster.read": gettext_lazy("Roster file read"),
    "roster.received": gettext_lazy("Roster file received"),
    "sanction.voided": gettext_lazy("Suspension of the license taken out as entered in error"),
    "statement.completed": gettext_lazy("Own statement completed"),
    "statement.link_made": gettext_lazy("Link to an own statement made"),
    "statement.reopened": gettext_lazy("Own statement asked for anew"),
    "statement.revealed": gettext_lazy("Own statement looked at"),
    "statement.ssn_received": gettext_lazy("Number handed to the sheriff on paper"),
    "statement.voided": gettext_lazy("Own statement taken out as entered in error"),
    "statements.named": gettext_lazy("Statements asked of those named"),
    "suspension.voided": gettext_lazy("Suspension taken out as entered in error"),
    "tag.replaced": gettext_lazy("Lost tag replaced"),
    "tags.blank_printed": gettext_lazy("Blank tags printed"),
    "tags.printed": gettext_lazy("Name tags printed"),
    "user.email_changed": gettext_lazy("E-mail address changed"),
    "user.email_confirm": gettext_lazy("E-mail address confirmed"),
    "user.email_deleted": gettext_lazy("E-mail address taken out"),
    "user.password_changed": gettext_lazy("Password changed"),
    "user.password_reset": gettext_lazy("Password set anew by e-mail"),
    "user.password_set": gettext_lazy("Password set"),
    "user.recovery_codes_generated": gettext_lazy("New recovery codes made"),
    "user.totp_activated": gettext_lazy("Authenticator app set up"),
    "user.totp_deactivated": gettext_lazy("Authenticator app taken off"),
    "user.webauthn_added": gettext_lazy("Passkey added"),
    "user.webauthn_removed": gettext_lazy("Passkey taken off"),
    "user.address_confirmed": gettext_lazy("E-mail address confirmed"),
    "user.addresses_kept": gettext_lazy("E-mail addresses changed"),
    "user.sign_in_failed": gettext_lazy("Sign-in failed"),
    "user.signed_in": gettext_lazy("Signed in"),
    "user.signed_out": gettext_lazy("Signed out"),
    "user.signed_up": gettext_lazy("Signed up"),
    "workers.confirmed": gettext_lazy("Workers confirmed for the renewal"),
    "value.consented": gettext_lazy("Consented to a value"),
    "value.proposed": gettext_lazy("Value proposed"),
    "work.closed": gettext_lazy("Work item closed"),
}


def word_of(verb: str) -> str:
    """The word for what was done; the verb itself where none is known."""
    return str(DEEDS.get(verb, verb))


def details(data: Mapping[str, Any]) -> str:
    """What an act keeps beside its reason, as one clause: the answer, who was told, for whom."""
    told = [_answer(data), _merger(data), _caller(data), str(data.get("user", ""))]
    parts = [*told, _file(data), _service(data), _paper(data)]
    return "; ".join(filter(None, parts))


def _answer(data: Mapping[str, Any]) -> str:
    if "allowed" not in data or "on" not in data:
        return ""
    day = _day(data["on"])
    if data["allowed"]:
        return _("cleared for %(day)s") % {"day": day}
    cites = ", ".join(dict.fromkeys(_barring(data.get("verdicts", ()))))
    if not cites:
        return _("not cleared for %(day)s") % {"day": day}
    return _("not cleared for %(day)s by %(cites)s") % {"day": day, "cites": cites}


def _merger(data: Mapping[str, Any]) -> str:
    if "merged_on" not in data:
        return ""
    told = {"name": data.get("into") or data.get("of"), "day": _day(data["merged_on"])}
    return _("%(name)s, merged on %(day)s") % told


def _barring(verdicts: Iterable[Mapping[str, Any]]) -> Iterable[str]:
    bars = (row for row in verdicts if row["effect"] == "bars" and row["outcome"] != "met")
    return (str(row["cite"]) for row in bars if row["cite"])


def _caller(data: Mapping[str, Any]) -> str:
    if not data.get("caller"):
        return ""
    who = ", ".join(filter(None, [data["caller"], data.get("telephone", "")]))
    return _("told to %(who)s") % {"who": who}


def _file(data: Mapping[str, Any]) -> str:
    """Which document or letter; a document that went out as it was received is named so."""
    name = str(data.get("paper") or data.get("subject") or "")
    return _("%(name)s, as received") % {"name": name} if data.get("original") else name


def _service(data: Mapping[str, Any]) -> str:
    if not data.get("served_on"):
        return ""
    told = {"who": data["served_to"], "day": _day(data["served_on"]), "how": data["served_how"]}
    return _("to %(who)s, %(day)s, %(how)s") % told


def _paper(data: Mapping[str, Any]) -> str:
    if not data.get("on_behalf_of"):
        return ""
    told = {"who": data["on_behalf_of"], "day": _day(data["received_on"])}
    return _("from paper of %(who)s, received %(day)s") % told


def _day(text: str) -> str:
    return date_format(date.fromisoformat(text), pgettext("short day", "M j, Y"))
