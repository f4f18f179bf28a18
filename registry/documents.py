"""Papers kept as they were received: told by what they hold, never by their name."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from pathlib import PurePath

from django.utils.translation import gettext as _

from registry.access import Anyone, BadInput
from registry.entries import has_ssn
from registry.models import Document, Organization

MAX_BYTES = 10 * 2**20
KINDS = {
    b"%PDF-": "application/pdf",
    b"\xff\xd8\xff": "image/jpeg",
    b"\x89PNG\r\n\x1a\n": "image/png",
}
"""First bytes of the kinds of files that are kept, with what they are."""


@dataclass(frozen=True, slots=True)
class Paper:
    """A file as somebody sent it."""

    name: str
    content: bytes

    @property
    def media_type(self) -> str:
        """What it is by its first bytes; "" for a kind that is not kept."""
        return next((kind for mark, kind in KINDS.items() if self.content.startswith(mark)), "")


def check_paper(paper: Paper, field: str = "document") -> None:
    """Raise BadInput on the field for a file that is too large or no PDF, JPEG or PNG."""
    if len(paper.content) > MAX_BYTES:
        raise BadInput(
            field,
            _("“%(name)s” has more than %(limit)s MB: scan it in grey, or fewer pages at a time.")
            % {"name": paper.name, "limit": MAX_BYTES // 2**20},
        )
    if not paper.media_type:
        raise BadInput(
            field,
            _("“%(name)s” is no PDF, JPEG or PNG: scan or photograph the paper and choose that.")
            % {"name": paper.name},
        )


def keep_document(organization: Organization, kind: Document.Kind, paper: Paper) -> Document:
    """Inside a running act: keep the paper; the same one again is found. Raises BadInput."""
    check_paper(paper)
    name = PurePath(paper.name.replace("\\", "/")).name[:255]
    row, _made = Document.objects.get_or_create(
        organization=organization,
        sha256=hashlib.sha256(paper.content).hexdigest(),
        defaults={
            "kind": kind,
            "name": str(kind.label) if has_ssn(name) else name,
            "media_type": paper.media_type,
            "content": paper.content,
        },
    )
    return row


def document_for(user: Anyone, organization: Organization, pk: int) -> Document | None:
    """One paper of the organization, None when it is not there for the user."""
    rows = Document.objects.visible_to(user).filter(organization=organization)
    found: Document | None = rows.filter(pk=pk).first()
    return found
