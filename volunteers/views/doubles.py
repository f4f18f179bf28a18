"""One human, one record: set two side by side, join them, part them, or tell them apart."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date
from typing import Any

from django import forms
from django.http import Http404, HttpResponseRedirect
from django.http.response import HttpResponseBase
from django.urls import URLPattern, path, reverse
from django.utils import timezone
from django.utils.functional import cached_property
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from registry.access import Capability, can
from registry.doubles import different_from, likeness_of
from registry.fields import Lookup, LookupField
from registry.forms import ConfirmForm, RegisterForm
from registry.models import Person
from registry.selectors import people, person_for
from registry.views.people import PersonAct, person_page
from volunteers.joining import (
    join_people,
    look_again,
    part_organization,
    part_record,
    take_back,
    tell_apart,
)
from volunteers.lookups import legal_bodies
from volunteers.unions import Judged, moved_with, records_of, union_of
from volunteers.views.desk import person_choices
from volunteers.views.pairs import (
    MOVED_WORDS,
    Side,
    clash_line,
    likeness_words,
    side_of,
    told,
)


class PairAct(PersonAct):
    """An act on two records of the address."""

    def find(self) -> None:
        """Both persons; there is no pair where both numbers lead to one record."""
        super().find()
        self.other = person_for(self.request.user, self.kwargs["other"])
        if self.other.pk == self.person.pk and self.request.method == "GET":
            raise Http404

    def success_url(self, result: Any) -> str:
        """The page of the record that stays."""
        return person_page(person_for(self.request.user, self.person.number)).url


class KeepForm(ConfirmForm):
    """Which number stays, and why the two are one human."""

    keep = forms.ChoiceField(
        label=gettext_lazy("The number that stays"),
        widget=forms.RadioSelect,
        help_text=gettext_lazy(
            "Its name and birth date count from now on. The other number leads to it."
        ),
    )

    field_order = ("keep", "reason")

    def __init__(self, *args: Any, pair: Sequence[Person], **kwargs: Any) -> None:
        self.pair = pair
        super().__init__(*args, **kwargs)

    def prepare(self) -> None:
        """The two numbers to choose from; the older record is proposed."""
        older = min(self.pair, key=lambda person: person.pk)
        choices = [(one.number, f"{one.full_name} #{one.number}") for one in self.pair]
        field = self.fields["keep"]
        assert isinstance(field, forms.ChoiceField)
        field.choices = choices
        field.initial = older.number

    @property
    def ordered(self) -> tuple[Person, Person]:
        """The record that stays, and the one that leads to it."""
        one, other = self.pair
        return (one, other) if self.cleaned_data["keep"] == one.number else (other, one)


class Join(PairAct):
    """Two records side by side; what one human would mean for them; then joined."""

    capability = Capability.JOIN_PEOPLE
    title = gettext_lazy("Join two records")
    about = gettext_lazy(
        "For one human who has two records. Nothing is moved or lost, and it can be undone."
    )
    verb = gettext_lazy("Join the records")
    template_name = "volunteers/join.html"
    preview_template = "volunteers/_union.html"
    form_class = KeepForm
    asks_first = True
    done_message = gettext_lazy("Joined. Both numbers lead to this page.")

    def form_arguments(self) -> dict[str, Any]:
        """The pair to choose from."""
        return {"pair": (self.person, self.other)}

    @cached_property
    def today(self) -> date:
        """The county's date."""
        return timezone.localdate()

    @property
    def sides(self) -> list[Side]:
        """Both records, with all that hangs on them."""
        return [side_of(one, self.today) for one in (self.person, self.other)]

    @property
    def likeness(self) -> str:
        """Why they may be one, in words."""
        return likeness_words(likeness_of(self.person, self.other))

    def preview(self, form: RegisterForm) -> Mapping[str, Any]:
        """What the rules would say of the one human they would be."""
        assert isinstance(form, KeepForm)
        stays, goes = form.ordered
        union = union_of(stays, goes, self.today)
        return {
            "kept": stays,
            "gone": goes,
            "bodies": [told(body) for body in union.bodies],
            "clashes": [clash_line(clash) for clash in union.clashes],
        }

    def act(self, form: RegisterForm) -> Any:
        """Join them."""
        assert isinstance(form, KeepForm)
        stays, goes = form.ordered
        return join_people(self.by, stays, goes, reason=form.cleaned_data["reason"])


class OtherForm(RegisterForm):
    """Whom to set beside the person."""

    other = LookupField(label=gettext_lazy("The other record"))

    def prepare(self) -> None:
        """Any person but this one."""
        del self.fields["token"]
        field = self.fields["other"]
        assert isinstance(field, LookupField)
        field.use(
            Lookup(
                search=lambda text: person_choices(self.by, text),
                find=lambda key: people(self.by).filter(number=key.upper()).first(),
                url=reverse("person_lookup"),
            )
        )


class JoinChoose(PersonAct):
    """Choose the record to set beside this one; nothing is written."""

    capability = Capability.JOIN_PEOPLE
    title = gettext_lazy("Join with another record")
    verb = gettext_lazy("Set side by side")
    form_class = OtherForm

    def post(self, *args: Any, **kwargs: Any) -> HttpResponseBase:
        """On to the two records."""
        self.find()
        form = self.form()
        other = form.cleaned_data["other"] if form.is_valid() else None
        if other is not None and other.pk == self.person.pk:
            form.add_error("other", _("This is the same record. Choose another one."))
            other = None
        if other is None:
            return self.page({"form": form}, status=422)
        return HttpResponseRedirect(reverse("person_join", args=[self.person.number, other.number]))


class TellApart(PairAct):
    """Two records, two humans: remembered, and never asked again."""

    title = gettext_lazy("Different people")
    verb = gettext_lazy("Record that they are different people")
    form_class = ConfirmForm
    done_message = gettext_lazy("Recorded: they are different people.")

    @property
    def about(self) -> str:
        """Which two, and why they were held for one."""
        return _("%(one)s #%(one_number)s and %(other)s #%(other_number)s. %(why)s") % {
            "one": self.person,
            "one_number": self.person.number,
            "other": self.other,
            "other_number": self.other.number,
            "why": likeness_words(likeness_of(self.person, self.other)),
        }

    def act(self, form: RegisterForm) -> Any:
        """Write it, with the reason."""
        return tell_apart(self.by, self.person, self.other, reason=form.cleaned_data["reason"])


class TakeBack(PersonAct):
    """“Different people” was entered in error."""

    title = gettext_lazy("Take back “different people”")
    verb = gettext_lazy("Take it back")
    form_class = ConfirmForm
    is_dangerous = True
    done_message = gettext_lazy("Taken back. The two may be asked about again.")

    def find(self) -> None:
        """The finding, about the person of this number."""
        super().find()
        found = different_from(self.request.user, self.person)
        pair = next((pair for pair in found if pair[0].pk == self.kwargs["pk"]), None)
        if pair is None:
            raise Http404
        self.finding, self.other = pair

    @property
    def about(self) -> str:
        """Who the other one is."""
        return f"{self.other} #{self.other.number}"

    def act(self, form: RegisterForm) -> Any:
        """Void it, with the reason."""
        return take_back(self.by, self.finding, reason=form.cleaned_data["reason"])


class PartRecord(PersonAct):
    """Take back a join: the other number is a record of its own again."""

    capability = Capability.JOIN_PEOPLE
    title = gettext_lazy("Part a joined record")
    verb = gettext_lazy("Part the records")
    form_class = ConfirmForm
    is_dangerous = True
    done_message = gettext_lazy("Parted. They are remembered as different people.")

    def find(self) -> None:
        """The joined record, of the person of this number."""
        super().find()
        records = records_of(self.request.user, self.person)
        number = self.kwargs["other"].upper()
        found = next((row for row in records if row.number == number), None)
        if found is None:
            raise Http404
        self.record = found

    @property
    def about(self) -> str:
        """What will stand for itself again."""
        return _(
            "%(name)s #%(number)s gets back its own rows, and what was entered since by"
            " organizations that list this record alone. All else stays under #%(kept)s."
        ) % {"name": self.record, "number": self.record.number, "kept": self.person.number}

    def act(self, form: RegisterForm) -> Any:
        """Part them."""
        number = self.record.number
        return part_record(self.by, self.person, number, reason=form.cleaned_data["reason"])


class PartOrganization(PersonAct):
    """What one organization stated becomes a person of its own."""

    capability = Capability.JOIN_PEOPLE
    title = gettext_lazy("Part an organization's person")
    verb = gettext_lazy("Make it a person of its own")
    form_class = ConfirmForm
    preview_template = "volunteers/_parting.html"
    asks_first = True
    is_dangerous = True
    done_message = gettext_lazy("Parted. They are remembered as different people.")

    @property
    def about(self) -> str:
        """Whose rows go."""
        return _("What %(organization)s stated of %(name)s goes to a new record.") % {
            "organization": self.organization,
            "name": self.person,
        }

    def preview(self, form: RegisterForm) -> Mapping[str, Any]:
        """What moves, and what the rules would say of both."""
        assert self.organization is not None
        moved = moved_with(self.person, self.organization, timezone.localdate())
        leaving = Judged(self.organization, moved.before, moved.here)
        return {
            "rows": [(MOVED_WORDS[name], count) for name, count in moved.rows],
            "bodies": [told(body) for body in (leaving, *moved.others)],
        }

    def act(self, form: RegisterForm) -> Any:
        """Part them."""
        assert self.organization is not None
        reason = form.cleaned_data["reason"]
        return part_organization(self.by, self.person, self.organization, reason=reason)

    def success_url(self, result: Any) -> str:
        """The new person's page."""
        return person_page(result or self.person).url


class LookAgain(PersonAct):
    """Look for records that may be the same person."""

    title = gettext_lazy("Look for the same person again")
    verb = gettext_lazy("Look again")
    about = gettext_lazy(
        "By name, birth date and address. What is found goes on the list of what waits."
    )

    def act(self, form: RegisterForm) -> Any:
        """Look, and list."""
        self.found = look_again(self.by, self.person)
        return self.found

    @property
    def done_message(self) -> str:
        """How many were found."""
        count = getattr(self, "found", 0)
        text = ngettext("%(count)s new pair is listed.", "%(count)s new pairs are listed.", count)
        return text % {"count": count} if count else _("Nobody new was found.")


def panel(user: Any, person: Person, bodies: Sequence[Any]) -> dict[str, Any]:
    """What a person's page shows of joined records, and of who is somebody else."""
    bodies = legal_bodies(bodies)
    return {
        "records": records_of(user, person),
        "different": different_from(user, person),
        "joins": can(user, Capability.JOIN_PEOPLE),
        "partable": bodies if len(bodies) > 1 else (),
    }


urls: list[URLPattern] = [
    path("people/<str:number>/join/", JoinChoose.as_view(), name="person_join_choose"),
    path("people/<str:number>/join/<str:other>/", Join.as_view(), name="person_join"),
    path(
        "people/<str:number>/different/<str:other>/", TellApart.as_view(), name="person_different"
    ),
    path("people/<str:number>/different/<int:pk>/back/", TakeBack.as_view(), name="different_void"),
    path("people/<str:number>/part/<str:other>/", PartRecord.as_view(), name="person_part"),
    path(
        "people/<str:number>/part-from/<slug:slug>/",
        PartOrganization.as_view(),
        name="person_part_organization",
    ),
    path("people/<str:number>/doubles/", LookAgain.as_view(), name="person_doubles"),
]
