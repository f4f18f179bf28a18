"""What the IRS's files say of an organization, and entering one from them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponseRedirect
from django.http.response import HttpResponseBase
from django.urls import URLPattern, path, reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from licenses.irs import IrsStatus, current_files, find_charities, irs_status, side_of, status_of
from licenses.irs_acts import found_from_irs
from licenses.irs_forms import FoundForm, filled_in
from licenses.irs_words import source_said
from licenses.rules import asks_for_exemption
from licenses.selectors import exemption_of
from licenses.standing_501c import title_case
from registry.access import Capability, can
from registry.forms import RegisterForm
from registry.generic import DetailView, PageView
from registry.selectors import organizations
from registry.tables import Link
from registry.views.parties import ActOn, up_to

SHOWN = 25


class OrganizationIrs(DetailView):
    """How one organization stands in the files that are loaded, with its rows."""

    capability = Capability.SEE_OWN
    template_name = "licenses/organization_irs.html"
    title = gettext_lazy("What the IRS files say")

    def find(self) -> IrsStatus:
        """The rows under the organization's EIN."""
        return status_of(self.own, timezone.localdate())

    def trail(self) -> Sequence[Link]:
        """Up to the organization's page."""
        return [up_to(self.own)]

    def standing(self) -> str:
        """Which organization; or that this kind is not asked."""
        if asks_for_exemption(self.own.kind):
            return self.own.name
        told = _("%(name)s: an organization of its kind is not asked for a federal exemption.")
        return told % {"name": self.own.name}

    def acts(self) -> Sequence[Link]:
        """Record the exemption as the row shows it."""
        keeps = can(self.request.user, Capability.KEEP_ORGANIZATIONS, self.own)
        if not (keeps and asks_for_exemption(self.own.kind) and self.thing.basis):
            return ()
        page = reverse("exemption_record", args=[self.own.slug])
        kind = "" if self.thing.is_shown else "outline"
        return [Link(_("Record this exemption"), f"{page}?from=irs", kind=kind)]

    def context(self) -> dict[str, Any]:
        """The answer, the rows with their files, and what was kept with the exemption."""
        status = self.thing
        exemption = exemption_of(self.own)
        kept = exemption.snapshot if exemption else {}
        return super().context() | {
            "said": status.said,
            "source": said_of(status.source),
            "revocations": [(row, said_of(where)) for row, where in status.revocations],
            "files": status.files,
            "has_list": status.has_list,
            "kept": side_of(kept) if kept else None,
        }


def said_of(source: Any) -> str:
    """“eo_fl.csv of Aug 1, 2026, line 12”."""
    return source_said(source.file, source.date, source.line) if source else ""


class CharitySearch(PageView):
    """Look an organization up in the master file, by EIN or by name, to enter it."""

    capability = Capability.KEEP_ORGANIZATIONS
    template_name = "licenses/irs_search.html"
    title = gettext_lazy("Enter an organization from the IRS file")

    def get(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        """What was found; those in the register lead to their page."""
        text = " ".join(request.GET.get("q", "").split())[:100]
        found = find_charities(text, SHOWN) if text else []
        files = current_files()
        return self.page({"text": text, "found": found, "files": files, "most": SHOWN})

    def trail(self) -> Sequence[Link]:
        """Up to the list."""
        return [Link(_("Organizations"), reverse("organization_list"))]


class CharityFound(ActOn):
    """Enter the organization of one row of the master file."""

    capability = Capability.KEEP_ORGANIZATIONS
    verb = gettext_lazy("Enter the organization")
    form_class = FoundForm
    done_message = gettext_lazy("The organization is in the register, its IRS row is kept with it.")
    status: IrsStatus

    def find(self) -> None:
        """The row under this EIN."""
        self.status = irs_status(self.kwargs["ein"])
        if self.status.row is None:
            raise Http404

    def get(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        """The form; an organization that is there already is shown instead."""
        held = organizations(request.user).filter(ein=self.kwargs["ein"]).first()
        if held is not None:
            messages.info(request, _("This organization is in the register already."))
            return HttpResponseRedirect(up_to(held).url)
        return super().get(request, *args, **kwargs)

    def get_title(self) -> str:
        """Which organization, as people write its name."""
        assert self.status.row is not None
        return _("Enter %(name)s") % {"name": title_case(self.status.row.name)}

    @property
    def about(self) -> str:
        """How it stands, and where the row stands."""
        return f"{self.status.said.headline} · {said_of(self.status.source)}"

    def trail(self) -> Sequence[Link]:
        """Up to the search."""
        return [
            Link(_("Organizations"), reverse("organization_list")),
            Link(str(CharitySearch.title), reverse("irs_search")),
        ]

    def form_arguments(self) -> dict[str, Any]:
        """What the row says."""
        assert self.status.row is not None
        return {"initial": filled_in(self.status.row)}

    def act(self, form: RegisterForm) -> Any:
        """Write it, with the row."""
        assert isinstance(form, FoundForm)
        return found_from_irs(self.by, form.entry)

    def success_url(self, result: Any) -> str:
        """Its page."""
        return up_to(result).url if result else reverse("organization_list")


urls: list[URLPattern] = [
    path("organizations/from-irs/", CharitySearch.as_view(), name="irs_search"),
    path("organizations/from-irs/<str:ein>/", CharityFound.as_view(), name="irs_found"),
    path("organizations/<slug:slug>/irs/", OrganizationIrs.as_view(), name="organization_irs"),
]
