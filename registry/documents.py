"""Papers kept as they were received, and served cleaned: told by what they hold, not by name."""

from __future__ import annotations

import hashlib
import unicodedata
from dataclasses import dataclass
from functools import cached_property
from pathlib import PurePath

from django.db.models import Q, QuerySet
from django.utils.translation import gettext as _

from registry.access import Anyone, BadInput, is_regulator
from registry.cleaning import Copy, Unclean, cleaned, named
from registry.entries import has_ssn
from registry.history import System, acting
from registry.models import Document, Organization, User
from registry.papers import COUNTY_ONLY
from registry.scrubbing import kind_of

MAX_BYTES = 10 * 2**20


@dataclass(frozen=True)
class Paper:
    """A file as somebody sent it."""

    name: str
    content: bytes

    @property
    def media_type(self) -> str:
        """What it is by what it holds; "" for a kind that is not kept."""
        return kind_of(self.content)

    @cached_property
    def copy(self) -> Copy:
        """The cleaned copy, made once. Raises Unclean with one sentence."""
        return cleaned(self.name, self.content)


def too_large(name: str) -> str:
    """The sentence about a file that has more than MAX_BYTES."""
    return _(
        "“%(name)s” has more than %(limit)s MB: scan it in grey, or fewer pages at a time."
    ) % {
        "name": name,
        "limit": MAX_BYTES // 2**20,
    }


def check_paper(paper: Paper, field: str = "document") -> None:
    """Raise BadInput on the field for a file that is too large, of no kept kind, or unreadable.

    The cleaned copy is made here, so ask before a transaction begins.
    """
    if len(paper.content) > MAX_BYTES:
        raise BadInput(field, too_large(paper.name))
    try:
        paper.copy  # noqa: B018 - made now, kept with the paper
    except Unclean as unclean:
        raise BadInput(field, str(unclean)) from None


def keep_document(
    organization: Organization | None,
    kind: Document.Kind,
    paper: Paper,
    *,
    by: User | System | None = None,
) -> Document:
    """Inside a running act: keep the paper and its cleaned copy; `by` sent it and may open it.

    Without an organization it is the county's own, which no account holder opens.

    The same paper of this kind again is found: `is_new` says which. Raises BadInput.
    """
    check_paper(paper)
    row, made = Document.objects.get_or_create(
        organization=organization,
        kind=kind,
        sha256=hashlib.sha256(paper.content).hexdigest(),
        defaults={
            "name": _kept_name(paper.name, kind),
            "media_type": paper.media_type,
            "content": paper.content,
            "cleaned": paper.copy.content,
            "cleaned_type": paper.copy.media_type,
            "sent_by": by if isinstance(by, User) else None,
        },
    )
    row.is_new = made
    found: Document = row
    return found


def _kept_name(name: str, kind: Document.Kind) -> str:
    """The last part of the name, without signs that hide its ending; never one with an SSN."""
    last = PurePath(name.replace("\\", "/")).name
    plain = "".join(c for c in last if unicodedata.category(c) not in {"Cc", "Cf", "Zl", "Zp"})
    return str(kind.label) if has_ssn(plain) or not plain.strip() else plain[:255]


def documents_of(user: Anyone, organization: Organization) -> list[Document]:
    """The papers of the organization that the user may open, the newest first; without content."""
    rows = _open_to(user).filter(organization=organization).defer("content", "cleaned")
    return list(rows.order_by("-received_at", "-pk"))


def document_for(user: Anyone, organization: Organization, pk: int) -> Document | None:
    """One paper of the organization, None when it is not there for the user."""
    found: Document | None = _open_to(user).filter(organization=organization, pk=pk).first()
    return found


def _open_to(user: Anyone) -> QuerySet[Document]:
    rows: QuerySet[Document] = Document.objects.visible_to(user)
    if isinstance(user, System) or is_regulator(user):
        return rows
    return rows.filter(~Q(kind__in=COUNTY_ONLY) | Q(sent_by=user))


@dataclass(frozen=True, slots=True)
class Download:
    """What goes out: the bytes, their kind and a name whose ending is that of the kind."""

    name: str
    media_type: str
    content: bytes


def take_copy(by: User | System, document: Document) -> Download:
    """The cleaned copy, written down as taken. Raises Unclean for a paper that cannot be cleaned.

    Papers that were kept before copies were made are cleaned now.
    """
    copy = (
        Copy(bytes(document.cleaned), document.cleaned_type)
        if document.cleaned
        else cleaned(document.name, bytes(document.content))
    )
    _write_down(by, document, original=False)
    return Download(named(document.name, copy.media_type), copy.media_type, copy.content)


def take_original(by: User | System, document: Document) -> Download:
    """The paper as it was received, for regulators, written down as taken."""
    _write_down(by, document, original=True)
    name = named(document.name, document.media_type)
    return Download(name, document.media_type, bytes(document.content))


def _write_down(by: User | System, document: Document, *, original: bool) -> None:
    told = {"document": document.pk, "paper": document.name, "original": original}
    with acting(by, "document.downloaded", organization=document.organization, data=told):
        pass
