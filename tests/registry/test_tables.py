"""Tables: counted, sorted for certain, paged without counting, saved as files."""

import csv
import io
import re
from datetime import date

import django_filters
import django_tables2
import pytest
from django.http import QueryDict
from django.template import RequestContext, Template
from django.test import RequestFactory
from django.utils.translation import ngettext_lazy

from registry import exports, tables
from registry.models import Organization, Person
from registry.tables import (
    DateColumn,
    Link,
    RegisterFilterSet,
    RegisterTable,
    StatusColumn,
    replaced,
    without,
)
from registry.worded import Mark
from tests.factories import OrganizationFactory, PersonFactory


class PeopleTable(RegisterTable):
    caption = ngettext_lazy("%(shown)s person", "%(shown)s people", "count")

    full_name = django_tables2.Column("Name")
    born_on = DateColumn(verbose_name="Born")


class StandingTable(RegisterTable):
    name = django_tables2.Column("Name")
    mark = StatusColumn("Today")
    remark = django_tables2.Column("Reason", orderable=False)


class OrganizationFilters(RegisterFilterSet):
    kind = django_filters.ChoiceFilter(choices=Organization.Kind.choices, label="Kind")
    city = django_filters.CharFilter(label="City")

    class Meta:
        model = Organization
        fields = []


def page(table, number=1, per_page=50, address="/"):
    table.turn_to(number, per_page)
    request = RequestFactory().get(address)
    template = Template("{% include 'django_tables2/table.html' %}")
    return template.render(RequestContext(request, {"table": table}))


def people(count):
    return [PersonFactory(full_name="Pat Doe", born_on=date(1961, 11, 30)) for _n in range(count)]


@pytest.mark.django_db
def test_rows_that_are_alike_stand_on_one_page_each():
    made = people(45)
    seen = []

    for number in range(1, 6):
        table = PeopleTable(Person.objects.all(), order_by="born_on")
        table.turn_to(number, 9)
        seen += [person.pk for person in table.records]

    assert seen == [person.pk for person in made]


@pytest.mark.django_db
@pytest.mark.parametrize("sort", ["full_name", "-full_name", ["born_on", "-full_name"]])
def test_every_sort_ends_with_the_key(sort):
    table = PeopleTable(Person.objects.all(), order_by=sort)

    assert table.data.data.query.order_by[-1] == "pk"


@pytest.mark.django_db
def test_the_order_of_the_selector_stands_until_somebody_sorts():
    table = PeopleTable(Person.objects.order_by("-sort_name"))

    assert table.data.data.query.order_by == ("-sort_name", "pk")


@pytest.mark.django_db
@pytest.mark.parametrize("count", [1, 3])
def test_a_page_takes_two_queries_however_many_rows(count, django_assert_num_queries):
    people(count)

    with django_assert_num_queries(2):
        page(PeopleTable(Person.objects.all()))


def test_the_caption_counts():
    rows = [{"name": "Pat", "mark": Mark.NOTE, "remark": ""}]

    assert [PeopleTable(rows * n).counted for n in (0, 1, 2, 1234)] == [
        "0 people",
        "1 person",
        "2 people",
        "1,234 people",
    ]


@pytest.mark.django_db
def test_counting_stops_at_a_bound(monkeypatch):
    people(4)
    monkeypatch.setattr(tables, "COUNTED", 3)
    table = PeopleTable(Person.objects.all())
    table.turn_to(1, 2)

    assert (table.counted, table.last_page) == ("more than 3 people", None)


def test_a_page_that_is_not_there_shows_the_first():
    table = PeopleTable([{"full_name": "Pat"}])

    table.turn_to(99, 10)

    assert table.records == [{"full_name": "Pat"}]


def test_a_row_is_a_card_with_labels_and_names_are_escaped():
    rows = [{"name": "<b>Pat</b>", "mark": Mark.MISSING, "remark": None}]

    html = page(StandingTable(rows))

    assert re.findall(r'data-label="([^"]*)"', html) == ["Name", "Today", "Reason"]
    assert '<th scope="row" data-label="Name">&lt;b&gt;Pat&lt;/b&gt;</th>' in html
    assert "Papers missing" in html
    assert '<td data-label="Reason"></td>' in html


def test_the_sorted_column_says_so_and_turns_around():
    rows = [{"name": name, "mark": Mark.NOTE, "remark": ""} for name in ("A", "B")]

    up = page(StandingTable(rows, order_by="name"), address="/?sort=name&page=3&kind=x")
    down = page(StandingTable(rows, order_by="-name"), address="/?sort=-name")

    assert 'aria-sort="ascending"' in up
    assert 'href="?sort=-name&amp;kind=x"' in up
    assert 'aria-sort="descending"' in down
    assert up.index(">A<") < up.index(">B<")
    assert down.index(">B<") < down.index(">A<")


def test_pages_are_linked_within_the_address():
    rows = [{"name": str(n), "mark": Mark.NOTE, "remark": ""} for n in range(5)]

    html = page(StandingTable(rows), number=2, per_page=2, address="/?page=2&kind=x")

    assert re.findall(r'rel="(\w+)" href="([^"]+)"', html) == [
        ("prev", "?page=1&amp;kind=x"),
        ("next", "?page=3&amp;kind=x"),
    ]
    assert "Page 2 of 3" in html


def test_an_empty_table_says_what_will_be_here_and_the_first_act():
    class Empty(StandingTable):
        first_act = Link("Bring in a roster", "/roster/")

        class Meta:
            empty_text = "No members yet."

    html = page(Empty([]))

    assert "No members yet." in html
    assert '<a class="usa-button" href="/roster/">Bring in a roster</a>' in html
    assert "<table" not in html
    assert "Nothing here yet." in page(StandingTable([]))


def test_a_row_template_draws_the_row(settings, tmp_path):
    (tmp_path / "row.html").write_text("<tr><td>{{ labels.full_name }}: {{ record }}</td></tr>")
    [engine] = settings.TEMPLATES
    settings.TEMPLATES = [{**engine, "DIRS": [*engine["DIRS"], tmp_path]}]

    class Fast(PeopleTable):
        row_template = "row.html"

    assert "<tr><td>Name: Pat</td></tr>" in page(Fast(["Pat"]))


def test_a_file_has_every_page_plain_days_and_empty_cells():
    table = PeopleTable(
        [
            {"full_name": "-Dash Demo", "born_on": date(1961, 11, 30)},
            {"full_name": "Pat", "born_on": None},
        ]
    )
    table.turn_to(1, 1)

    text = "".join(exports.lines(table.exported())).removeprefix("\ufeff")

    assert list(csv.reader(io.StringIO(text))) == [
        ["Name", "Born"],
        ["'-Dash Demo", "1961-11-30"],
        ["Pat", ""],
    ]


@pytest.mark.django_db
def test_filters_that_are_on_are_chips_that_can_be_taken_off():
    query = QueryDict("kind=charitable&city=Dade&sort=name&page=2")
    filters = OrganizationFilters(query, queryset=Organization.objects.all())

    assert filters.chips(query) == [
        Link("Kind: charitable organization", "?city=Dade&sort=name"),
        Link("City: Dade", "?kind=charitable&sort=name"),
    ]
    assert [chip.label for chip in filters.chips(query, "kind")] == ["City: Dade"]


@pytest.mark.django_db
def test_one_filter_may_show_as_links_beside_each_other():
    query = QueryDict("kind=other&page=2")
    filters = OrganizationFilters(query, queryset=Organization.objects.all())

    switches = filters.switches("kind", query)

    assert [(link.label, link.url) for link in switches if link.is_current] == [
        ("hall owner only", "?kind=other")
    ]
    assert (switches[0].label, switches[0].url) == ("All", "?")
    assert len(switches) == 1 + len(Organization.Kind)


@pytest.mark.django_db
def test_an_unknown_choice_filters_nothing_and_shows_no_chip():
    OrganizationFactory()
    query = QueryDict("kind=%3Cscript%3E")
    filters = OrganizationFilters(query, queryset=Organization.objects.all())

    assert filters.chips(query) == []
    assert filters.qs.count() == 1


def test_the_address_keeps_what_it_is_not_asked_to_change():
    query = QueryDict("a=1&a=2&b=3&page=4")

    assert without(query, "b") == "?a=1&a=2"
    assert replaced(query, "b", "x y") == "?a=1&a=2&b=x+y"
