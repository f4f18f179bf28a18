"""Roster files as they were sent, kept with what was chosen about reading them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.db.models import DateTimeField, Q
from django.db.models.fields.json import KeyTextTransform
from django.db.models.functions import Cast, Greatest
from django.utils import timezone

from registry.access import Capability, require
from registry.history import acting
from registry.models import Organization, User
from registry.services import refuse_merged
from volunteers.models import RosterFile


@dataclass(frozen=True, slots=True)
class Upload:
    """A file as it is kept: without Social Security numbers, under the hash of what was sent."""

    name: str
    content: bytes
    sha256: str
    options: Mapping[str, Any]
    layout: str = ""


def keep_file(by: User, organization: Organization, upload: Upload) -> tuple[RosterFile, bool]:
    """Keep a roster file; the same one again is found. Says whether it is new."""
    require(by, Capability.KEEP_ROSTER, organization)
    known = _file_of(organization, upload.sha256)
    if known is not None:
        return known, False
    told = {"file": upload.name, "sha256": upload.sha256}
    with acting(by, "roster.received", organization=organization, data=told):
        refuse_merged(organization)
        row: RosterFile
        row, made = RosterFile.objects.get_or_create(
            organization=organization,
            sha256=upload.sha256,
            defaults={
                "name": upload.name,
                "content": upload.content,
                "uploaded_by": by,
                "options": dict(upload.options),
                "layout": upload.layout,
            },
        )
    return row, made


def _file_of(organization: Organization, sha256: str) -> RosterFile | None:
    found: RosterFile | None = RosterFile.objects.filter(
        organization=organization, sha256=sha256
    ).first()
    return found


def latest_like(by: User, organization: Organization, layout: str) -> RosterFile | None:
    """The organization's own file of a layout that was entered or read by choice, the last."""
    rows = RosterFile.objects.visible_to(by).filter(organization=organization, layout=layout)
    used = rows.filter(Q(entered_at__isnull=False) | Q(options__has_key="kind"))
    chosen = Cast(KeyTextTransform("chosen_at", "options"), DateTimeField())
    order = (Greatest("uploaded_at", chosen).desc(), "-pk")
    found: RosterFile | None = used.defer("content").order_by(*order).first()
    return found


def choose_reading(by: User, roster_file: RosterFile, options: Mapping[str, Any]) -> RosterFile:
    """Remember how a file is to be read."""
    require(by, Capability.KEEP_ROSTER, roster_file.organization)
    told = {key: value for key, value in roster_file.options.items() if key != "chosen_at"}
    if told == dict(options):
        return roster_file
    about = {"file": roster_file.name, "options": dict(options)}
    with acting(by, "roster.read", organization=roster_file.organization, data=about):
        roster_file.options = {**options, "chosen_at": timezone.now().isoformat()}
        roster_file.save(update_fields=["options"])
    return roster_file
