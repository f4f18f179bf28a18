"""Applications in words: where one is, who has it, what happens next, why it came back. Pure."""

from __future__ import annotations

from collections.abc import Mapping

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from licenses.rules import Status
from registry.worded import Mark

WHO: Mapping[Status, Promise] = {
    Status.DRAFT: _("you"),
    Status.SUBMITTED: _("the sheriff's clerk"),
    Status.RETURNED: _("you"),
    Status.INVESTIGATION: _("the sheriff's investigator"),
    Status.RECOMMENDED: _("the county administrator"),
    Status.GRANTED: _("nobody"),
    Status.DENIED: _("nobody"),
    Status.WITHDRAWN: _("nobody"),
}
"""Who has it now, as the applicant reads it."""
WHO_COUNTY: Mapping[Status, Promise] = {
    **WHO,
    Status.DRAFT: _("the applicant"),
    Status.RETURNED: _("the applicant"),
}
"""Who has it now, as the county reads it."""
NEXT: Mapping[Status, Promise] = {
    Status.DRAFT: _("Fill in the steps, then hand it in."),
    Status.SUBMITTED: _("The clerk looks whether everything is there, and asks you if not."),
    Status.RETURNED: _("Answer the questions below, then hand it in again."),
    Status.INVESTIGATION: _("The sheriff's office checks it, then reports to the administrator."),
    Status.RECOMMENDED: _("The county administrator decides; you get a letter."),
    Status.GRANTED: _("Print the license and post it where you play."),
    Status.DENIED: _("The letter says why, and how you can appeal."),
    Status.WITHDRAWN: _("Nothing more happens with it; you can apply again."),
}
MARKS: Mapping[Status, Mark] = {
    Status.DRAFT: Mark.MISSING,
    Status.SUBMITTED: Mark.NOTE,
    Status.RETURNED: Mark.MISSING,
    Status.INVESTIGATION: Mark.NOTE,
    Status.RECOMMENDED: Mark.NOTE,
    Status.GRANTED: Mark.CLEARED,
    Status.DENIED: Mark.NOT_CLEARED,
    Status.WITHDRAWN: Mark.NOTE,
}
REASONS: Mapping[str, Promise] = {
    "missing": _("An answer is missing or cannot be read."),
    "paper": _("A paper is needed to show what you state."),
    "unclear": _("What is written is not clear to us."),
    "differs": _("What you state differs from what the register or the IRS file shows."),
    "premises": _("The place or its lease is not as the ordinance asks."),
    "officers": _("The officers, signatures or members in charge are not complete."),
    "statement": _("The statement of an officer is still to come."),
    "fee": _("The fee has not been paid yet."),
    "other": _("Please see the note below."),
}
"""Why the county asks, by code; these words stand in the letter and on the page."""
