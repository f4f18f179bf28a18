"""Enter and change organizations, and say who acts for them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.http import Http404, HttpRequest
from django.http.response import HttpResponseBase
from django.urls import URLPattern, path, reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from registry.access import BadInput, Capability
from registry.forms import RegisterForm
from registry.generic import ActView
from registry.models import Organization
from registry.offices import end_holder, name_holder
from registry.party_forms import HolderForm, LastDayForm, OrganizationForm
from registry.selectors import holder_for, user_by_address
from registry.services import found_organization
from registry.tables import Link

NOBODY = gettext_lazy(
    "“%(value)s” belongs to nobody who has signed up: ask the person to sign up first,"
    " then come back here."
)


def up_to(organization: Organization) -> Link:
    """The way back to an organization's page."""
    return Link(organization.name, reverse("organization_detail", args=[organization.slug]))


class ActOn(ActView):
    """An act on one thing of the address, looked up once the capability is settled."""

    def find(self) -> None:
        """Find the thing through a selector scoped to the user; Http404 when it is not there."""

    def get(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        """The form about the thing."""
        self.find()
        return super().get(request, *args, **kwargs)

    def post(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        """The act on the thing."""
        self.find()
        return super().post(request, *args, **kwargs)


class OrganizationAct(ActOn):
    """An act on one organization; done, it leads back to the organization's page."""

    capability = Capability.KEEP_ORGANIZATIONS

    def trail(self) -> Sequence[Link]:
        """Up to the organization's page."""
        return [up_to(self.own)]

    def success_url(self, result: Any) -> str:
        """The organization's page."""
        return up_to(self.own).url


class OrganizationNew(ActOn):
    """Enter a legal body."""

    capability = Capability.KEEP_ORGANIZATIONS
    title = gettext_lazy("Enter an organization")
    verb = gettext_lazy("Enter the organization")
    form_class = OrganizationForm
    done_message = gettext_lazy("The organization is in the register. Its license comes next.")

    def trail(self) -> Sequence[Link]:
        """Up to the list."""
        return [Link(_("Organizations"), reverse("organization_list"))]

    def act(self, form: RegisterForm) -> Any:
        """Write it."""
        assert isinstance(form, OrganizationForm)
        return found_organization(self.by, form.entry)

    def success_url(self, result: Any) -> str:
        """Its page."""
        return up_to(result).url if result else reverse("organization_list")


class HolderName(OrganizationAct):
    """Let somebody who can sign in act for the organization."""

    title = gettext_lazy("Name an account holder")
    about = gettext_lazy(
        "An account holder keeps the roster and prints the tags of this organization."
    )
    verb = gettext_lazy("Name the account holder")
    form_class = HolderForm
    done_message = gettext_lazy("The account holder can act for the organization.")

    def act(self, form: RegisterForm) -> Any:
        """Write it."""
        typed = form.cleaned_data
        user = user_by_address(self.request.user, typed["email"])
        if user is None:
            raise BadInput("email", NOBODY % {"value": typed["email"]})
        return name_holder(self.by, user, self.own, starts_on=typed["starts_on"])


class HolderEnd(OrganizationAct):
    """End an account from the day after its last day."""

    title = gettext_lazy("End the account")
    verb = gettext_lazy("End the account")
    form_class = LastDayForm
    is_dangerous = True
    done_message = gettext_lazy("The account is ended. The rosters it kept stay.")

    def find(self) -> None:
        """The account, under the organization of the address."""
        found = holder_for(self.request.user, self.own, self.kwargs["pk"])
        if found is None:
            raise Http404
        self.holder = found

    @property
    def about(self) -> str:
        """Whose account."""
        return str(self.holder.user)

    def act(self, form: RegisterForm) -> Any:
        """Write it."""
        last_day = form.cleaned_data["last_day"]
        return end_holder(self.by, self.holder, last_day=last_day)


urls: list[URLPattern] = [
    path("organizations/new/", OrganizationNew.as_view(), name="organization_new"),
    path("organizations/<slug:slug>/holders/new/", HolderName.as_view(), name="holder_name"),
    path("organizations/<slug:slug>/holders/<int:pk>/end/", HolderEnd.as_view(), name="holder_end"),
]
