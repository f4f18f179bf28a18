"""The steps of an application for class A and class B (§§ 10-64, 10-65, 10-68, 10-84). Pure."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

from licenses.questions import SAID_YES, YES_NO, Paper, Question, Rows, Step, Type, When
from licenses.questions.places import INTERESTS, PLAY, PREMISES

CHARITABLE = frozenset({"charitable"})
FORMS = (
    ("corporation", _("a corporation")),
    ("unincorporated", _("an unincorporated organization")),
    ("individual", _("an individual")),
)
APPLICANT = Step(
    "applicant",
    _("Who applies"),
    _("First what the register knows of you already; then three short questions."),
    items=(
        Question(
            "form",
            _("The applicant is"),
            "§ 10-84(a)(1)",
            Type.CHOICE,
            is_required=True,
            choices=FORMS,
        ),
        Question(
            "state",
            _("State of incorporation"),
            "§ 10-84(a)(1)c",
            is_required=True,
            when=When("form", frozenset({"corporation"})),
        ),
        Question(
            "purposes",
            _("What the organization works for, and how the proceeds are used"),
            "F.S. 849.0931(2)(a)",
            Type.LONG,
            classes="A",
            bodies=CHARITABLE,
        ),
        Question(
            "telephone", _("Telephone at which the county can ask"), hint=_("Of the organization.")
        ),
    ),
)
EXEMPTION = Step(
    "exemption",
    _("Tax exemption"),
    _("A charity is exempt under section 501(c) or 528, and at least three years old."),
    items=(
        Question(
            "basis",
            _("Exempt under"),
            "F.S. 849.0931(1)(c)",
            Type.CHOICE,
            is_required=True,
            why=_("To conduct bingo as a charity the organization must be exempt."),
        ),
        Question(
            "group",
            _("Group exemption number, if you are listed by a central organization"),
            "F.S. 849.0931(1)(c)",
            hint=_("Four digits; ask your national or state organization."),
        ),
        Question(
            "existing_since",
            _("In existence since"),
            "F.S. 849.0931(1)(c)",
            Type.DATE,
            is_required=True,
            why=_("A charity must have existed and been active for three years."),
        ),
        Question(
            "active",
            _("What it did in the last three years"),
            "F.S. 849.0931(1)(c)",
            Type.LONG,
            hint=_("A few lines: meetings, services, projects."),
        ),
    ),
    papers=(
        Paper("determination", _("IRS determination or affirmation letter"), "F.S. 849.0931(1)(c)"),
        Paper("group_listing", _("Letter of the central organization, or Form 1120-H")),
    ),
    classes="A",
    bodies=CHARITABLE,
)
OFFICERS = Step(
    "officers",
    _("Officers"),
    _(
        "Every officer and director by name. Each completes a statement of his own by a link or on"
        " paper; you see only whether it is complete. Birth dates and the like are not asked here."
    ),
    items=(
        Rows(
            "officers",
            _("Officers and directors"),
            _("Officer or director"),
            (
                Question("name", _("Full name"), "§ 10-84(a)(1)", Type.NAME, is_required=True),
                Question(
                    "office",
                    _("Office"),
                    "§ 10-84(a)(1)",
                    is_required=True,
                    hint=_("President, treasurer, director …"),
                ),
                Question(
                    "signs",
                    _("Signs checks as a principal officer"),
                    "§ 10-64(b)",
                    Type.YES_NO,
                    is_required=True,
                    choices=YES_NO,
                ),
            ),
            cite="§ 10-84(a)(1)",
            least=1,
            why=_("Two principal officers sign every check, withdrawal and transfer (§ 10-64(b))."),
        ),
    ),
)
REPRESENTATIVE = Step(
    "representative",
    _("Representative"),
    _(
        "The person who files this application and takes the oath. For class A the register checks"
        " the thirty days and the other activities of this person as of any worker."
    ),
    items=(
        Question("name", _("Full name"), "§ 10-84(a)(2)", Type.NAME, is_required=True),
        Question("office", _("Office or position"), "§ 10-84(a)(2)"),
    ),
)
IN_CHARGE = Step(
    "in_charge",
    _("Members in charge"),
    _("One to three members; one of them is there during the whole of each session."),
    items=(
        Rows(
            "members",
            _("Members in charge"),
            _("Member in charge"),
            (Question("name", _("Full name"), "F.S. 849.0931(8)", Type.NAME, is_required=True),),
            cite="F.S. 849.0931(8)",
            least=1,
        ),
    ),
    classes="A",
)
BANK = Step(
    "bank",
    _("Bank"),
    _("One checking account in this county, used for nothing else. Never the whole number."),
    items=(
        Question("bank", _("Bank"), "§ 10-64(b)", is_required=True),
        Question("county", _("County of the branch"), "§ 10-64(b)", is_required=True),
        Question(
            "last_four",
            _("Last four digits of the account"),
            "§ 10-64(b)",
            Type.LAST_FOUR,
            is_required=True,
        ),
    ),
)
HISTORY = Step(
    "history",
    _("Earlier licenses"),
    _("Bingo or lease licenses of the organization, here or elsewhere."),
    items=(
        Question(
            "revoked",
            _("Was a license ever suspended or revoked?"),
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
                Question("what", _("What happened, and why"), "§ 10-84(a)(5)"),
            ),
            cite="§ 10-84(a)(5)",
            least=1,
            when=When("revoked", SAID_YES),
        ),
        Question(
            "elsewhere",
            _("Other cities and counties where a license was applied for"),
            hint=_("One on each line; leave it empty if there are none."),
            type=Type.LONG,
        ),
    ),
)
PRIOR = Step(
    "prior",
    _("Last year's license"),
    _("A renewal is presented with last year's license, or with proof that it was lost."),
    items=(
        Question(
            "shown",
            _("With this renewal comes"),
            "§ 10-91(b)",
            Type.CHOICE,
            is_required=True,
            choices=(
                ("license", _("last year's license")),
                ("proof", _("proof that it was lost or destroyed")),
            ),
        ),
        Question(
            "proof",
            _("How it was lost or destroyed"),
            "§ 10-91(b)",
            Type.LONG,
            is_required=True,
            when=When("shown", frozenset({"proof"})),
        ),
    ),
    papers=(
        Paper("prior_license", _("Last year's license, or proof of its loss"), "§ 10-91(b)"),
        Paper("financial", _("Financial report of the last twelve months")),
    ),
    only_renewal=True,
)

STEPS = (
    APPLICANT,
    PRIOR,
    EXEMPTION,
    OFFICERS,
    REPRESENTATIVE,
    IN_CHARGE,
    BANK,
    PREMISES,
    PLAY,
    INTERESTS,
    HISTORY,
)
