"""What each officer, director and the representative states alone (§ 10-84(a)(1)-(5)). Pure."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

from licenses.questions import SAID_YES, YES_NO, Question, Rows, Step, Type, When

STATEMENT = Step(
    "statement",
    _("Your own statement"),
    _("Only the county sees it. Your colleagues see that it is complete, and nothing else."),
    items=(
        Question("born_on", _("Birth date"), "§ 10-84(a)(1)", Type.BIRTH_DATE, is_required=True),
        Question("street", _("Residence: street"), "§ 10-84(a)(1)", is_required=True),
        Question("city", _("City"), "§ 10-84(a)(1)", is_required=True),
        Question("state", _("State"), "§ 10-84(a)(1)", is_required=True),
        Question("postal_code", _("ZIP code")),
        Question(
            "convicted",
            _(
                "In the last five years, were you convicted of theft, of a violation of a gambling"
                " law, or of any felony, in Florida or elsewhere?"
            ),
            "§ 10-84(a)(3)",
            Type.YES_NO,
            is_required=True,
            choices=YES_NO,
        ),
        Rows(
            "convictions",
            _("Convictions"),
            _("Conviction"),
            (
                Question("act", _("Offense"), "§ 10-84(a)(3)", is_required=True),
                Question("where", _("Place and court"), "§ 10-84(a)(3)", is_required=True),
                Question("when", _("Date"), "§ 10-84(a)(3)", Type.DATE, is_required=True),
            ),
            cite="§ 10-84(a)(3)",
            least=1,
            when=When("convicted", SAID_YES),
        ),
        Question(
            "naturalized",
            _("Are you a naturalized citizen?"),
            "§ 10-84(a)(4)",
            Type.YES_NO,
            is_required=True,
            choices=YES_NO,
        ),
        Question(
            "naturalized_on",
            _("Naturalized on"),
            "§ 10-84(a)(4)",
            Type.DATE,
            is_required=True,
            when=When("naturalized", SAID_YES),
        ),
        Question(
            "naturalized_at",
            _("Place of naturalization"),
            "§ 10-84(a)(4)",
            is_required=True,
            when=When("naturalized", SAID_YES),
        ),
        Question(
            "revoked",
            _("Was a bingo or lease license of yours ever suspended or revoked?"),
            "§ 10-84(a)(5)",
            Type.YES_NO,
            is_required=True,
            choices=YES_NO,
        ),
        Rows(
            "revocations",
            _("Suspended or revoked licenses"),
            _("License"),
            (
                Question("where", _("City or county"), "§ 10-84(a)(5)", is_required=True),
                Question("when", _("Date"), "§ 10-84(a)(5)", Type.DATE, is_required=True),
            ),
            cite="§ 10-84(a)(5)",
            least=1,
            when=When("revoked", SAID_YES),
        ),
    ),
)
"""The Social Security number that § 10-84(a) names too is handed to the sheriff on paper."""
