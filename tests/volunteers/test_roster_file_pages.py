"""The pages of a roster file: file, check, confirm; all of it or nothing, and no dead end."""

from __future__ import annotations

import csv
import io
from dataclasses import dataclass
from datetime import date
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection
from django.http import HttpResponse
from django.template.loader import render_to_string
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from registry.exports import xlsx_bytes
from registry.history import Act
from registry.models import Organization
from tests.factories import (
    AccountHolderFactory,
    AssignmentFactory,
    LicensedFactory,
    MembershipFactory,
    PersonFactory,
    RoleGrantFactory,
    RosterFileFactory,
    UserFactory,
    WorkerFactory,
    days_ago,
)
from volunteers.filework import job_said
from volunteers.models import Assignment, FileJob, Membership, RosterFile
from volunteers.readers import read_file
from volunteers.selectors import unapproved
from volunteers.views.files_entered import saved_said

pytestmark = pytest.mark.django_db

HEADER = "First name,Last name,Birth date,Join date,Activity,Activity date,Duty"


def good(first: str, days: int = 40, duty: str = "") -> str:
    joined, done = days_ago(days).isoformat(), days_ago(min(days, 3)).isoformat()
    return f"{first},Sample,1970-01-02,{joined},meeting,{done},{duty}"


BAD = "Kim,Demo,1970-01-02,2/30/2026,,,"


def file_of(*rows: str, header: str = HEADER, name: str = "roster.csv") -> SimpleUploadedFile:
    return SimpleUploadedFile(name, "\n".join([header, *rows]).encode())


@dataclass
class Desk:
    """An officer at the pages of his organization's files."""

    client: Client
    organization: Organization

    def url(self, page: str = "roster_file", **parts: Any) -> str:
        return reverse(page, kwargs={"slug": self.organization.slug, **parts})

    def drop(self, *rows: str, **options: Any) -> HttpResponse:
        return self.client.post(self.url(), {"file": file_of(*rows, **options)})

    def read(self, *rows: str, **options: Any) -> RosterFile:
        """A file dropped and kept."""
        assert self.drop(*rows, **options).status_code == 302
        return RosterFile.objects.latest("pk")

    def at(self, step: str, file: RosterFile, query: str = "") -> str:
        return self.url(f"roster_file_{step}", pk=file.pk) + query

    def sent(self, url: str, **changes: Any) -> dict[str, Any]:
        """What the form of a page would send as it stands, with changes."""
        form = self.client.get(url).context["form"]
        shown = {name: form[name].value() for name in form.fields}
        data = {name: value for name, value in shown.items() if value not in (None, False)}
        return {n: v for n, v in (data | changes).items() if v is not None}


def sit_down(organization: Organization | None = None, name: str = "Ada Reyes") -> Desk:
    holder = AccountHolderFactory(
        user=UserFactory(name=name), **({"organization": organization} if organization else {})
    )
    client = Client()
    client.force_login(holder.user)
    return Desk(client, holder.organization)


@pytest.fixture
def desk() -> Desk:
    return sit_down()


# Step 1: the file.


def test_a_file_is_read_checked_and_kept_before_anything_is_entered(desk: Desk) -> None:
    answer = desk.drop(good("Pat"))

    file = RosterFile.objects.get()
    assert (answer.status_code, answer["Location"]) == (302, desk.at("read", file))
    assert (file.name, file.entered_at, Membership.objects.count()) == ("roster.csv", None, 0)
    assert Act.objects.get(verb="roster.received").organization == desk.organization


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (b"", "file"),
        (b"%PDF-1.7", "is a PDF file"),
        (b"Full name,Join date\n", "has no rows below its header"),
    ],
)
def test_what_cannot_be_read_says_so_on_the_field_and_is_not_kept(
    content: bytes, sentence: str, desk: Desk
) -> None:
    answer = desk.client.post(desk.url(), {"file": SimpleUploadedFile("r.csv", content)})

    assert answer.status_code == 422
    assert sentence in answer.context["form"].errors["file"][0]
    assert RosterFile.objects.count() == 0


def test_a_file_named_by_a_social_security_number_is_not_kept(desk: Desk) -> None:
    answer = desk.drop(good("Pat"), name="078-05-1120.csv")

    assert (answer.status_code, RosterFile.objects.count()) == (422, 0)
    assert "looks like a Social Security number" in answer.content.decode()


def test_what_was_understood_is_shown_each_as_a_control(desk: Desk) -> None:
    file = desk.read(good("Pat"))

    form = desk.client.get(desk.at("read", file)).context["form"]

    shown = {name: form[name].value() for name in form.fields if name not in {"token", "layout"}}
    assert shown == {
        "encoding": "utf-8",
        "delimiter": ",",
        "header_row": "1",
        "kind": "member",
        "column_0": "given_name",
        "column_1": "family_name",
        "column_2": "born_on",
        "column_3": "starts_on",
        "column_4": "activity",
        "column_5": "activity_on",
        "column_6": "duties",
    }


def test_choices_are_remembered_and_followed(desk: Desk) -> None:
    file = desk.read("Pat,Sample,1970-01-02,3/4/2026,,,")
    url = desk.at("read", file)

    answer = desk.client.post(url, desk.sent(url, date_order="dmy", kind="volunteer"))

    file.refresh_from_db()
    assert answer["Location"] == desk.at("check", file)
    assert (file.options["date_order"], file.options["kind"]) == ("dmy", "volunteer")
    row = desk.client.get(desk.at("check", file)).context["table"].records[0]
    assert row.since.isoformat() == "2026-04-03"


def test_the_preview_follows_the_controls_without_saving(desk: Desk) -> None:
    file = desk.read("Pat,Sample,1970-01-02,3/4/2026,,,")
    url = desk.at("read", file)

    answer = desk.client.post(url + "?live", desk.sent(url, date_order="dmy"))

    file.refresh_from_db()
    assert "since Apr 3, 2026" in answer.content.decode()
    assert set(file.options) == {"found"}


def test_an_open_question_stands_on_its_control_and_nothing_goes_on(desk: Desk) -> None:
    file = desk.read("A,Sample,,12/31/2025,,,", "B,Sample,,31/12/2025,,,")
    url = desk.at("read", file)

    page = desk.client.get(url)
    stopped = desk.client.post(url, desk.sent(url))
    enter = desk.client.get(desk.at("enter", file))
    chosen = desk.client.post(url, desk.sent(url, date_order="mdy"))

    assert [q.control for q in page.context["questions"]] == ["date_order"]
    assert (stopped.status_code, list(stopped.context["form"].errors)) == (422, ["date_order"])
    assert (enter.status_code, enter["Location"]) == (302, url)
    assert chosen["Location"] == desk.at("check", file)


def test_another_header_brings_other_columns_and_shows_them_first(desk: Desk) -> None:
    file = desk.read("Name,Joined,,,,,", good("Pat"))
    url = desk.at("read", file)

    answer = desk.client.post(url, desk.sent(url, header_row="2"))

    assert answer["Location"] == url
    form = desk.client.get(url).context["form"]
    assert [str(field.label) for field in form.columns][:2] == ["Name", "Joined"]


def test_a_choice_that_cannot_read_the_file_is_refused_on_its_control(desk: Desk) -> None:
    content = f"{HEADER}\nJos\xe9,Sample,,1/2/2026,,,\n".encode("windows-1252")
    desk.client.post(desk.url(), {"file": SimpleUploadedFile("r.csv", content)})
    file = RosterFile.objects.get()
    url = desk.at("read", file)

    answer = desk.client.post(url, desk.sent(url, encoding="utf-8"))

    assert (answer.status_code, list(answer.context["form"].errors)) == (422, ["encoding"])
    assert desk.client.get(url).context["form"]["encoding"].value() == "windows-1252"


def test_a_dropped_column_is_told_on_every_step(desk: Desk) -> None:
    file = desk.read(f"{good('Pat')},000-12-3456", header=f"{HEADER},SSN")

    for step in ("read", "check", "enter"):
        page = desk.client.get(desk.at(step, file)).content.decode()
        assert "the column SSN was dropped" in page, step
        assert "000-12" not in page
    assert b"000-12" not in bytes(file.content)


# Step 2: check.


def test_rows_with_mistakes_come_first_and_alone_until_others_are_asked_for(desk: Desk) -> None:
    file = desk.read(good("Pat"), BAD, good("Lee", 20))

    def names(query: str = "") -> list[str]:
        table = desk.client.get(desk.at("check", file, query)).context["table"]
        return [row.name for row in table.records]

    assert names() == ["Kim Demo"]
    assert names("?show=new") == ["Pat Sample", "Lee Sample"]
    assert names("?show=all") == ["Kim Demo", "Pat Sample", "Lee Sample"]
    page = desk.client.get(desk.at("check", file))
    assert [(str(s.label), s.count, s.is_current) for s in page.context["switches"]] == [
        ("All", 3, False),
        ("New", 2, False),
        ("Refused", 1, True),
    ]
    assert "that month has 28 days" in page.content.decode()


def test_every_new_row_reads_alike_whoever_the_register_knows(desk: Desk) -> None:
    PersonFactory(full_name="Pat Sample")
    file = desk.read(good("Pat"), good("Lee"))

    page = desk.client.get(desk.at("check", file)).content.decode()
    rows = page.split("<tbody>")[1].split("</tbody>")[0].split("</tr>")[:2]

    assert "county check pending" in rows[0]
    assert rows[0].replace("Pat", "Lee").replace(">2<", ">3<").split() == rows[1].split()


def test_the_rows_can_be_taken_away_as_a_file(desk: Desk) -> None:
    file = desk.read(good("Pat"), BAD)

    answer = desk.client.get(desk.at("check", file, "?show=all&export=csv"))
    rows = list(csv.reader(io.StringIO(b"".join(answer).decode("utf-8-sig"))))

    assert rows[0] == ["Name", "Row", "Status", "Join date", "May work", "What it says"]
    assert rows[2][:5] == ["Pat Sample", "2", "New", days_ago(40).isoformat(), str(days_ago(0))]
    assert rows[1][5].startswith("Join date: “2/30/2026” is not in the calendar")


def test_a_check_page_asks_the_same_queries_for_one_row_and_for_three(desk: Desk) -> None:
    one, three = desk.read(good("A")), desk.read(good("B"), good("C"), good("D"))

    def queries(file: RosterFile) -> int:
        with CaptureQueriesContext(connection) as asked:
            desk.client.get(desk.at("check", file, "?show=all"))
        return len(asked)

    assert queries(one) == queries(three)


# Step 3: confirm.


def test_the_statement_enters_the_rows_and_approves_those_who_may_work(desk: Desk) -> None:
    file = desk.read(good("Pat", duty="caller"), good("Lee", 20))
    url = desk.at("enter", file)

    answer = desk.client.post(url, desk.sent(url, confirmed="on"))

    assert answer["Location"] == desk.at("done", file)
    assert [(r.name_stated, r.attested_by) for r in Membership.objects.order_by("pk")] == [
        ("Pat Sample", "Ada Reyes"),
        ("Lee Sample", "Ada Reyes"),
    ]
    assert [(a.person.full_name, a.duties) for a in Assignment.objects.all()] == [
        ("Pat Sample", ["caller"])
    ]
    page = desk.client.get(desk.at("done", file)).content.decode()
    assert "2 people entered, 1 approved." in page
    assert "?standing=later" in page


def test_mistakes_stop_everything_until_only_the_good_rows_are_meant(desk: Desk) -> None:
    file = desk.read(*[good(f"P{n}", duty="seller") for n in range(7)], *[BAD] * 3)
    url = desk.at("enter", file)

    stopped = desk.client.post(url, desk.sent(url, confirmed="on"))
    nothing = Membership.objects.count()
    entered = desk.client.post(url, desk.sent(url, confirmed="on", good_only="on"), follow=True)
    assert "3 rows with mistakes were left out" in entered.content.decode()

    assert (stopped.status_code, list(stopped.context["form"].errors)) == (422, ["good_only"])
    assert (nothing, Membership.objects.count()) == (0, 7)
    assert [str(m) for m in entered.context["messages"]] == ["7 people entered, 7 approved."]


def test_nothing_is_entered_without_the_statement_or_approved_without_a_duty(desk: Desk) -> None:
    file = desk.read(good("Pat"))
    url = desk.at("enter", file)

    asked = desk.client.get(url).context["form"]["duty"]
    bare = desk.client.post(url, desk.sent(url))
    chosen = desk.client.post(url, desk.sent(url, confirmed="on", duty="floor"))

    assert (bare.status_code, sorted(bare.context["form"].errors)) == (422, ["confirmed", "duty"])
    assert (asked.label, asked.is_optional) == (
        "Duty of the one to be approved for whom the file names none",
        False,
    )
    assert chosen.status_code == 302
    assert Assignment.objects.get().duties == ["floor"]


def test_approving_can_be_left_for_later(desk: Desk) -> None:
    file = desk.read(good("Pat"))
    url = desk.at("enter", file)

    desk.client.post(url, desk.sent(url, confirmed="on", approve=None))

    assert (Membership.objects.count(), Assignment.objects.count()) == (1, 0)


def test_who_is_refused_is_listed_with_the_reason_and_no_other_organizations_name(
    desk: Desk,
) -> None:
    busy = PersonFactory(full_name="Busy Sample")
    for _place in range(2):
        other = LicensedFactory(name="Secret Lodge")
        WorkerFactory(person=busy, organization=other)
        AssignmentFactory(person=busy, organization=other)
    pat = good("Pat", duty="caller").replace("Sample", "Oakley").replace("1970", "1981")
    file = desk.read(good("Busy", duty="caller"), pat)
    url = desk.at("enter", file)

    desk.client.post(url, desk.sent(url, confirmed="on"))
    page = desk.client.get(desk.at("done", file)).content.decode()

    assert Assignment.objects.filter(organization=desk.organization).count() == 1
    assert "1 person of this file is not approved" in page
    assert "Busy Sample" in page
    assert "Secret Lodge" not in page


def test_an_officers_own_line_waits_for_another_officer_who_opens_the_same_file(
    desk: Desk,
) -> None:
    file = desk.read("Ada,Reyes,1970-01-02,2020-01-02,,,", good("Pat", duty="caller"))
    url = desk.at("enter", file)
    desk.client.post(url, desk.sent(url, confirmed="on", good_only="on"))
    bea = sit_down(desk.organization, "Bea Other")

    before = [row.name_stated for row in Membership.objects.all()]
    bea.client.post(url, bea.sent(url, confirmed="on"))

    assert before == ["Pat Sample"]
    row = Membership.objects.get(name_stated="Ada Reyes")
    assert (row.attested_by, row.roster_file) == ("Bea Other", file)
    assert len(RosterFile.objects.get().result["entries"]) == 2


def test_a_clerk_keys_in_a_signed_paper_on_behalf_of_its_officer(desk: Desk) -> None:
    clerk = Client()
    clerk.force_login(RoleGrantFactory().user)
    at_county = Desk(clerk, desk.organization)
    file = at_county.read(good("Pat", duty="caller"))
    url = at_county.at("enter", file)

    bare = clerk.post(url, at_county.sent(url, confirmed="on"))
    clerk.post(
        url, at_county.sent(url, confirmed="on", officer="Ada Reyes", received_on="1/5/2026")
    )

    assert sorted(bare.context["form"].errors) == ["officer", "received_on"]
    row = Membership.objects.get()
    assert (row.attested_by, row.attested_on.isoformat(), row.evidence) == (
        "Ada Reyes",
        "2026-01-05",
        "signed roster",
    )


def test_a_second_press_finds_the_first(desk: Desk) -> None:
    file = desk.read(good("Pat", duty="caller"))
    url = desk.at("enter", file)
    data = desk.sent(url, confirmed="on")

    first, second = desk.client.post(url, data), desk.client.post(url, data)

    assert first["Location"] == second["Location"] == desk.at("done", file)
    assert (Membership.objects.count(), Act.objects.filter(verb="roster.entered").count()) == (1, 1)


def test_the_same_file_again_says_when_and_by_whom_and_offers_its_rows(desk: Desk) -> None:
    file = desk.read(good("Pat", duty="caller"))
    url = desk.at("enter", file)
    desk.client.post(url, desk.sent(url, confirmed="on"))

    again = desk.client.post(
        desk.url(),
        {"file": file_of(good("Pat", duty="caller"), name="other-name.csv")},
        follow=True,
    )

    assert again.redirect_chain[-1][0] == desk.at("check", file)
    said = [str(message) for message in again.context["messages"]]
    assert said[-1].startswith("This file was dropped before. Entered on ")
    assert said[-1].endswith("by Ada Reyes: 1 new line.")
    assert again.context["counts"]["same"] == 1
    assert desk.client.get(url)["Location"] == desk.at("check", file)


def test_closing_the_browser_loses_nothing(desk: Desk) -> None:
    waiting = desk.read(good("Pat"))
    entered = desk.read(good("Lee", duty="caller"))
    url = desk.at("enter", entered)
    desk.client.post(url, desk.sent(url, confirmed="on"))

    files = sit_down(desk.organization, "Bea Other").client.get(desk.url()).context["files"]

    assert [(line.file, line.url) for line in files] == [
        (entered, desk.at("check", entered)),
        (waiting, desk.at("check", waiting)),
    ]
    assert files[0].state.startswith("Entered on ")
    assert files[1].state == "Not entered yet"


def test_from_the_drop_to_the_tags_it_is_at_most_eight_pages(desk: Desk) -> None:
    pages = 1
    desk.client.get(desk.url())
    read = desk.client.post(
        desk.url(), {"file": file_of(*[good(f"P{n}", duty="caller") for n in range(30)])}
    )["Location"]
    pages += 1
    check = desk.client.post(read, desk.sent(read))["Location"]
    pages += 1
    enter = desk.client.get(check).context["enter_url"]
    pages += 1
    done = desk.client.post(enter, desk.sent(enter, confirmed="on"))["Location"]
    pages += 1
    tags = desk.client.get(done).context["acts"][0].url
    pages += 1

    assert desk.client.get(tags).status_code == 200
    assert pages + 1 <= 8  # and the sheet itself


# Whose pages these are.

STEPS = ["read", "check", "enter", "done"]


@pytest.mark.parametrize("step", STEPS)
def test_another_organizations_file_is_not_there_and_nothing_is_written(
    step: str, desk: Desk
) -> None:
    file = RosterFileFactory(content=f"{HEADER}\n{good('Pat')}\n".encode())
    before = (RosterFile.objects.get(pk=file.pk).options, Membership.objects.count())
    url = desk.at(step, file)
    theirs = reverse(f"roster_file_{step}", kwargs={"slug": file.organization.slug, "pk": file.pk})

    answers = [desk.client.get(url), desk.client.get(theirs), desk.client.get(desk.at(step, file))]
    posts = [desk.client.post(url, {"confirmed": "on"}), desk.client.post(theirs, {})]

    assert {answer.status_code for answer in (*answers, *posts)} <= {404, 405}
    after = (RosterFile.objects.get(pk=file.pk).options, Membership.objects.count())
    assert after == before


def test_a_file_that_never_was_is_not_there(desk: Desk) -> None:
    for step in STEPS:
        assert desk.client.get(desk.url(f"roster_file_{step}", pk=99_999)).status_code == 404


def test_an_auditor_enters_nothing(desk: Desk) -> None:
    file = desk.read(good("Pat"))
    auditor = Client()
    auditor.force_login(RoleGrantFactory(role="auditor").user)

    answers = [
        auditor.post(desk.url(), {"file": file_of(good("Lee"))}),
        auditor.post(desk.at("enter", file), {"confirmed": "on"}),
        auditor.get(desk.at("check", file)),
    ]

    assert [answer.status_code for answer in answers] == [403, 403, 403]
    assert (RosterFile.objects.count(), Membership.objects.count()) == (1, 0)


def test_a_check_page_takes_no_post(desk: Desk) -> None:
    file = desk.read(good("Pat"))

    assert desk.client.post(desk.at("check", file)).status_code == 405
    assert desk.client.post(desk.at("done", file)).status_code == 405


def test_a_kept_file_that_can_no_longer_be_read_says_why(desk: Desk) -> None:
    file = RosterFileFactory(organization=desk.organization, content=b"Full name,Join date\n")

    page = desk.client.get(desk.at("check", file))

    assert page.status_code == 422
    assert "has no rows below its header" in page.content.decode()


# What was chosen once is proposed again.


def test_a_file_of_the_same_layout_is_read_as_the_one_before_and_says_so(desk: Desk) -> None:
    header = HEADER.replace("Join date", "Entry")
    first = desk.read("Pat,Sample,1970-01-02,3/4/2026,,,", header=header)
    url = desk.at("read", first)
    sent = desk.sent(url, column_3="starts_on", kind="volunteer", date_order="dmy")
    desk.client.post(url, sent)
    desk.client.post(url, desk.sent(url, date_order="dmy"))

    second = desk.read("Lee,Sample,1970-01-02,5/6/2026,,,", header=header, name="next.csv")
    page = desk.client.get(desk.at("read", second))
    rows = desk.client.get(desk.at("check", second)).context["table"].records

    assert page.context["like"] == first
    assert "Read the way <bdi>roster.csv</bdi> of" in page.content.decode()
    form = page.context["form"]
    assert (form["column_3"].value(), form["kind"].value()) == ("starts_on", "volunteer")
    assert [row.since.isoformat() for row in rows] == ["2026-06-05"]


def test_another_layout_or_another_organization_is_read_afresh(desk: Desk) -> None:
    first = desk.read(good("Pat"))
    url = desk.at("read", first)
    desk.client.post(url, desk.sent(url, kind="volunteer"))
    stranger = sit_down()

    swapped = desk.read("Lee,1970-01-02,2020-01-02", header="First name,Birth date,Join date")
    theirs = stranger.read(good("Kit"))

    for one, file in ((desk, swapped), (stranger, theirs)):
        page = one.client.get(one.at("read", file))
        assert (page.context["like"], page.context["form"]["kind"].value()) == (None, "member")


def test_a_remembered_date_order_gives_way_to_what_the_file_says(desk: Desk) -> None:
    first = desk.read("Pat,Sample,1970-01-02,3/4/2026,,,")
    url = desk.at("read", first)
    desk.client.post(url, desk.sent(url, date_order="dmy"))

    second = desk.read("Lee,Sample,1970-01-02,3/25/2026,,,", name="next.csv")

    row = desk.client.get(desk.at("check", second)).context["table"].records[0]
    assert (row.status_word, row.since.isoformat()) == ("New", "2026-03-25")


# Back with its problems, and once more corrected.


def handed_back(desk: Desk, file: RosterFile) -> bytes:
    answer = desk.client.get(desk.at("problems", file))
    assert answer.status_code == 200
    return b"".join(answer) if answer.streaming else answer.content


def test_a_file_comes_back_with_its_problems_and_enters_once_they_are_mended(desk: Desk) -> None:
    tricky = "Kay,Demo,1970-01-02,2/30/2026,=1+1,,"
    file = desk.read(good("Pat"), tricky, "", good("Lee"))

    back = handed_back(desk, file).decode("utf-8-sig")
    rows = list(csv.reader(io.StringIO(back)))
    mended = back.replace("2/30/2026", days_ago(40).isoformat()).replace("'=1+1", "")
    upload = SimpleUploadedFile("mended.csv", mended.encode())
    desk.client.post(desk.url(), {"file": upload})
    again = RosterFile.objects.latest("pk")
    check = desk.client.get(desk.at("check", again))
    twice = list(csv.reader(io.StringIO(handed_back(desk, again).decode("utf-8-sig"))))

    assert rows[0] == [*HEADER.split(","), "Problem"]
    assert [row[:2] for row in rows[1:] if any(row)] == [
        ["Pat", "Sample"],
        ["Kay", "Demo"],
        ["Lee", "Sample"],
    ]
    told = {row[0]: row[-1] for row in rows[1:]}
    assert told["Kay"].startswith("Join date: “2/30/2026” is not in the calendar")
    assert told["Pat"] == told["Lee"] == ""
    assert check.context["counts"]["new"] == 3
    assert check.context["counts"]["refused"] == 0
    assert twice[0] == rows[0]
    assert Act.objects.filter(verb="list.downloaded").count() == 2


def test_a_workbook_comes_back_as_a_workbook(desk: Desk) -> None:
    rows = [HEADER.split(","), ["Kim", "Demo", date(1970, 1, 2), "2/30/2026"]]
    name = "roster.xlsx"
    book = SimpleUploadedFile(name, xlsx_bytes("Members", rows))
    desk.client.post(desk.url(), {"file": book})
    file = RosterFile.objects.get()

    sheet = read_file(name, handed_back(desk, file))

    assert sheet.sheet
    assert sheet.rows[0][-1] == "Problem"
    assert sheet.rows[1][:4] == ["Kim", "Demo", date(1970, 1, 2), "2/30/2026"]
    assert "is not in the calendar" in str(sheet.rows[1][-1])


# Controls follow.


def test_the_file_is_shown_as_it_was_read(desk: Desk) -> None:
    content = "Roster of the post\n\nName;Join date\nJosé Example;2020-01-02\n"
    upload = SimpleUploadedFile("r.csv", content.encode("windows-1252"))
    desk.client.post(desk.url(), {"file": upload})

    page = desk.client.get(desk.at("read", RosterFile.objects.get()))

    raw = page.context["raw"]
    assert [(number, cells) for number, is_header, cells in raw if is_header] == [
        (3, ["Name", "Join date"])
    ]
    assert raw[3][2] == ["José Example", "2020-01-02"]


def test_a_control_that_a_choice_brings_up_comes_with_the_preview(desk: Desk) -> None:
    file = desk.read("Pat,Sample,1970-01-02,2020-01-02,3/4/2026,,")
    url = desk.at("read", file)
    sent = desk.sent(url)

    same = desk.client.post(url + "?live", sent).content.decode()
    other = desk.client.post(url + "?live", sent | {"column_4": "ends_on"}).content.decode()

    assert "hx-swap-oob" not in same
    assert 'id="controls" hx-swap-oob="true"' in other
    assert 'name="date_order"' in other


def test_without_scripts_reading_again_shows_the_new_columns_and_saves_nothing(
    desk: Desk,
) -> None:
    file = desk.read("Name,Joined,,,,,", good("Pat"))
    url = desk.at("read", file)

    page = desk.client.post(url, desk.sent(url, header_row="2", again="1"))

    file.refresh_from_db()
    labels = [str(field.label) for field in page.context["form"].columns]
    assert (page.status_code, labels[:2], set(file.options)) == (200, ["Name", "Joined"], {"found"})


@pytest.mark.parametrize(
    ("cell", "control", "answer", "joined"),
    [
        ("46000", "serials", "1900", "2025-12-09"),
        ("3/4/65", "two_digit_years", "past", "1965-03-04"),
    ],
)
def test_a_question_is_answered_by_its_own_control(
    cell: str, control: str, answer: str, joined: str, desk: Desk
) -> None:
    file = desk.read(f"Pat,Sample,1970-01-02,{cell},,,")
    url = desk.at("read", file)

    asked = [question.control for question in desk.client.get(url).context["questions"]]
    unanswered = desk.client.post(url, desk.sent(url))
    desk.client.post(url, desk.sent(url, **{control: answer}))
    table = desk.client.get(desk.at("check", file)).context["table"]

    assert asked == [control]
    assert list(unanswered.context["form"].errors) == [control]
    assert [str(row.since) for row in table.records] == [joined]


def test_a_row_says_what_stands_in_the_file_wherever_the_reason_does_not(desk: Desk) -> None:
    born, early, more = "Pat,Demo,1/2/2021,1/2/2020,,,", "Lee,Demo,,1/2/1850,,,", "x"
    bingo = "Kim,Demo,1970-01-02,2020-01-02,bingo,2024-01-02,"
    file = desk.read(born, early, bingo, f"Sam,Demo,,2020-01-02,,,,{more}", good("Ann"))

    page = desk.client.get(desk.at("check", file, "?show=refused"))

    told = {row.number: row.told for row in page.context["table"].records}
    assert told == {
        2: "Birth date “1/2/2021”: The birth date lies after the join date. Check both.",
        3: "Join date “1/2/1850”: Nobody living joined so long ago: correct the year, or leave the"
        " row out.",
        4: "Activity: Bingo work does not count (§ 10-63(12)). Name an activity other than bingo.",
        5: "“x”: The row has more cells than the header: put quotes around a comma in a name.",
    }


@pytest.mark.parametrize(
    ("rows", "said"),
    [
        ((BAD,), "1 row has a mistake, and no other row is new."),
        (
            (good("Pat"), BAD),
            "Correct it in your file and drop the file again, or enter the others",
        ),
        ((good("Pat"),), "No row has a mistake."),
        (("Total 3,,,,,,",), "Nothing in this file is new"),
    ],
)
def test_the_rows_are_summed_up_as_they_are(desk: Desk, rows: tuple[str, ...], said: str) -> None:
    page = desk.client.get(desk.at("check", desk.read(*rows))).content.decode()

    assert said in page
    assert ("By this file" in page) is any(row != BAD and "Total" not in row for row in rows)


def test_what_was_taken_out_of_a_title_is_no_row_that_is_refused(desk: Desk) -> None:
    header = "Roster of 123-45-6789\nFirst name,Last name,Birth date,Join date,SSN,Social"
    file = desk.read("Pat,Demo,,2020-01-02,123456789,123 45 6780", header=header)

    pages = [desk.client.get(desk.at(step, file)) for step in ("check", "problems")]

    assert "the columns SSN, Social were dropped" in pages[0].content.decode()
    assert pages[0].context["counts"]["refused"] == 0
    handed_back = b"".join(pages[1].streaming_content).decode("utf-8-sig")  # type: ignore[attr-defined]
    assert handed_back.splitlines()[1:] == [
        "First name,Last name,Birth date,Join date,Problem",
        "Pat,Demo,,2020-01-02,",
    ]


def test_numbers_of_a_long_file_read_as_elsewhere() -> None:
    counts = {"rows": 20_000, "refused": 1_000, "new": 19_000}
    page = render_to_string("volunteers/_roster_file_sample.html", {"counts": counts})

    assert [text in page for text in ("20,000 rows", "1,000 have", "19,000 new")] == [True] * 3
    post = {"organization": {"slug": "post"}, "counts": [("cleared", "Cleared", 19_980, "cleared")]}
    assert "19,980 people" in render_to_string("registry/_standings.html", {"held": [post]})
    made = {"made": 19_980, "changed": 1_000, "approved": 1}
    assert saved_said(made) == "19,980 people entered, 1,000 lines changed, 1 approved."
    job = FileJob(state="running", phase="judge", done=2_208, total=20_000, beat_at=timezone.now())
    assert job_said(job) == "Checking the rows: 2,208 of 20,000 rows"


def test_who_is_approved_under_another_number_is_not_among_those_who_wait(desk: Desk) -> None:
    own = {"organization": desk.organization}
    left, right = PersonFactory.create_batch(2, full_name="Pat Sample")
    rows = [MembershipFactory(person=person, **own) for person in (left, right)]
    AssignmentFactory(person=left, **own)

    found = unapproved(Membership.objects.all(), desk.organization, days_ago(0))

    assert [row.pk for row in found] == [rows[1].pk]


def test_every_good_row_is_counted_once_and_nothing_of_which_there_is_none(desk: Desk) -> None:
    left = f"Ann,Sample,1970-01-02,2020-01-02,meeting,2020-03-01,,{days_ago(5)}"
    rows = [good("Pat") + ",", good("Kim", 7) + ",", good("Jo", 7) + ",", left, BAD + ","]
    file = desk.read(*rows, header=f"{HEADER},Leave date")

    page = desk.client.get(desk.at("check", file)).content.decode()

    assert "By this file 1 may work today, 2 from a later day and 1 has left or may not." in page


def test_a_file_without_a_good_row_does_not_say_that_all_are_on_the_roster(desk: Desk) -> None:
    file = desk.read(BAD)

    page = desk.client.get(desk.at("enter", file), follow=True)

    told = [str(message) for message in page.context["messages"]]
    said = "No row of this file can be entered: correct the rows, then drop the file again."
    assert (told, "By this file" in page.content.decode()) == ([said], False)


def test_the_reading_used_last_is_remembered_whichever_file_came_last(desk: Desk) -> None:
    first, second = desk.read(good("Pat")), desk.read(good("Kim"), name="second.csv")
    for file, kind in ((second, "volunteer"), (first, "associate")):
        url = desk.at("read", file)
        desk.client.post(url, desk.sent(url, kind=kind))

    third = desk.client.get(desk.at("read", desk.read(good("Lee"), name="third.csv")))

    assert (third.context["like"], third.context["form"]["kind"].value()) == (first, "associate")
