"""Enter people, and where they live."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date
from typing import Any

from django.http import Http404, HttpRequest
from django.urls import URLPattern, path, reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from registry.access import Capability
from registry.addresses import AddressEntry, end_address, record_address
from registry.doubles import doubles_of_entry
from registry.forms import ConfirmForm, RegisterForm
from registry.models import Person
from registry.party_forms import AddressForm, LastDayForm, PersonForm
from registry.reasons import kept, word_reasons
from registry.selectors import address_for, person_for
from registry.services import register_person, void
from registry.tables import Link
from registry.views.parties import ActOn


def person_page(person: Person) -> Link:
    """The way to a person's page."""
    return Link(person.full_name, reverse("person_detail", args=[person.number]))


def near_people(
    request: HttpRequest, full_name: str, born_on: date | None
) -> Mapping[str, Any] | None:
    """For `registry/_doubles.html`: whom a person being typed may be the same as, and why.

    None where there is nobody; for all but regulators there never is.
    """
    found = doubles_of_entry(request.user, full_name, born_on)
    near = [(person, word_reasons(kept(one)["reasons"])) for person, one in found]
    return {"near": near} if near else None


class PersonNew(ActOn):
    """Enter somebody whom no organization has named yet."""

    capability = Capability.KEEP_PEOPLE
    title = gettext_lazy("Enter a person")
    about = gettext_lazy(
        "For somebody whom no roster names, as the owner of a hall. Workers are entered on the"
        " roster of their organization."
    )
    verb = gettext_lazy("Enter the person")
    form_class = PersonForm
    is_live = True
    preview_template = "registry/_doubles.html"
    done_message = gettext_lazy("The person is in the register.")

    def trail(self) -> Sequence[Link]:
        """Up to the list."""
        return [Link(_("People"), reverse("person_list"))]

    def preview(self, form: RegisterForm) -> Mapping[str, Any] | None:
        """Who is in the register already and may be the same person."""
        typed = form.cleaned_data
        return near_people(self.request, typed["full_name"], typed["born_on"])

    def act(self, form: RegisterForm) -> Any:
        """Write the person."""
        assert isinstance(form, PersonForm)
        return register_person(self.by, form.entry)

    def success_url(self, result: Any) -> str:
        """The person's page."""
        return person_page(result).url if result else reverse("person_list")


class PersonAct(ActOn):
    """An act on one person; done, it leads back to the person's page."""

    capability = Capability.KEEP_PEOPLE
    person: Person

    def find(self) -> None:
        """The person of this number."""
        self.person = person_for(self.request.user, self.kwargs["number"])

    def trail(self) -> Sequence[Link]:
        """Up to the person's page."""
        return [Link(_("People"), reverse("person_list")), person_page(self.person)]

    def success_url(self, result: Any) -> str:
        """The person's page."""
        return person_page(self.person).url


class AddressRecord(PersonAct):
    """Record where a person lives from a day on."""

    title = gettext_lazy("Record an address")
    verb = gettext_lazy("Record the address")
    form_class = AddressForm
    done_message = gettext_lazy("The address is recorded.")

    def act(self, form: RegisterForm) -> Any:
        """Write it."""
        typed = {name: form.cleaned_data[name] for name in AddressEntry.__slots__}
        return record_address(self.by, self.person, AddressEntry(**typed))


class AddressAct(PersonAct):
    """An act on one of a person's addresses."""

    def find(self) -> None:
        """The address, of the person of this number."""
        super().find()
        found = address_for(self.request.user, self.person, self.kwargs["pk"])
        if found is None:
            raise Http404
        self.address = found

    @property
    def about(self) -> str:
        """Which address."""
        return str(self.address)


class AddressEnd(AddressAct):
    """Record the last day of an address."""

    title = gettext_lazy("End the address")
    verb = gettext_lazy("End the address")
    form_class = LastDayForm
    done_message = gettext_lazy("The address is ended.")

    def act(self, form: RegisterForm) -> Any:
        """Write it."""
        return end_address(self.by, self.address, last_day=form.cleaned_data["last_day"])


class AddressVoid(AddressAct):
    """Take out an address that was entered in error."""

    title = gettext_lazy("Take the address out")
    verb = gettext_lazy("Take the address out")
    form_class = ConfirmForm
    is_dangerous = True
    done_message = gettext_lazy("The address is out; the history keeps it.")

    def act(self, form: RegisterForm) -> Any:
        """Void it, with the reason."""
        reason = form.cleaned_data["reason"]
        return void(self.by, self.address, reason=reason, capability=Capability.KEEP_PEOPLE)


urls: list[URLPattern] = [
    path("people/new/", PersonNew.as_view(), name="person_new"),
    path("people/<str:number>/addresses/new/", AddressRecord.as_view(), name="address_record"),
    path("people/<str:number>/addresses/<int:pk>/end/", AddressEnd.as_view(), name="address_end"),
    path(
        "people/<str:number>/addresses/<int:pk>/void/", AddressVoid.as_view(), name="address_void"
    ),
]
