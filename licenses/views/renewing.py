"""Begin the renewal of a license: last year's answers come over."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.http import Http404
from django.urls import URLPattern, path, reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from licenses.applying import start_application
from licenses.reading import steps_of
from licenses.renewals import first_day_after, opens_on
from licenses.selectors import license_for
from licenses.views.applicant import applications_link, step_url
from licenses.words import short_day
from registry.access import Capability
from registry.forms import RegisterForm
from registry.tables import Link
from registry.views.parties import OrganizationAct, up_to


class LicenseRenew(OrganizationAct):
    """Begin the renewal of one license; an open one is found."""

    capability = Capability.APPLY
    template_name = "licenses/license_renew.html"
    verb = gettext_lazy("Begin the renewal")

    def find(self) -> None:
        """The license of the address."""
        found = license_for(self.request.user, self.own, self.kwargs["number"])
        if found is None:
            raise Http404
        self.license = found
        self.opens = opens_on(found, timezone.localdate())

    def get_title(self) -> str:
        """Which license."""
        return _("Renew %(number)s") % {"number": self.license.number}

    @property
    def about(self) -> str:
        """From when on, or what it brings."""
        today, last = timezone.localdate(), self.license.expires_on
        told = {
            "opens": short_day(self.opens),
            "last": short_day(last),
            "first": short_day(first_day_after(self.license)),
        }
        if today < self.opens:
            return _("Too early: it runs to %(last)s, and can be renewed from %(opens)s on.") % told
        if today > last:
            return _("It ended on %(last)s. A new term begins on the day it is granted.") % told
        return (
            _(
                "It runs to %(last)s. Present the renewal by that day; the new term begins on"
                " %(first)s, however early you do it."
            )
            % told
        )

    def trail(self) -> Sequence[Link]:
        """Up to the applications."""
        return [up_to(self.own), applications_link(self.own)]

    def context(self) -> dict[str, Any]:
        """Whether it can begin today."""
        return super().context() | {"is_open": timezone.localdate() >= self.opens}

    def act(self, form: RegisterForm) -> Any:
        """Begin it."""
        letter = self.license.license_class
        return start_application(self.by, self.own, license_class=letter, prior=self.license)

    def success_url(self, result: Any) -> str:
        """Its first step; the list after a second press."""
        if result is None:
            return applications_link(self.own).url
        return step_url(result, steps_of(result)[0].key)


def renew_link(license_: Any) -> Link:
    """The button that begins the renewal of a license."""
    page = reverse("license_renew", args=[license_.organization.slug, license_.number])
    return Link(_("Renew %(number)s") % {"number": license_.number}, page)


urls: list[URLPattern] = [
    path(
        "organizations/<slug:slug>/licenses/<str:number>/renew/",
        LicenseRenew.as_view(),
        name="license_renew",
    ),
]
