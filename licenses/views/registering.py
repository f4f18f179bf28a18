"""Register one's own organization, or claim it by a code; and the clerk who gives the code."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponseRedirect
from django.http.response import HttpResponseBase
from django.urls import URLPattern, path, reverse
from django.utils.functional import cached_property
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from licenses.forms_registering import (
    ClaimForm,
    GiveCodeForm,
    RegisterOtherForm,
    RegisterOwnForm,
)
from licenses.irs import IrsStatus, find_charities, irs_status
from licenses.irs_forms import filled_in
from licenses.letters import signed
from licenses.registering import (
    WHY,
    EinTaken,
    How,
    Why,
    code_on_paper,
    mail_code,
    register_own_organization,
)
from registry.access import Capability
from registry.claims import acts_for, ask_for_code, claim_organization, in_register, named_by
from registry.credentials import has_confirmed
from registry.entries import Unreadable, read_ein
from registry.forms import RegisterForm
from registry.generic import ActView, PageView, pdf_response
from registry.letterhead import letter_pdf
from registry.models import Letter, Organization
from registry.tables import Link
from registry.throttle import throttled
from registry.views.parties import OrganizationAct, up_to

SHOWN = 10


class Confirmed(PageView):
    """A page for those whose e-mail address is confirmed; the others are led to confirm it."""

    capability = Capability.SIGNED_IN

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        """The page, or the way to the address; an act without it is refused by the service."""
        is_known = has_confirmed(request.user)
        if request.method == "GET" and request.user.is_authenticated and not is_known:
            messages.info(request, _("First show that the address is yours."))
            return HttpResponseRedirect(reverse("account_email"))
        return super().dispatch(request, *args, **kwargs)


class RegisterStart(Confirmed):
    """Find one's organization in the register or in the IRS's file, or say why it is in neither."""

    template_name = "licenses/register_start.html"
    title = gettext_lazy("Register your organization")

    def get(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        """What was found under the words typed."""
        text = " ".join(request.GET.get("q", "").split())[:100]
        if text and (limited := throttled(request, "register_search")):
            return limited
        held = in_register(text)
        known = {body.ein for body in held if body.ein}
        found = find_charities(text, SHOWN) if text else []
        return self.page(
            {
                "text": text,
                "held": held,
                "found": [row for row in found if row.charity.ein not in known],
                "why": [(key.value, said, more) for key, (said, more, _kind) in WHY.items()],
            }
        )


class RegisterNew(Confirmed, ActView):
    """Enter the organization; whoever enters it acts for it, and a clerk looks at it."""

    title = gettext_lazy("Register your organization")
    verb = gettext_lazy("Register the organization")
    done_message = gettext_lazy(
        "Registered: you act for it from now on. The county looks at what you wrote."
    )

    @cached_property
    def status(self) -> IrsStatus | None:
        """The row of the EIN in the address, None when it names none."""
        try:
            found = irs_status(read_ein(self.request.GET.get("ein", "")))
        except Unreadable:
            return None
        return found if found.row else None

    @property
    def about(self) -> str:
        """How the row stands; or what the county does next."""
        if self.status is not None:
            return str(self.status.said.headline)
        return _("You can begin an application at once; the county looks at what you write here.")

    @property
    def form_class(self) -> type[RegisterForm]:  # type: ignore[override]
        """By its row, or with the reason why it has none."""
        return RegisterOtherForm if self.status is None else RegisterOwnForm

    def form_arguments(self) -> dict[str, Any]:
        """What the row says, or the reason that was chosen."""
        if self.status is None or self.status.row is None:
            return {"initial": {"why_not": self.request.GET.get("why", "")}}
        return {"initial": filled_in(self.status.row)}

    def trail(self) -> Sequence[Link]:
        """Up to the search."""
        return [Link(_("Find it"), reverse("register_start"))]

    def act(self, form: RegisterForm) -> Organization:
        """Write it; one that is there already is claimed instead."""
        why: Why | None = form.reason if isinstance(form, RegisterOtherForm) else None
        assert isinstance(form, RegisterOwnForm | RegisterOtherForm)
        try:
            return register_own_organization(self.by, form.entry, why=why)
        except EinTaken as taken:
            self.taken = True
            return taken.organization

    taken = False

    def done(self, result: Any) -> HttpResponseBase:
        """Its page; or the page to claim it."""
        if not self.taken:
            return super().done(result)
        messages.info(self.request, _("This organization is in the register: claim it here."))
        return HttpResponseRedirect(claim_page(result))

    def success_url(self, result: Any) -> str:
        """Its page."""
        return up_to(result).url if result else reverse("home")


def claim_page(organization: Organization) -> str:
    """Where an organization of the register is claimed."""
    return reverse("register_claim", args=[organization.slug])


class OfRegister(Confirmed, ActView):
    """An act about an organization of the register; its name is public, and nothing else here."""

    @cached_property
    def body(self) -> Organization:
        """The organization of the address."""
        found = named_by(self.kwargs["asked"])
        if found is None:
            raise Http404
        return found

    def trail(self) -> Sequence[Link]:
        """Up to the search."""
        return [Link(_("Find it"), reverse("register_start"))]

    def get(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        """The form; who acts for it already is on the wrong page."""
        if acts_for(request.user, self.body):
            return HttpResponseRedirect(up_to(self.body).url)
        return super().get(request, *args, **kwargs)

    def post(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        """The act, not too often."""
        return throttled(request, "claim") or super().post(request, *args, **kwargs)


class RegisterClaim(OfRegister):
    """Act for an organization of the register, by a code of the county."""

    template_name = "licenses/register_claim.html"
    form_class = ClaimForm
    verb = gettext_lazy("Act for the organization")
    done_message = gettext_lazy("The code is used. You act for this organization from now on.")

    def get_title(self) -> str:
        """Which organization."""
        return _("Act for %(name)s") % {"name": self.body.name}

    @property
    def about(self) -> str:
        """Why a code is needed."""
        return _("It is in the register already. A code of the county shows that you may act.")

    def act(self, form: RegisterForm) -> Any:
        """Use the code up."""
        return claim_organization(self.by, self.body, form.cleaned_data["code"])

    def success_url(self, result: Any) -> str:
        """The organization's page."""
        return up_to(self.body).url

    def context(self) -> dict[str, Any]:
        """With the way to a code."""
        return super().context() | {"ask_url": reverse("register_ask", args=[self.body.slug])}


class RegisterAsk(OfRegister):
    """Ask the county for a code."""

    verb = gettext_lazy("Ask for a code")
    done_message = gettext_lazy(
        "Asked. The county decides to whom a code goes and how, usually by mail."
    )

    def get_title(self) -> str:
        """For which organization."""
        return _("Ask for a code for %(name)s") % {"name": self.body.name}

    @property
    def about(self) -> str:
        """What the county is told."""
        told = _("The county reads your name and your address, %(email)s, and sends a code.")
        return told % {"email": self.by.email}

    def act(self, form: RegisterForm) -> Any:
        """Put it among what waits."""
        return ask_for_code(self.by, self.body)

    def success_url(self, result: Any) -> str:
        """Where the code is typed."""
        return claim_page(self.body)


class ClaimCodeGive(OrganizationAct):
    """Give out a code with which one person can act for the organization."""

    title = gettext_lazy("Give a claim code")
    verb = gettext_lazy("Give the code")
    about = gettext_lazy(
        "It works once. An older code stops working, and nobody can look this one up again."
    )
    form_class = GiveCodeForm

    def act(self, form: RegisterForm) -> Letter | int:
        """The letter with the code, or to how many it was mailed."""
        typed = form.cleaned_data
        if typed["how"] == How.LETTER:
            signed_by = signed(self.by, _("County clerk"))
            return code_on_paper(self.by, self.own, signed_by=signed_by)
        address = typed["email"] if typed["how"] == How.ADDRESS else ""
        return mail_code(self.by, self.own, address)

    def done(self, result: Any) -> HttpResponseBase:
        """The paper, this once; or that it is on its way."""
        if isinstance(result, Letter):
            return pdf_response(letter_pdf(result), f"claim-code-{self.own.slug}.pdf")
        told = ngettext(
            "The code is on its way to %(count)s person.",
            "The code is on its way to %(count)s people.",
            result,
        )
        messages.success(self.request, told % {"count": result})
        return super().done(result)


PLACE = "register-organization/"
urls: list[URLPattern] = [
    path(PLACE, RegisterStart.as_view(), name="register_start"),
    path(f"{PLACE}new/", RegisterNew.as_view(), name="register_new"),
    path(f"{PLACE}<slug:asked>/", RegisterClaim.as_view(), name="register_claim"),
    path(f"{PLACE}<slug:asked>/ask/", RegisterAsk.as_view(), name="register_ask"),
    path("organizations/<slug:slug>/claim-code/", ClaimCodeGive.as_view(), name="claim_code_give"),
]
