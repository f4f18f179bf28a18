"""Who signs in, and which offices they hold since when."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.http import Http404
from django.urls import URLPattern, path, reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from registry.access import Capability, roles_of
from registry.forms import RegisterForm
from registry.generic import DetailView, TableView
from registry.models import User
from registry.offices import end_role, grant_role
from registry.party_forms import LastDayForm, RoleForm
from registry.party_tables import UserTable
from registry.selectors import grant_for, holdings_of, offices_of, user_for, users
from registry.tables import Link
from registry.views.parties import ActOn


class UserList(TableView):
    """Everyone with a login."""

    capability = Capability.MANAGE_USERS
    title = gettext_lazy("Users")
    table_class = UserTable
    export_name = "users"

    def rows(self) -> Any:
        """All of them."""
        return users(self.request.user)

    def about(self) -> str:
        """Where users come from."""
        return _("People sign up themselves; an office or an organization makes the login useful.")


class UserDetail(DetailView):
    """One login: offices and organizations, since when and to when."""

    capability = Capability.MANAGE_USERS
    template_name = "registry/user_detail.html"

    def find(self) -> Any:
        """The user of this number."""
        return user_for(self.request.user, self.kwargs["pk"])

    def get_title(self) -> str:
        """The name, or the address where none was given."""
        return str(self.thing.get_full_name())

    def trail(self) -> Sequence[Link]:
        """Up to the list."""
        return [Link(_("Users"), reverse("user_list"))]

    def standing(self) -> str:
        """What the user is today."""
        names = dict(self.thing.grants.model.Role.choices)
        held = ", ".join(str(names[role]) for role in sorted(roles_of(self.thing)))
        return _("Holds today: %(offices)s.") % {"offices": held} if held else _("Holds no office.")

    def context(self) -> dict[str, Any]:
        """Offices and organizations, past and to come."""
        user = self.request.user
        return super().context() | {
            "offices": offices_of(user, self.thing),
            "holdings": holdings_of(user, self.thing),
        }

    def acts(self) -> Sequence[Link]:
        """Give an office; nobody gives one to himself."""
        if self.thing == self.request.user:
            return ()
        return [Link(_("Grant an office"), reverse("role_grant", args=[self.thing.pk]))]


class UserAct(ActOn):
    """An act on one login."""

    capability = Capability.MANAGE_USERS
    user: User

    def find(self) -> None:
        """The user of this number."""
        self.user = user_for(self.request.user, self.kwargs["pk"])

    def trail(self) -> Sequence[Link]:
        """Up to the user's page."""
        page = reverse("user_detail", args=[self.user.pk])
        return [Link(_("Users"), reverse("user_list")), Link(self.user.get_full_name(), page)]

    def success_url(self, result: Any) -> str:
        """The user's page."""
        return reverse("user_detail", args=[self.user.pk])


class RoleGrantNew(UserAct):
    """Give somebody an office from a day on."""

    title = gettext_lazy("Grant an office")
    verb = gettext_lazy("Grant the office")
    form_class = RoleForm
    done_message = gettext_lazy("The office is granted.")

    def act(self, form: RegisterForm) -> Any:
        """Write it."""
        typed = form.cleaned_data
        return grant_role(self.by, self.user, typed["role"], starts_on=typed["starts_on"])


class RoleEnd(UserAct):
    """End an office from the day after its last day."""

    title = gettext_lazy("End the office")
    verb = gettext_lazy("End the office")
    form_class = LastDayForm
    is_dangerous = True
    done_message = gettext_lazy("The office is ended.")

    def find(self) -> None:
        """The office, of the user of this number."""
        super().find()
        found = grant_for(self.request.user, self.user, self.kwargs["grant"])
        if found is None:
            raise Http404
        self.grant = found

    @property
    def about(self) -> str:
        """Which office."""
        return str(self.grant)

    def act(self, form: RegisterForm) -> Any:
        """Write it."""
        return end_role(self.by, self.grant, last_day=form.cleaned_data["last_day"])


urls: list[URLPattern] = [
    path("users/", UserList.as_view(), name="user_list"),
    path("users/<int:pk>/", UserDetail.as_view(), name="user_detail"),
    path("users/<int:pk>/offices/new/", RoleGrantNew.as_view(), name="role_grant"),
    path("users/<int:pk>/offices/<int:grant>/end/", RoleEnd.as_view(), name="role_end"),
]
