"""Letters to an organization: the list, one with the state of its service, and what is done."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import django_tables2 as tables
from django import forms
from django.contrib import messages
from django.http import Http404
from django.http.response import HttpResponseBase
from django.urls import URLPattern, path, reverse
from django.utils import timezone
from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext, ngettext_lazy

from registry.access import Capability, can
from registry.fields import DateField, NameField
from registry.forms import RegisterForm, Why
from registry.generic import DetailView, PdfView, TableView
from registry.letterhead import letter_pdf
from registry.letters import (
    How,
    acts_on_letter,
    correct_service,
    letter_for,
    letters_of,
    letters_to_print,
    page_of,
    print_letter,
    send_letter,
    serve_letter,
)
from registry.models import Letter
from registry.tables import DateColumn, Link, RegisterTable
from registry.templatetags.register import day, short_day, when
from registry.views.parties import OrganizationAct, up_to


class LetterTable(RegisterTable):
    """Letters, the newest first."""

    caption = ngettext_lazy("%(shown)s letter", "%(shown)s letters", "count")
    row_template = "registry/_letter_row.html"
    subject = tables.Column(gettext_lazy("About"))
    written_on = DateColumn(gettext_lazy("Written"))
    emailed_at = tables.Column(gettext_lazy("E-mailed"))
    served_on = DateColumn(gettext_lazy("Served"))

    class Meta:
        empty_text = gettext_lazy("No letter was written to this organization yet.")


class LetterList(TableView):
    """All letters to one organization."""

    capability = Capability.SEE_OWN
    title = gettext_lazy("Letters")
    table_class = LetterTable
    export_name = "letters"

    def rows(self) -> Any:
        """Of this organization."""
        return letters_of(self.request.user, self.own)

    def trail(self) -> Sequence[Link]:
        """Up to the organization."""
        return [up_to(self.own)]


class PrintTable(RegisterTable):
    """Letters that wait for paper, the oldest first."""

    caption = ngettext_lazy("%(shown)s letter", "%(shown)s letters", "count")
    row_template = "registry/_letter_print_row.html"
    organization = tables.Column(gettext_lazy("To"), accessor="organization__name")
    subject = tables.Column(gettext_lazy("About"))
    written_on = DateColumn(gettext_lazy("Written"))

    class Meta:
        empty_text = gettext_lazy("Every letter went out by e-mail, was printed or was served.")


class LettersToPrint(TableView):
    """What the county wrote and nobody received yet: to print and to mail."""

    capability = Capability.SEND_LETTERS
    title = gettext_lazy("Letters to print")
    table_class = PrintTable
    export_name = "letters-to-print"

    def rows(self) -> Any:
        """Of all organizations."""
        return letters_to_print(self.request.user)

    def about(self) -> str:
        """When one leaves the list."""
        return _("Nobody received these by e-mail. A letter leaves the list when it is opened.")


class LetterDetail(DetailView):
    """The words of a letter, and how it reached somebody."""

    capability = Capability.SEE_OWN
    template_name = "registry/letter_detail.html"

    def find(self) -> Letter:
        """The letter, under the organization of the address."""
        found = letter_for(self.request.user, self.own, self.kwargs["pk"])
        if found is None:
            raise Http404
        return found

    def standing(self) -> str:
        """Served on a day, or not yet."""
        return service_said(self.thing)

    def trail(self) -> Sequence[Link]:
        """Up to the list."""
        return way_up(self)

    def acts(self) -> Sequence[Link]:
        """Print it; who sends letters also mails it and records its service."""
        place = [self.own.slug, self.thing.pk]
        links = [Link(_("Open the PDF"), reverse("letter_pdf", args=place))]
        if can(self.request.user, Capability.SEND_LETTERS, self.own):
            mail = _("E-mail it again") if self.thing.emailed_at else _("E-mail it")
            links.append(Link(mail, reverse("letter_email", args=place), kind="outline"))
            if self.thing.served_on is None:
                serve = reverse("letter_serve", args=place)
                links.append(Link(_("Record the service"), serve, kind="outline"))
        if self.thing.served_on and can(self.request.user, Capability.CORRECT, self.own):
            correct = reverse("letter_serve_correct", args=place)
            links.append(Link(_("Correct the service"), correct, kind="outline"))
        return links

    def context(self) -> dict[str, Any]:
        """Its state as facts, its lines, its history."""
        letter = self.thing
        return super().context() | {
            "facts": letter_facts(letter),
            "addressee": letter.addressee.splitlines(),
            "signature": letter.signed_by.splitlines(),
            "history": acts_on_letter(self.request.user, letter),
        }


def way_up(page: Any) -> Sequence[Link]:
    """The organization, then its letters."""
    return [up_to(page.own), Link(_("Letters"), reverse("letter_list", args=[page.own.slug]))]


def service_said(letter: Letter) -> str:
    """“Served on Nov 30, 2026, to Ada Reyes: certified mail”, or that it is not served yet."""
    if letter.served_on is None:
        return _("Not served yet: no time runs from this letter.")
    told = {
        "day": short_day(letter.served_on),
        "to": letter.served_to,
        "how": letter.get_served_how_display(),
    }
    return _("Served on %(day)s to %(to)s: %(how)s.") % told


def letter_facts(letter: Letter) -> list[tuple[str, str]]:
    """When it was written, mailed, printed and served; what did not happen is left out."""
    mailed = ""
    if letter.emailed_at:
        to = ngettext("to %(count)s person", "to %(count)s people", letter.emailed_to)
        mailed = f"{when(letter.emailed_at)}, {to % {'count': letter.emailed_to}}"
    served = f"{day(letter.served_on)}, {letter.get_served_how_display()}"
    return [
        (_("Written on"), day(letter.written_on)),
        (_("E-mailed"), mailed),
        (_("First printed"), when(letter.printed_at)),
        (_("Served"), served if letter.served_on else ""),
        (_("Served to"), letter.served_to),
        (_("Recorded by"), letter.served_by.get_full_name() if letter.served_by else ""),
    ]


class LetterPaper(PdfView):
    """The letter as a PDF; that it was taken is kept."""

    capability = Capability.SEE_OWN

    def document(self) -> bytes:
        """The paper."""
        letter = letter_for(self.request.user, self.own, self.kwargs["pk"])
        if letter is None:
            raise Http404
        print_letter(self.by, letter)
        self.filename = f"letter-{letter.pk}.pdf"
        return letter_pdf(letter)


class LetterAct(OrganizationAct):
    """An act on one letter; done, it leads back to the letter."""

    capability = Capability.SEND_LETTERS

    def find(self) -> None:
        """The letter, under the organization of the address."""
        found = letter_for(self.request.user, self.own, self.kwargs["pk"])
        if found is None:
            raise Http404
        self.letter = found

    @property
    def about(self) -> str:
        """Which letter."""
        return self.letter.subject

    def trail(self) -> Sequence[Link]:
        """Up to the letter."""
        return [*way_up(self), Link(self.letter.subject, page_of(self.letter))]

    def success_url(self, result: Any) -> str:
        """The letter's page."""
        return page_of(self.letter)


class ServeForm(RegisterForm):
    """How, when and to whom; by whom is who records it."""

    how = forms.ChoiceField(
        label=gettext_lazy("How it was served"), choices=(), widget=forms.RadioSelect
    )
    served_on = DateField(
        label=gettext_lazy("On which day"), initial=timezone.localdate, latest=timezone.localdate
    )
    to = NameField(
        label=gettext_lazy("To whom"), help_text=gettext_lazy("The person who received it.")
    )

    why = {"served_on": Why(gettext_lazy("The days to answer or appeal count from this day."))}

    def prepare(self) -> None:
        """The ways, as a person reads them."""
        field: Any = self.fields["how"]
        field.choices = [(value, capfirst(label)) for value, label in How.choices]


class CorrectServiceForm(ServeForm):
    """The same, and why it is put right."""

    reason = forms.CharField(
        label=gettext_lazy("Why"), max_length=500, widget=forms.Textarea(attrs={"rows": 3})
    )


class LetterServe(LetterAct):
    """Record that the letter was served; it can be recorded once."""

    title = gettext_lazy("Record the service")
    verb = gettext_lazy("Record the service")
    form_class = ServeForm
    done_message = gettext_lazy("The service is recorded. Time runs from that day.")

    def act(self, form: RegisterForm) -> Letter:
        """Write it."""
        typed = form.cleaned_data
        told = {name: typed[name] for name in ("how", "served_on", "to")}
        return serve_letter(self.by, self.letter, **told)


class LetterServeCorrect(LetterAct):
    """Put right a day, a way or a name that was recorded in error."""

    capability = Capability.CORRECT
    title = gettext_lazy("Correct the service")
    verb = gettext_lazy("Correct the service")
    form_class = CorrectServiceForm
    done_message = gettext_lazy("Corrected. The history keeps what stood there before.")

    def form_arguments(self) -> dict[str, Any]:
        """What is recorded so far."""
        letter = self.letter
        if letter.served_on is None:
            return {}
        recorded = {"how": letter.served_how, "served_on": letter.served_on, "to": letter.served_to}
        return {"initial": recorded}

    def act(self, form: RegisterForm) -> Letter:
        """Write it, with the reason."""
        typed = form.cleaned_data
        told = {name: typed[name] for name in ("how", "served_on", "to", "reason")}
        return correct_service(self.by, self.letter, **told)


class LetterEmail(LetterAct):
    """Mail the letter to those who act for the organization."""

    title = gettext_lazy("E-mail the letter")
    verb = gettext_lazy("E-mail the letter")

    @property
    def about(self) -> str:
        """Which letter, and that mailing alone is no service."""
        told = _("“%(subject)s” goes to everybody who acts for this organization today.")
        return told % {"subject": self.letter.subject}

    def act(self, form: RegisterForm) -> int:
        """Put it into the queue."""
        return send_letter(self.by, self.letter)

    def done(self, result: int) -> HttpResponseBase:
        """To how many it goes."""
        told = ngettext(
            "The letter is on its way to %(count)s person.",
            "The letter is on its way to %(count)s people.",
            result,
        )
        messages.success(self.request, told % {"count": result})
        return super().done(result)


PLACE = "organizations/<slug:slug>/letters/"
urls: list[URLPattern] = [
    path("letters/", LettersToPrint.as_view(), name="letters_to_print"),
    path(PLACE, LetterList.as_view(), name="letter_list"),
    path(f"{PLACE}<int:pk>/", LetterDetail.as_view(), name="letter"),
    path(f"{PLACE}<int:pk>/pdf/", LetterPaper.as_view(), name="letter_pdf"),
    path(f"{PLACE}<int:pk>/serve/", LetterServe.as_view(), name="letter_serve"),
    path(
        f"{PLACE}<int:pk>/serve/correct/",
        LetterServeCorrect.as_view(),
        name="letter_serve_correct",
    ),
    path(f"{PLACE}<int:pk>/email/", LetterEmail.as_view(), name="letter_email"),
]
