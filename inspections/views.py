"""What somebody in the hall tells the county."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.urls import URLPattern, path, reverse
from django.utils.translation import gettext_lazy as _

from inspections.forms import ConcernForm
from inspections.services import report_concern
from registry.access import Capability
from registry.forms import RegisterForm
from registry.generic import ActView, PageView
from registry.history import System
from registry.models import User
from registry.throttle import throttled


class ConcernNew(ActView):
    """Tell the county; no name needed."""

    capability = Capability.PUBLIC
    form_class = ConcernForm
    title = _("Tell the county")
    verb = _("Send this to the county")
    about = _("A clerk reads every message. The hall and its people are not told who wrote.")

    def form_arguments(self) -> dict[str, Any]:
        """The number of the tag that was scanned."""
        number = self.request.GET.get("tag", "")
        return {"initial": {"tag_number": number if number.isdigit() else None}}

    def post(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        """Take it, unless too many came from one place."""
        return throttled(request, "concern") or super().post(request, *args, **kwargs)

    def act(self, form: RegisterForm) -> Any:
        """Into the clerk's queue."""
        user = self.request.user
        by = user if isinstance(user, User) else System.PUBLIC
        read = form.cleaned_data
        return report_concern(
            by, text=read["text"], contact=read["contact"], tag_number=read["tag_number"]
        )

    def success_url(self, result: Any) -> str:
        """What happens next."""
        return reverse("concern_sent")


class ConcernSent(PageView):
    """Thanks, and what happens next."""

    capability = Capability.PUBLIC
    template_name = "inspections/concern_sent.html"
    title = _("Thank you: the county has it")

    def get(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        """The page."""
        return self.page()


urls: list[URLPattern] = [
    path("concern/", ConcernNew.as_view(), name="concern_new"),
    path("concern/sent/", ConcernSent.as_view(), name="concern_sent"),
]
