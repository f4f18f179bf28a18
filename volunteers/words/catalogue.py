"""Everything that is said of verdicts, by rule and code. The law's numbers come as parameters."""

from __future__ import annotations

from collections.abc import Mapping

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy, gettext_noop

Words = str | Promise

# The titles of the rulesets, so that translators find them.
TITLES = (
    gettext_noop("License in force"),
    gettext_noop("Member or volunteer"),
    gettext_noop("Not suspended"),
    gettext_noop("30 days"),
    gettext_noop("Other activities"),
    gettext_noop("One other organization"),
    gettext_noop("No hall-owner interest"),
    gettext_noop("18 or over"),
    gettext_noop("One place at a time"),
    gettext_noop("State: resident"),
    gettext_noop("State: enrolled member"),
    gettext_noop("Changing organizations"),
    gettext_noop("Active member"),
    gettext_noop("Own hall"),
)
DUTIES: Mapping[str, Words] = {
    "in_charge": gettext_lazy("Person in charge"),
    "caller": gettext_lazy("Caller"),
    "seller": gettext_lazy("Seller"),
    "floor": gettext_lazy("Floor worker"),
    "verifier": gettext_lazy("Verifier"),
    "cashier": gettext_lazy("Cashier"),
    "assisting": gettext_lazy("Assisting"),
}
TIES: Mapping[str, Words] = {
    "owner": gettext_lazy("owner"),
    "officer": gettext_lazy("officer"),
    "director": gettext_lazy("director"),
    "stockholder": gettext_lazy("stockholder"),
    "employee": gettext_lazy("employee"),
    "work": gettext_lazy("works there"),
}
SENTENCES: Mapping[tuple[str, str], Words] = {
    ("license", "unrecorded"): gettext_lazy("In force"),
    ("license", "not_yet"): gettext_lazy("The license begins on %(since)s"),
    ("license", "expired"): gettext_lazy("The license ended on %(until)s"),
    ("license", "none"): gettext_lazy("No license is recorded"),
    ("license", "home"): gettext_lazy("The home organization's license is not in force"),
    ("membership", "met"): gettext_lazy("%(kind)s since %(since)s"),
    ("membership", "unattested"): gettext_lazy(
        "%(kind)s since %(since)s, which no officer has confirmed yet"
    ),
    ("membership", "reversed"): gettext_lazy(
        "The leave date, %(until)s, lies before the joining day, %(since)s: one of them is wrong"
    ),
    ("membership", "not_yet"): gettext_lazy("Joins on %(since)s"),
    ("membership", "left"): gettext_lazy("Left; the last day was %(until)s"),
    ("membership", "none"): gettext_lazy("Not on the organization's roster"),
    ("suspension", "met"): gettext_lazy("Not suspended"),
    ("tenure", "met"): gettext_lazy("%(kind)s since %(since)s"),
    ("tenure", "unattested"): gettext_lazy(
        "%(kind)s since %(since)s, which no officer has confirmed yet"
    ),
    ("tenure", "start"): gettext_lazy(
        "Approved from %(began_on)s, before the time needed was full: a new approval is needed"
    ),
    ("tenure", "exempt"): gettext_lazy("Asked of volunteers only, and this is a member"),
    ("tenure", "no_time"): gettext_lazy("No time counts on this day"),
    ("tenure", "unset"): gettext_lazy("The time needed is as provided by ordinance"),
    ("activity", "met"): gettext_lazy("%(deed)s, %(done_on)s"),
    ("activity", "unattested"): gettext_lazy(
        "%(deed)s, %(done_on)s, which no officer has confirmed yet"
    ),
    ("activity", "undated"): gettext_lazy("%(deed)s, without a date"),
    ("activity", "too_old"): gettext_lazy(
        "The latest, %(deed)s on %(done_on)s, lies more than %(window_days)s days back"
    ),
    ("activity", "too_few"): gettext_lazy(
        "%(needs)s are needed; the latest is %(deed)s on %(done_on)s"
    ),
    ("activity", "former"): gettext_lazy(
        "The latest, %(deed)s on %(done_on)s, lies outside the present membership"
    ),
    ("activity", "later"): gettext_lazy("The first, %(deed)s, is only on %(done_on)s"),
    ("activity", "refused"): gettext_lazy("Only bingo or dues are recorded, which do not count"),
    ("activity", "none"): gettext_lazy("No activity other than bingo is recorded"),
    ("activity", "start"): gettext_lazy(
        "No activity was recorded when the approval began on %(began_on)s: a new approval is needed"
    ),
    ("one_other", "met"): gettext_lazy("No third organization"),
    ("one_other", "taken"): gettext_lazy("The one other place is taken"),
    ("one_other", "pending"): gettext_lazy("The county's check is pending"),
    ("one_other", "unset"): gettext_lazy("The limit is as provided by ordinance"),
    ("lessor", "met"): gettext_lazy("No interest in a hall owner is recorded"),
    ("lessor", "barred"): gettext_lazy("A tie to a hall owner is recorded"),
    ("own_hall", "met"): gettext_lazy("No tie to an own hall is recorded"),
    ("own_hall", "tied"): gettext_lazy(
        "Has a tie to the organization's own hall, which would bar at a tenant's game"
    ),
    ("presence", "met"): gettext_lazy("At no other place at these hours"),
    ("presence", "clash"): gettext_lazy("At another place at the same hours"),
    ("rotation", "met"): gettext_lazy("No change of organizations worth a note"),
    ("rotation", "many"): gettext_lazy("Works for many organizations in this license year"),
    ("age", "met"): gettext_lazy("%(years)s or over"),
    ("age", "attested"): gettext_lazy("%(years)s or over, as an officer confirmed"),
    ("age", "no_birth"): gettext_lazy("Neither a birth date nor a statement of age is recorded"),
    ("age", "young"): gettext_lazy("Under %(years)s on this day"),
    ("residence", "met"): gettext_lazy("Resident of the community"),
    ("residence", "none"): gettext_lazy("Not shown; ask for an address"),
    ("residence", "outside"): gettext_lazy("The recorded address lies outside the community"),
    ("membership_class", "met"): gettext_lazy("County: yes; state: enrolled"),
    ("membership_class", "volunteer"): gettext_lazy(
        "County: yes, as a volunteer; state: enrolment not shown"
    ),
    ("membership_class", "unattested"): gettext_lazy("State: enrolment not confirmed yet"),
    ("membership_class", "none"): gettext_lazy("State: enrolment not shown"),
    ("active_member", "met"): gettext_lazy("No note"),
    ("active_member", "volunteer"): gettext_lazy(
        "A volunteer; the paragraph on approvals speaks of an active member"
    ),
}
PAPERS: Mapping[tuple[str, str], Words] = {
    ("membership", "unattested"): gettext_lazy("an officer's dated statement of the joining day"),
    ("membership", "reversed"): gettext_lazy("the right joining and leave dates"),
    ("tenure", ""): gettext_lazy("an officer's dated statement of the joining day"),
    ("tenure", "no_time"): gettext_lazy("the right joining and leave dates"),
    ("activity", "unattested"): gettext_lazy("an officer's statement that confirms the activity"),
    ("activity", "undated"): gettext_lazy("the date of the activity"),
    ("activity", "start"): gettext_lazy("a dated activity from before the approval began"),
    ("activity", ""): gettext_lazy("one dated activity other than bingo, confirmed by an officer"),
    ("one_other", ""): gettext_lazy("nothing to send: the county's check is pending"),
    ("age", ""): gettext_lazy("a birth date, or an officer's statement of age"),
    ("residence", ""): gettext_lazy("an address, or an officer's statement of residence"),
    ("membership_class", "unattested"): gettext_lazy("an officer's statement of enrolment"),
    ("membership_class", ""): gettext_lazy("proof of enrolment as a member"),
    ("active_member", ""): gettext_lazy("proof of enrolment as a member"),
}


# What may be read to any caller: no names, no birth date, nothing from elsewhere.
SPOKEN: Mapping[str, Words] = {
    "license": gettext_lazy("the organization's license is not in force on that day"),
    "membership": gettext_lazy("not on the organization's roster for that day"),
    "suspension": gettext_lazy("the membership is suspended on that day"),
    "tenure": gettext_lazy("the time with the organization is not full yet"),
    "activity": gettext_lazy("an activity other than bingo is not recorded"),
    "one_other": gettext_lazy("the one other place is taken"),
    "lessor": gettext_lazy("a tie to a hall owner is recorded"),
    "age": gettext_lazy("the age needed is not reached on that day"),
    "presence": gettext_lazy("there is other work at the same hours"),
    "residence": gettext_lazy("the address lies outside the community"),
    "membership_class": gettext_lazy("enrolment as a member is not shown"),
    "rotation": gettext_lazy("there were many organizations in this license year"),
    "active_member": gettext_lazy("enrolment as a member is not shown"),
    "own_hall": gettext_lazy("a tie to the organization's own hall is recorded"),
}
