"""The form every page uses, and its fields."""

import re
from datetime import date
from uuid import UUID

import pytest
from django import forms
from django.template import Context, Template

from registry.fields import (
    BirthDateField,
    Choice,
    DateField,
    EINField,
    Lookup,
    LookupField,
    NameField,
)
from registry.forms import ConfirmForm, RegisterForm, Why, errors_in_order

QUINNS = [
    Choice("P-7K2M3N", "Mary Quinn", "forties"),
    Choice("P-8K2M3N", "Mary Quinn", "twenties"),
    Choice("P-9K2M3N", "Marta Quinones"),
]
NEEDED = "This is needed to go on: fill it in."


class PersonForm(RegisterForm):
    why = {"born_on": Why("Nobody under 18 may work.", "§ 10-63(5)")}

    name = NameField(label="Full name")
    joined_on = DateField(label="Joined on", earliest=date(1900, 1, 1))
    born_on = BirthDateField(label="Birth date", required=False)
    ein = EINField(label="EIN", required=False)
    kind = forms.ChoiceField(label="Kind", choices=[("m", "member"), ("v", "volunteer")])
    duties = forms.MultipleChoiceField(
        label="Duties",
        choices=[("c", "caller"), ("s", "seller")],
        widget=forms.CheckboxSelectMultiple,
        required=False,
    )
    note = forms.CharField(label="Note", required=False, widget=forms.Textarea)
    sure = forms.BooleanField(label="I confirm it", required=False)


class DeskForm(RegisterForm):
    person = LookupField(label="Person")

    def prepare(self):
        lookup = Lookup(
            search=lambda text: [c for c in QUINNS if text.casefold() in c.label.casefold()],
            find=lambda key: next((c for c in QUINNS if c.key == key), None),
            url="/people/lookup/",
        )
        self.fields["person"].use(lookup)


def filled(**changes):
    data = {"name": "Mary Quinn", "joined_on": "11/13/2026", "kind": "m"} | changes
    return PersonForm(data)


def mistake(field, **changes):
    return filled(**changes).errors[field]


def page(form):
    return Template("{{ form }}").render(Context({"form": form}))


def test_what_was_typed_comes_out_as_values():
    form = filled(
        name="  Mary   Quinn ", born_on="Nov 30, 1961", ein="27-0125367", duties=["c", "s"]
    )

    assert form.is_valid()
    token = form.cleaned_data.pop("token")
    assert isinstance(token, UUID)
    assert form.cleaned_data == {
        "name": "Mary Quinn",
        "joined_on": date(2026, 11, 13),
        "born_on": date(1961, 11, 30),
        "ein": "270125367",
        "kind": "m",
        "duties": ["c", "s"],
        "note": "",
        "sure": False,
    }


def test_optional_dates_and_eins_may_be_left_empty():
    form = filled(born_on=" ", ein=" ")

    assert form.is_valid()
    assert (form.cleaned_data["born_on"], form.cleaned_data["ein"]) == (None, "")


def test_one_form_has_one_token_however_often_it_is_sent():
    first = PersonForm()
    token = str(first["token"].value())

    sent = [filled(token=token) for _press in range(2)]

    assert all(form.is_valid() for form in sent)
    assert {str(form.cleaned_data["token"]) for form in sent} == {token}
    assert str(PersonForm()["token"].value()) != token


def test_every_mistake_is_one_sentence_in_the_order_of_the_page():
    form = filled(
        name="Pat\x07", joined_on="30/11/2026", born_on="11/30/26", ein="12-345", kind="x"
    )

    assert [(bound.name, sentence) for bound, sentence in errors_in_order(form)] == [
        ("name", "“Pat” holds a control character that cannot be printed: type the name anew."),
        ("joined_on", "“30/11/2026” has no month 30: write the month first, as 11/30/2026."),
        (
            "born_on",
            "“11/30/26” leaves the year open: write it with four digits, as 11/30/2026.",
        ),
        ("ein", "“12-345” is not an EIN: it has nine digits, written as 12-3456780."),
        ("kind", "“x” is not on the list: choose one of those shown."),
    ]


def test_what_is_missing_says_what_to_do():
    form = PersonForm({})

    assert form.errors == {
        "name": [NEEDED],
        "joined_on": [NEEDED],
        "kind": ["This is needed to go on: choose one of those shown."],
    }


@pytest.mark.parametrize("name", ["name", "note"])
def test_a_social_security_number_is_refused_in_every_text_field(name):
    assert mistake(name, **{name: "Mary 078-05-1120"}) == [
        "This looks like a Social Security number; the register keeps none: take it out."
    ]


def test_an_ein_is_not_taken_for_a_social_security_number():
    assert "ein" not in filled(ein="078051120").errors


def test_markup_in_a_name_is_a_name():
    form = filled(name="<b>Pat</b>")

    assert form.is_valid()
    assert form.cleaned_data["name"] == "<b>Pat</b>"
    assert "<b>Pat" not in page(form)


@pytest.mark.parametrize(
    ("value", "sentence"),
    [
        ("12/31/1899", "“12/31/1899” is too early: the first day possible here is Jan 1, 1900."),
        ("0206-11-30", "“0206-11-30” is too early: the first day possible here is Jan 1, 1900."),
        ("1/1/2200", "“1/1/2200” is too late: the last day possible here is Dec 31, 2199."),
    ],
)
def test_a_day_out_of_bounds_is_told_the_bound(value, sentence):
    assert mistake("joined_on", joined_on=value) == [sentence]


def test_the_bounds_themselves_are_possible():
    assert filled(joined_on="1/1/1900").is_valid()
    assert filled(joined_on="12/31/2199").is_valid()


def test_nobody_is_born_tomorrow(time_machine):
    time_machine.move_to("2026-12-01T03:00:00Z")  # Nov 30, 10 PM in the county

    assert "born_on" not in filled(born_on="11/30/2026").errors
    assert mistake("born_on", born_on="12/1/2026") == [
        "“12/1/2026” is too late: the last day possible here is Nov 30, 2026."
    ]


def test_a_day_is_shown_back_in_full_and_words_stay_as_typed():
    shown = PersonForm(initial={"joined_on": date(2026, 3, 1)})
    returned = filled(joined_on="sometime")

    assert 'value="03/01/2026"' in str(shown["joined_on"])
    assert 'value="sometime"' in str(returned["joined_on"])


def test_two_spellings_of_one_day_are_no_change():
    form = PersonForm(
        {"name": "Mary Quinn", "joined_on": "Nov 13, 2026", "kind": "m"},
        initial={"name": "Mary Quinn", "joined_on": date(2026, 11, 13), "kind": "m"},
    )

    assert [name for name in form.changed_data if name != "token"] == []


def test_a_stored_ein_is_shown_with_its_hyphen():
    assert 'value="27-0125367"' in str(PersonForm(initial={"ein": "270125367"})["ein"])


def test_the_chosen_entry_is_what_the_scoped_search_finds():
    form = DeskForm({"person": "Mary Quinn", "person_key": "P-8K2M3N"})

    assert form.is_valid()
    assert form.cleaned_data["person"] == QUINNS[1]


def test_somebody_elses_key_finds_nothing():
    form = DeskForm({"person": "Ann Other", "person_key": "P-OTHER1"})

    assert form.errors["person"] == [
        "“Ann Other” was not found: type the name again and choose from the list."
    ]


def test_typing_alone_is_enough_when_one_fits():
    form = DeskForm({"person": "quinones"})

    assert form.is_valid()
    assert form.cleaned_data["person"] == QUINNS[2]


def test_without_javascript_several_are_offered_and_one_is_picked():
    unsure = DeskForm({"person": "quinn"})
    picked = DeskForm({"person": "quinn", "person_key": "", "person_pick": "P-7K2M3N"})

    html = page(unsure)

    assert unsure.errors["person"] == ["“quinn” fits 2 entries: choose one of those shown."]
    assert re.findall(r'name="person_pick" value="([^"]+)"', html) == ["P-7K2M3N", "P-8K2M3N"]
    assert picked.is_valid()
    assert picked.cleaned_data["person"] == QUINNS[0]


@pytest.mark.parametrize(
    ("typed", "sentence"),
    [
        ("zzz", "“zzz” was not found: check the spelling or type less of it."),
        ("", NEEDED),
    ],
)
def test_a_lookup_that_finds_nothing_says_so(typed, sentence):
    assert DeskForm({"person": typed}).errors["person"] == [sentence]


def test_offers_of_one_form_do_not_reach_the_next():
    page(DeskForm({"person": "quinn"}))

    assert "person_pick" not in page(DeskForm())


def test_the_page_links_each_mistake_to_its_field():
    html = page(filled(name="", joined_on="soon"))

    targets = re.findall(r'<li><a href="#([^"]+)"', html)
    described = re.findall(r'id="([^"]+)"[^>]*aria-invalid="true"', html) + re.findall(
        r'aria-invalid="true"[^>]*id="([^"]+)"', html
    )

    assert targets == ["id_name", "id_joined_on"]
    assert sorted(set(described)) == ["id_joined_on", "id_name"]
    assert 'id="id_name_error"' in html
    assert "2 things to correct" in html


def test_optional_fields_say_so_and_a_form_of_only_optional_ones_does_not():
    class Filters(RegisterForm):
        name = forms.CharField(required=False)

    html = page(PersonForm())

    assert html.count("(optional)") == 4
    assert "(optional)" not in page(Filters())


def test_the_reason_stands_behind_an_i_with_its_paragraph():
    html = page(PersonForm())

    assert html.count('<details class="why">') == 1
    assert "Nobody under 18 may work." in html
    assert "§ 10-63(5)" in html


def test_every_widget_wears_its_component():
    html = page(PersonForm())

    classes = [name for name in re.findall(r'class="(usa-[a-z_-]+)"', html) if "__input" in name]
    assert classes.count("usa-checkbox__input") == 3
    assert 'class="usa-select"' in html
    assert 'class="usa-textarea"' in html
    assert html.count('class="usa-input"') == 4
    assert "placeholder" not in html


def test_a_confirmation_asks_why():
    assert ConfirmForm({"reason": " "}).errors == {"reason": [NEEDED]}
    assert ConfirmForm({"reason": "She left."}).is_valid()
