"""Where and when bingo is played, and who has an interest in the place. Pure."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

from licenses.questions import SAID_YES, YES_NO, Paper, Question, Rows, Step, Type, When

WEEKDAYS = (
    ("sunday", _("Sunday")),
    ("monday", _("Monday")),
    ("tuesday", _("Tuesday")),
    ("wednesday", _("Wednesday")),
    ("thursday", _("Thursday")),
    ("friday", _("Friday")),
    ("saturday", _("Saturday")),
)
BASES = (
    ("owned", _("the organization owns it")),
    ("benefit", _("the charity that benefits owns it")),
    ("leased", _("it is leased")),
    ("public", _("city or county property, allowed by ordinance or resolution")),
    ("common", _("common area of the association or park")),
)
PERCENTAGES = frozenset({"receipts", "attendance", "seats"})
RENTS = (
    ("fixed", _("a fixed amount")),
    ("none", _("no rent")),
    ("receipts", _("a share of receipts")),
    ("attendance", _("by attendance")),
    ("seats", _("by seating capacity")),
)
TIES = (
    ("owner", _("owner")),
    ("officer", _("officer")),
    ("director", _("director")),
    ("stockholder", _("stockholder")),
    ("employee", _("employee")),
    ("other", _("other interest")),
)
USES = (
    ("bingo", _("bingo")),
    ("both", _("bingo and instant bingo")),
    ("instant", _("instant bingo")),
)


LEASED = When("basis", frozenset({"leased"}))
HALL = Question("name", _("Name of the hall"), "§ 10-68(5)", is_required=True)
PREMISES = Step(
    "premises",
    _("Premises"),
    _("Every place where bingo is to be played."),
    items=(
        Rows(
            "places",
            _("Premises"),
            _("Place"),
            (
                HALL,
                Question("street", _("Street"), "§ 10-68(5)", is_required=True),
                Question("city", _("City"), "§ 10-68(5)", is_required=True),
                Question("postal_code", _("ZIP code")),
                Question(
                    "basis",
                    _("Used because"),
                    "F.S. 849.0931(11)",
                    Type.CHOICE,
                    is_required=True,
                    choices=BASES,
                    classes="A",
                ),
                Question(
                    "owner",
                    _("Owner or lessor"),
                    "§ 10-65(a)",
                    is_required=True,
                    when=LEASED,
                    classes="A",
                ),
                Question(
                    "lease_from",
                    _("Lease from"),
                    "F.S. 849.0931(11)(c)",
                    Type.DATE,
                    is_required=True,
                    when=LEASED,
                    classes="A",
                ),
                Question(
                    "lease_to",
                    _("Lease to"),
                    "F.S. 849.0931(11)(c)",
                    Type.DATE,
                    is_required=True,
                    why=_("A lease runs for at least one year."),
                    when=LEASED,
                    classes="A",
                ),
                Question(
                    "rent",
                    _("Rent is"),
                    "§ 10-68(6)",
                    Type.CHOICE,
                    is_required=True,
                    choices=RENTS,
                    why=_("Rent may not turn on receipts, attendance or seats."),
                    when=LEASED,
                    classes="A",
                ),
                Question(
                    "amount",
                    _("Rent for each session, in dollars"),
                    "§ 10-68(6)",
                    Type.MONEY,
                    when=When("rent", frozenset({"fixed"})),
                    classes="A",
                ),
                Question("lessees", _("Who plays there"), "§ 10-68(5)", classes="B"),
            ),
            cite="§ 10-68(5)",
            least=1,
        ),
    ),
    papers=(
        Paper("lease", _("Lease"), "§ 10-68(6)"),
        Paper("deed", _("Deed or other proof of ownership"), "§ 10-65(a)"),
        Paper("resolution", _("Resolution for public property"), "F.S. 849.0931(11)", classes="A"),
    ),
)
PLAY = Step(
    "play",
    _("Days and hours"),
    _("The usual days. Bingo on at most two days of a week, between 9 a.m. and midnight."),
    items=(
        Rows(
            "days",
            _("Days of play"),
            _("Day"),
            (
                Question(
                    "weekday",
                    _("Day of the week"),
                    "§ 10-63(1)",
                    Type.CHOICE,
                    is_required=True,
                    choices=WEEKDAYS,
                ),
                Question("opens", _("From"), "§ 10-68(1)", Type.TIME, is_required=True),
                Question(
                    "closes",
                    _("To"),
                    "§ 10-68(1)",
                    Type.TIME,
                    is_required=True,
                    hint=_("Midnight is 24:00."),
                ),
                Question(
                    "games",
                    _("What is played"),
                    "§ 10-63(1)",
                    Type.CHOICE,
                    is_required=True,
                    choices=USES,
                ),
            ),
            cite="§ 10-63(1)",
            least=1,
        ),
    ),
    classes="A",
)
INTERESTS = Step(
    "interests",
    _("Interests in the hall"),
    _("Everybody with an interest in the lessor. None of them may conduct bingo or help with it."),
    items=(
        Question(
            "none_besides",
            _("Is there anybody with an interest besides the officers named before?"),
            "§ 10-65(b)",
            Type.YES_NO,
            is_required=True,
            choices=YES_NO,
        ),
        Rows(
            "people",
            _("People with an interest"),
            _("Person"),
            (
                Question("name", _("Full name"), "§ 10-65(b)", Type.NAME, is_required=True),
                Question(
                    "tie", _("Tie"), "§ 10-65(b)", Type.CHOICE, is_required=True, choices=TIES
                ),
            ),
            cite="§ 10-65(b)",
            least=1,
            when=When("none_besides", SAID_YES),
        ),
    ),
    classes="B",
)
