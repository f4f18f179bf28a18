"""A paper goes out: always as a download, never shown inside the register."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar

from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.urls import URLPattern, path
from django.utils.http import content_disposition_header
from django.utils.translation import gettext_lazy

from registry.access import Capability, is_regulator
from registry.cleaning import Unclean
from registry.documents import Download, document_for, take_copy, take_original
from registry.generic import CONFLICT, PageView

INERT = "sandbox; default-src 'none'"
"""Should a browser open it after all, nothing in it runs or is fetched."""


class DocumentFile(PageView):
    """The cleaned copy of a paper."""

    capability = Capability.SEE_OWN
    template_name = "registry/document_unread.html"
    title = gettext_lazy("This paper cannot be opened")
    take: ClassVar[Callable[..., Download]] = staticmethod(take_copy)

    def get(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        """The file; that it was taken is kept."""
        found = document_for(request.user, self.own, kwargs["pk"])
        if found is None:
            raise Http404
        try:
            return file_response(self.take(self.by, found))
        except Unclean as unclean:
            return self.page(
                {"sentence": unclean, "document": found, "county_sees": is_regulator(self.by)},
                status=CONFLICT,
            )


class DocumentOriginal(DocumentFile):
    """The paper as it was received, with all it may hold: for regulators."""

    capability = Capability.SEE_REGISTER
    take = staticmethod(take_original)


def file_response(file: Download) -> HttpResponse:
    """A download under its own name and kind, guessed at by no browser; pages keep no cache."""
    response = HttpResponse(file.content, content_type=file.media_type)
    disposition = content_disposition_header(as_attachment=True, filename=file.name)
    response["Content-Disposition"] = disposition or "attachment"
    response["X-Content-Type-Options"] = "nosniff"
    response["Content-Security-Policy"] = INERT
    return response


urls: list[URLPattern] = [
    path("organizations/<slug:slug>/documents/<int:pk>/", DocumentFile.as_view(), name="document"),
    path(
        "organizations/<slug:slug>/documents/<int:pk>/original/",
        DocumentOriginal.as_view(),
        name="document_original",
    ),
]
