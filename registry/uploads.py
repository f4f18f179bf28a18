"""Files that people send: the field that takes papers, and a bound on what is far too large."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.files.uploadhandler import TemporaryFileUploadHandler
from django.utils.functional import Promise, lazy
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from registry.access import BadInput
from registry.documents import MAX_BYTES, Paper, check_paper, too_large

LARGEST, LARGEST_TOGETHER = 12 * 2**20, 64 * 2**20
"""Bytes of one file and of all files of a request that are received at all; forms allow less."""
MOST_FILES = 10
ACCEPTED = "application/pdf,image/jpeg,image/png,image/heic,.pdf,.jpg,.jpeg,.png,.heic,.heif,.HEIC"
"""The browser's script compares endings letter by letter, and knows no media type of a HEIC."""
OTHER = gettext_lazy("This file is of another kind: choose a PDF, JPEG, PNG or HEIC.")
LARGE = gettext_lazy("has more than %(limit)s MB: scan it in grey, or fewer pages at a time.")
KINDS = gettext_lazy("PDF, JPEG, PNG or HEIC, up to %(limit)s MB.")
KINDS_EACH = gettext_lazy(
    "PDF, JPEG, PNG or HEIC, up to %(limit)s MB each, %(most)s files at most."
)


def _bounded(*sentences: Any) -> str:
    """The sentences with the limits put in."""
    limits = {"limit": MAX_BYTES // 2**20, "most": MOST_FILES}
    return " ".join(str(one) % limits for one in sentences if one)


bounded = lazy(_bounded, str)
ATTRIBUTES = {
    "accept": ACCEPTED,
    "data-errormessage": OTHER,
    "data-most": MAX_BYTES,
    "data-large": bounded(LARGE),
}
"""What the browser's script reads of the field."""


class BoundedUploads(TemporaryFileUploadHandler):
    """Keeps a large file in a folder for the form; one far too large runs past and is not kept.

    The form gets that with its true size and no content, and says so in a sentence.
    """

    together = 0
    is_over = False

    def new_file(self, *args: Any, **kwargs: Any) -> None:
        """Each file is measured anew."""
        super().new_file(*args, **kwargs)
        self.is_over = False

    def receive_data_chunk(self, raw_data: bytes, start: int) -> None:
        """Write a piece down, until there was too much."""
        self.together += len(raw_data)
        size = start + len(raw_data)
        self.is_over = self.is_over or size > LARGEST or self.together > LARGEST_TOGETHER
        if not self.is_over:
            super().receive_data_chunk(raw_data, start)

    def file_complete(self, file_size: int) -> Any:
        """The file, or the empty shell of one that was too large."""
        if not self.is_over:
            return super().file_complete(file_size)
        self.file.close()
        shell = SimpleUploadedFile(self.file_name or "", b"", self.content_type or "")
        shell.size = max(file_size, LARGEST + 1)
        return shell


class UploadsInput(forms.FileInput):
    """A file input that takes several."""

    allow_multiple_selected = True

    def value_from_datadict(self, data: Mapping[str, Any], files: Any, name: str) -> Any:
        """All files sent under the name."""
        return files.getlist(name) if hasattr(files, "getlist") else files.get(name)


class UploadField(forms.FileField):
    """A paper, or several: the cleaned value is a registry.documents.Paper (or a list of them).

    Size and content are looked at here and the cleaned copy is made, so that nothing waits for it
    inside a transaction. `about` is one sentence before the one on kinds and size.
    """

    def __init__(self, *, several: bool = False, about: str | Promise = "", **kwargs: Any) -> None:
        """`several`: more than one file may be chosen. Other arguments are a FileField's."""
        self.several = several
        widget = UploadsInput if several else forms.FileInput
        kwargs.setdefault("widget", widget(attrs=dict(ATTRIBUTES)))
        kwargs.setdefault("max_length", 255)
        kwargs.setdefault("help_text", bounded(about, KINDS_EACH if several else KINDS))
        super().__init__(**kwargs)

    def clean(self, data: Any, initial: Any = None) -> Any:
        """The paper, None for none; a list where several may be sent."""
        if not self.several:
            return self._read(super().clean(data, initial))
        files = [file for file in data or [] if file]
        if not files:
            super().clean(None, initial)
        if len(files) > MOST_FILES:
            told = _("These are %(count)s files: choose at most %(most)s at a time.")
            raise ValidationError(told % {"count": len(files), "most": MOST_FILES}, code="many")
        return self._read_all(files, initial)

    def _read_all(self, files: list[Any], initial: Any) -> list[Paper]:
        papers, sentences = [], []
        for file in files:
            try:
                papers.append(self._read(super().clean(file, initial)))
            except ValidationError as error:
                sentences += error.messages
        if sentences:
            raise ValidationError(sentences, code="unreadable")
        return [paper for paper in papers if paper]

    def to_python(self, data: Any) -> Any:
        """As Django's, but a file that is too large is never read and never called empty."""
        if data and (data.size or 0) > MAX_BYTES:
            raise ValidationError(too_large(data.name), code="size")
        return super().to_python(data)

    @staticmethod
    def _read(file: Any) -> Paper | None:
        if not file:
            return None
        paper = Paper(file.name, file.read())
        try:
            check_paper(paper)
        except BadInput as bad:
            raise ValidationError(bad.message, code="unreadable") from None
        return paper
