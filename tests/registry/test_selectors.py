"""Who is found by what is typed, and by whom."""

from __future__ import annotations

import csv
import re
import unicodedata
from pathlib import Path

import pytest
from django.contrib.auth.models import AnonymousUser
from django.http import Http404

from registry.doubles import same_human
from registry.history import System, acting
from registry.models import Organization, Person
from registry.selectors import (
    acts_about,
    family_of,
    find_organizations,
    find_people,
    find_people_rows,
    offices_of,
    organization_for,
    people,
    person_for,
    user_by_address,
    users,
    work_items_about,
)
from registry.services import tidy
from tests.factories import (
    AccountHolderFactory,
    OrganizationFactory,
    PersonFactory,
    RoleGrantFactory,
    UserFactory,
    WorkItemFactory,
)

pytestmark = pytest.mark.django_db

DATA = Path(__file__).resolve().parent.parent / "data" / "tricky_names.csv"
# Letters that do not decompose; everything else loses its accent.
SPECIAL = str.maketrans({"ł": "l", "ø": "o", "đ": "d", "\u0131": "i", "æ": "ae"})


def tricky_names() -> list[str]:
    with DATA.open(encoding="utf-8", newline="") as file:
        return [row["full_name"] for row in csv.DictReader(file)]


def plain_part(name: str) -> str:
    """The longest run of Latin letters, lower case and without accents; "" where there is none.

    A letter under a heap of marks ends the run: nobody types such a name in one go.
    """
    composed = unicodedata.normalize("NFC", unicodedata.normalize("NFC", name).casefold())
    bare = "".join(
        "".join(c for c in unicodedata.normalize("NFD", letter) if not unicodedata.combining(c))
        or " "
        for letter in composed.translate(SPECIAL)
    )
    return max(re.findall("[a-z]+", bare), key=len, default="")[:40]


@pytest.fixture
def cleo():
    """A clerk."""
    return RoleGrantFactory().user


def test_the_file_of_names_is_there_and_holds_many_with_latin_letters() -> None:
    names = tricky_names()

    assert len(names) > 50
    assert sum(1 for name in names if plain_part(name)) > 35


def test_every_tricky_name_is_found_by_an_unaccented_part_of_it(cleo) -> None:
    names = [tidy(name) for name in tricky_names()]
    for name in names:
        PersonFactory(full_name=name[:200])

    lost = []
    for name in filter(plain_part, names):
        whole = {row.full_name for row in find_people(cleo, plain_part(name))}
        if name[:200] not in whole:
            lost.append((name, plain_part(name)))

    assert lost == []


def parts_of(name: str) -> set[str]:
    """Each word of a name in lower case and without marks, as somebody may type it."""
    bare = "".join(
        letter
        for letter in unicodedata.normalize("NFKD", name.casefold().translate(SPECIAL))
        if unicodedata.category(letter) not in {"Mn", "Me", "Cf"}
    )
    words = unicodedata.normalize("NFC", bare).split()
    return {word for word in words if any(letter.isalnum() for letter in word)}


def test_every_tricky_name_in_any_script_is_found_by_each_of_its_words(cleo) -> None:
    names = [tidy(name)[:200] for name in tricky_names()]
    with acting(System.SET_UP, "test.made"):
        people = Person.objects.bulk_create(Person(full_name=name) for name in names)

    lost = [
        (person.full_name, part)
        for person in people
        for part in parts_of(person.full_name)
        if not find_people_rows(cleo, part).filter(pk=person.pk).exists()
    ]

    assert lost == []


@pytest.mark.parametrize(
    ("name", "typed"),
    [
        ("\u0130rem I\u015f\u0131k Örnek", "isik"),
        ("שָׂרָה דוגמה", "שרה"),
        ("王小明", "小明"),
        ("Keku\u02bbuipo\u02bbi Ka\u02bbahumanu", "kaahumanu"),
        ("Đặng Ví Dụ", "vi"),
        ("Straße Beispiel", "strasse"),
        ("Strasse Beispiel", "straße"),
        ("Παράδειγμα Δοκιμόπουλος", "δοκιμοπουλος"),
        ("\u202eelpmaS taP\u202c", "elpmas"),
        ("Smith\u2011Example", "example"),
    ],
)
def test_a_name_is_found_by_a_part_without_its_marks(cleo, name, typed) -> None:
    person = PersonFactory(full_name=name)

    assert find_people(cleo, typed) == [person]


def test_every_tricky_name_is_found_by_itself(cleo) -> None:
    names = [tidy(name)[:200] for name in tricky_names()]
    for name in names:
        PersonFactory(full_name=name)

    lost = [n for n in names if n not in {row.full_name for row in find_people(cleo, n)}]

    assert lost == []


@pytest.mark.parametrize(
    ("typed", "found"),
    [
        ("lukasz", ["Łukasz Żółć-Przykład"]),
        ("zolc", ["Łukasz Żółć-Przykład"]),
        ("PRZYKLAD lukasz", ["Łukasz Żółć-Przykład"]),
        ("soren", ["Søren Ågård"]),
        ("o", ["O", "Tomás O'Brien"]),
        ("ag", ["Søren Ågård"]),
        ("brien", ["Tomás O'Brien"]),
        ("o\u2019brien", ["Tomás O'Brien"]),
        ("%", []),
        ("_____", []),
        ("e\u0301\u0302", []),
        ("\0", ["O", "Søren Ågård", "Tomás O'Brien", "Łukasz Żółć-Przykład"]),
        ("nobody", []),
    ],
)
def test_people_are_found_as_they_are_typed_in_a_hurry(cleo, typed, found) -> None:
    for name in ("Łukasz Żółć-Przykład", "Søren Ågård", "O", "Tomás O'Brien"):
        PersonFactory(full_name=name)

    assert sorted(row.full_name for row in find_people(cleo, typed)) == sorted(found)


def test_names_that_begin_with_it_come_first(cleo) -> None:
    for name in ("Ann Marsh", "Marsha Young", "Zed Marsh"):
        PersonFactory(full_name=name)

    names = [row.full_name for row in find_people(cleo, "mars")]

    assert names == ["Marsha Young", "Ann Marsh", "Zed Marsh"]


def test_a_person_is_found_by_number_and_part_of_it(cleo) -> None:
    pat = PersonFactory()

    for typed in (pat.number, f"#{pat.number.lower()}", pat.number[:6]):
        assert find_people(cleo, typed) == [pat]


def test_who_was_joined_is_found_under_the_surviving_record_only(cleo) -> None:
    root = PersonFactory(full_name="Mary Quinn")
    joined = PersonFactory(full_name="Mary Quinn", merged_into=root)

    assert find_people(cleo, "quinn") == [root]
    assert person_for(cleo, joined.number) == root
    assert sorted(family_of(joined)) == sorted([root.pk, joined.pk])


def test_only_regulators_find_people(cleo) -> None:
    pat, ada = PersonFactory(full_name="Pat Sample"), AccountHolderFactory().user
    assert find_people(cleo, "pat") == [pat]

    for user in (ada, AnonymousUser(), UserFactory()):
        assert find_people(user, "pat") == []
        assert list(people(user)) == []
        with pytest.raises(Http404):
            person_for(user, pat.number)


def test_organizations_are_found_by_name_and_ein(cleo) -> None:
    names = ["St. Brendan's Parish", "Ægir Lodge", "Elks 2520"]
    made = {name: OrganizationFactory(name=name) for name in names}
    elks = OrganizationFactory(name="Elks of Hudson", ein="000012345")
    OrganizationFactory(name="Elks gone", merged_into=elks, merged_on="2026-01-01")

    assert find_organizations(cleo, "aegir") == [made["Ægir Lodge"]]
    assert find_organizations(cleo, "elks") == [made["Elks 2520"], elks]
    assert find_organizations(cleo, "00-0012345") == [elks]
    assert find_organizations(cleo, "000012345") == [elks]
    assert find_organizations(cleo, "st") == [made["St. Brendan's Parish"]]
    assert find_organizations(cleo, "") == [
        made["Elks 2520"], elks, made["St. Brendan's Parish"], made["Ægir Lodge"]
    ]  # fmt: skip


def test_an_account_holder_finds_only_his_own_organization() -> None:
    own = AccountHolderFactory(organization__name="Elks 2520")
    other = OrganizationFactory(name="Elks of Hudson", slug="hudson")
    assert Organization.objects.filter(search_name__contains="elks").count() == 2

    assert find_organizations(own.user, "elks") == [own.organization]
    with pytest.raises(Http404):
        organization_for(own.user, other.slug)


def test_one_human_is_known_by_name_and_birth_date_alone() -> None:
    pat = PersonFactory(full_name="Søren Ågård")

    assert same_human("SOREN AGARD", pat.born_on) == pat
    assert same_human("Soren Agard", None) is None
    PersonFactory(full_name="Søren Ågård")
    assert same_human("Soren Agard", pat.born_on) is None


def test_work_about_a_person_is_open_first_and_for_regulators(cleo) -> None:
    pat = PersonFactory()
    closed = WorkItemFactory(person=pat, closed_at="2026-01-01T12:00Z")
    opened = WorkItemFactory(person=PersonFactory(), other=pat)
    WorkItemFactory()

    assert list(work_items_about(cleo, pat)) == [opened, closed]
    assert list(work_items_about(AccountHolderFactory().user, pat)) == []


def test_history_is_for_regulators(cleo) -> None:
    post = AccountHolderFactory()
    assert acts_about(cleo, organization=post.organization).exists() is False
    assert not acts_about(post.user).exists()
    assert acts_about(cleo).exists()


def test_logins_are_for_those_who_manage_them(cleo) -> None:
    sam = RoleGrantFactory(role="supervisor").user

    assert set(users(sam)) == {cleo, sam}
    assert [row.role for row in offices_of(sam, cleo)] == ["clerk"]
    assert list(users(cleo)) == []
    assert offices_of(cleo, sam) == []


def test_a_login_is_found_by_its_address_in_any_case(cleo) -> None:
    ada = UserFactory(email="ada@example.org")
    UserFactory(email="gone@example.org", is_active=False)

    assert user_by_address(cleo, " ADA@example.org ") == ada
    assert user_by_address(cleo, "gone@example.org") is None
    assert user_by_address(AccountHolderFactory().user, "ada@example.org") is None
