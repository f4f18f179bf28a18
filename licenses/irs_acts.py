"""Acts that rest on the IRS's files: enter an organization, list whose standing changed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from licenses.irs import IrsStatus, irs_status, statuses_of
from licenses.irs_loading import hold_loading
from licenses.irs_words import source_said
from licenses.models import Exemption, IrsStanding
from licenses.rules import ASKED_FOR_EXEMPTION, asks_for_exemption
from licenses.services import ExemptionEntry, record_exemption
from licenses.standing_501c import Code
from registry.access import BadInput, Capability, require
from registry.history import acting
from registry.models import Organization, WorkItem
from registry.services import Actor, OrganizationEntry, found_organization

CITE = "F.S. 849.0931(1)(c)"
LOST = frozenset({Code.REVOKED, Code.LISTED})
"""What is worth a look even where nothing was seen before."""


def found_from_irs(by: Actor, entry: OrganizationEntry) -> Organization:
    """Enter an organization by its row in the master file; the row is kept with its exemption.

    Raises BadInput when the EIN stands in no file that is loaded.
    """
    require(by, Capability.KEEP_ORGANIZATIONS)
    status = irs_status(entry.ein, entry.name)
    if status.row is None:
        raise BadInput("ein", _("This EIN stands in no master file that is loaded."))
    with acting(by, "organization.founded_from_irs", data={"ein": entry.ein}):
        organization = found_organization(by, entry)
        if asks_for_exemption(entry.kind) and status.basis:
            record_exemption(by, organization, exemption_from(status))
    return organization


def exemption_from(status: IrsStatus) -> ExemptionEntry:
    """The exemption as a row of the master file shows it; doubts leave it “not shown yet”."""
    return ExemptionEntry(
        basis=status.basis,
        evidence=Exemption.Evidence.IRS_ROW if status.is_shown else "",
        reference=reference_to(status),
        verified_on=status.today,
        snapshot=status.snapshot(),
    )


def reference_to(status: IrsStatus) -> str:
    """“eo_fl.csv of Aug 1, 2026, line 12”; "" without a row."""
    source = status.source
    return source_said(source.file, source.date, source.line) if source else ""


def compare_standings(by: Actor) -> int:
    """List every charitable organization whose standing is another than was last seen.

    Names are not compared: a change of ours is none of the IRS's. An organization with an open
    item gets no second one; its item tells the newest row. Returns how many changed.
    """
    require(by, Capability.KEEP_ORGANIZATIONS)
    with transaction.atomic():
        hold_loading()
        changed = list(_changes())
        if changed:
            with acting(by, "irs.standings_compared", data={"changed": len(changed)}):
                for organization, before, status in changed:
                    _list(by, organization, before, status)
    return len(changed)


Change = tuple[Organization, Mapping[str, Any], IrsStatus]


def _changes() -> Iterator[Change]:
    """Each organization that changed, with the snapshot before and how it stands now."""
    bodies = _asked()
    statuses = statuses_of({str(body.ein): "" for body in bodies}, timezone.localdate())
    seen = {row.organization_id: row for row in IrsStanding.objects.filter(organization__in=bodies)}
    recorded = _recorded(bodies)
    for body in bodies:
        status = statuses[str(body.ein)]
        if status.code is Code.NO_FILE:
            continue
        before = _before(status, seen.get(body.pk), recorded.get(body.pk))
        if before is None or before.get("ein") != body.ein:
            is_changed, before = status.code in LOST, {}
        else:
            is_changed = _standing(before) != _standing(status.snapshot())
        _see(body, status, seen.get(body.pk), is_changed=is_changed)
        if is_changed:
            yield body, before, status


def _asked() -> list[Organization]:
    rows = Organization.objects.filter(
        kind__in=ASKED_FOR_EXEMPTION, ein__isnull=False, merged_into__isnull=True
    )
    return list(rows.order_by("pk"))


def _recorded(bodies: Iterable[Organization]) -> dict[int, Mapping[str, Any]]:
    """The snapshot kept with the exemption that stands, where there is one."""
    rows = Exemption.objects.standing().filter(organization__in=bodies)
    return {row.organization_id: row.snapshot for row in rows if row.snapshot}


def _before(
    status: IrsStatus, seen: IrsStanding | None, recorded: Mapping[str, Any] | None
) -> Mapping[str, Any] | None:
    """What was last known: the later of what was seen at a load and what was recorded."""
    if seen is None:
        return recorded
    if recorded and str(recorded.get("on", "")) > str(seen.snapshot.get("on", "")):
        return recorded
    snapshot: Mapping[str, Any] = seen.snapshot
    return snapshot


def _standing(snapshot: Mapping[str, Any]) -> tuple[str, str]:
    """The code and the subsection of a snapshot, without the comparison of names."""
    codes = [code for code in snapshot.get("codes", ()) if code != Code.NAME] or [Code.SHOWN]
    return codes[0], (snapshot.get("row") or {}).get("subsection", "")


def _see(
    body: Organization, status: IrsStatus, seen: IrsStanding | None, *, is_changed: bool
) -> None:
    """Keep how it stands now; rows that say the same as before are left alone."""
    if seen is None or is_changed or seen.ein != body.ein:
        IrsStanding.objects.update_or_create(
            organization=body,
            defaults={"ein": status.ein, "snapshot": status.snapshot()},
        )


def _list(by: Actor, body: Organization, before: Mapping[str, Any], status: IrsStatus) -> None:
    """One open item an organization: with the row before, and the row as it is now."""
    now = status.snapshot()
    told = {"before": _standing(before) if before else None, "now": _standing(now)}
    with acting(by, "irs.standing_changed", organization=body, data=told):
        rows = WorkItem.objects.select_for_update(no_key=True)
        item = rows.filter(
            organization=body, kind=WorkItem.Kind.IRS, closed_at__isnull=True
        ).first()
        if item is not None:
            item.data = {**item.data, "now": now}
            item.save(update_fields=["data"])
            return
        WorkItem.objects.create(
            organization=body,
            kind=WorkItem.Kind.IRS,
            cite=CITE,
            data={"before": dict(before), "now": now},
        )
