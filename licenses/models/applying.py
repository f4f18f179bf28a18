"""An application from its first line to the decision, with the papers and questions about it."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from licenses.models.holding import License
from licenses.rules import OPEN, WAITING, Renewal, Status
from registry.base import RegisterModel, VoidableModel
from registry.history import audited
from registry.models import Document, Organization


@audited()
class Application(RegisterModel):
    """A sworn application for a license (§ 10-84), or for its renewal (§ 10-91(b)).

    `presented_on` is the day on which form or paper reached the county; `continued_to` the last
    day on which the license before it stays in force because of it, unknown while undecided.
    """

    class Kind(models.TextChoices):
        NEW = "new", _("new license")
        RENEWAL = "renewal", _("renewal")

    class StatusChoice(models.TextChoices):
        DRAFT = Status.DRAFT, _("being filled in")
        SUBMITTED = Status.SUBMITTED, _("handed in")
        RETURNED = Status.RETURNED, _("sent back with questions")
        INVESTIGATION = Status.INVESTIGATION, _("under investigation")
        RECOMMENDED = Status.RECOMMENDED, _("waiting for the county administrator")
        GRANTED = Status.GRANTED, _("granted")
        DENIED = Status.DENIED, _("denied")
        WITHDRAWN = Status.WITHDRAWN, _("withdrawn")

    class Prior(models.TextChoices):
        LICENSE = "license", _("last year's license")
        PROOF = "proof", _("proof that it was lost or destroyed")

    class Advice(models.TextChoices):
        GRANT = "grant", _("grant it")
        DENY = "deny", _("deny it")

    organization = models.ForeignKey(Organization, models.PROTECT, related_name="applications")
    number = models.CharField(_("file number"), max_length=20, unique=True)
    license_class = models.CharField(_("class"), max_length=1, choices=License.Class)
    kind = models.CharField(_("kind"), max_length=10, choices=Kind)
    prior = models.ForeignKey(License, models.PROTECT, null=True, related_name="renewals")
    status = models.CharField(max_length=20, choices=StatusChoice, default=Status.DRAFT)
    since = models.DateTimeField()
    started_at = models.DateTimeField(auto_now_add=True)
    presented_on = models.DateField(_("presented on"), null=True, blank=True)
    prior_shown = models.CharField(max_length=10, choices=Prior, blank=True)
    sworn_by = models.CharField(_("sworn by"), max_length=200, blank=True)
    sworn_on = models.DateField(_("sworn on"), null=True, blank=True)
    oath = models.ForeignKey(Document, models.PROTECT, null=True, related_name="+")
    irs_seen = models.JSONField(default=dict, blank=True)
    advice = models.CharField(max_length=10, choices=Advice, blank=True)
    advised_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, null=True, related_name="+"
    )
    advised_on = models.DateField(null=True, blank=True)
    advice_note = models.TextField(blank=True)
    continued_to = models.DateField(null=True, blank=True)

    tenant = "organization"

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["organization", "license_class"],
                condition=Q(status__in=sorted(OPEN)),
                name="application_one_open",
            ),
            models.CheckConstraint(
                name="application_presented_when_handed_in",
                condition=Q(status__in=[Status.DRAFT, Status.WITHDRAWN])
                | Q(presented_on__isnull=False),
            ),
            models.CheckConstraint(
                name="application_renews_a_license",
                condition=Q(kind="new", prior__isnull=True)
                | Q(kind="renewal", prior__isnull=False),
            ),
        ]
        indexes = [models.Index(fields=["status", "since"], name="application_queue")]

    def __str__(self) -> str:
        return self.number

    @property
    def is_open(self) -> bool:
        """True until it is granted, denied or withdrawn."""
        return self.status in OPEN

    @property
    def renewal(self) -> Renewal:
        """What it does for the license before it."""
        return Renewal(
            presented_on=self.presented_on,
            is_shown=bool(self.prior_shown),
            is_waiting=self.status in WAITING,
            continued_to=self.continued_to,
        )

    @property
    def is_with_applicant(self) -> bool:
        """True while the organization may write in it."""
        return self.status in (Status.DRAFT, Status.RETURNED)


@audited()
class ApplicationStep(RegisterModel):
    """What was typed on one step, as it was typed; `revision` tells two writers apart."""

    application = models.ForeignKey(Application, models.PROTECT, related_name="steps")
    step = models.CharField(max_length=30)
    answers = models.JSONField(default=dict, blank=True)
    revision = models.PositiveIntegerField(default=0)
    saved_at = models.DateTimeField()
    saved_by = models.CharField(max_length=320)

    tenant = "application__organization"

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["application", "step"], name="applicationstep_once")
        ]

    def __str__(self) -> str:
        return f"{self.application}: {self.step}"


@audited()
class ApplicationPaper(VoidableModel):
    """A paper handed in with an application: which one, and under which heading."""

    application = models.ForeignKey(Application, models.PROTECT, related_name="papers")
    document = models.ForeignKey(Document, models.PROTECT, related_name="+")
    kind = models.CharField(max_length=20)
    added_at = models.DateTimeField(auto_now_add=True)

    tenant = "application__organization"

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["application", "document", "kind"],
                condition=Q(voided_at__isnull=True),
                name="applicationpaper_once",
            )
        ]

    def __str__(self) -> str:
        return f"{self.application}: {self.document}"


@audited()
class Statement(VoidableModel):
    """One person's own statement (§ 10-84(a)(1)-(5)): only regulators and he himself see it.

    His colleagues see no more than that it is complete. No Social Security number: that is handed
    to the sheriff on paper, and the register keeps who received it and when.
    """

    application = models.ForeignKey(Application, models.PROTECT, related_name="statements")
    full_name = models.CharField(_("full name"), max_length=200)
    capacity = models.CharField(_("capacity"), max_length=120)
    key_hash = models.CharField(max_length=64, null=True, unique=True)  # noqa: DJ001 - unique, so none is null
    key_expires_on = models.DateField(null=True)
    answers = models.JSONField(default=dict, blank=True)
    signed_as = models.CharField(max_length=200, blank=True)
    completed_at = models.DateTimeField(null=True, blank=True)
    paper = models.ForeignKey(Document, models.PROTECT, null=True, related_name="+")
    ssn_received_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, null=True, related_name="+"
    )
    ssn_received_on = models.DateField(null=True, blank=True)

    tenant = None
    sealed = ("answers", "signed_as")
    """Seen by `reveal_statement` alone, which keeps each look."""

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["application", "full_name"],
                condition=Q(voided_at__isnull=True),
                name="statement_once",
            ),
            models.CheckConstraint(
                name="statement_ssn_received_by_and_on",
                condition=Q(ssn_received_by__isnull=True, ssn_received_on__isnull=True)
                | Q(ssn_received_by__isnull=False, ssn_received_on__isnull=False),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.application}: {self.full_name}"


@audited()
class RecordCheck(VoidableModel):
    """An investigator looked into somebody's record: checked by, on, result, and no more."""

    class Result(models.TextChoices):
        NOTHING = "nothing", _("nothing found")
        FOUND = "found", _("something found that the administrator must weigh")
        NOT_POSSIBLE = "not_possible", _("could not be checked")

    statement = models.ForeignKey(Statement, models.PROTECT, related_name="checks")
    checked_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="+")
    checked_on = models.DateField(_("checked on"))
    result = models.CharField(_("result"), max_length=20, choices=Result)

    tenant = None

    def __str__(self) -> str:
        return f"{self.statement}: {self.get_result_display()}"


@audited()
class InvestigationNote(VoidableModel):
    """What the sheriff's office noted about an application; regulators only."""

    application = models.ForeignKey(Application, models.PROTECT, related_name="notes")
    text = models.TextField(_("note"))
    written_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="+")
    written_at = models.DateTimeField(auto_now_add=True)

    tenant = None

    def __str__(self) -> str:
        return f"{self.application}: {self.text[:40]}"


@audited()
class Query(VoidableModel):
    """A question of the county about one step of an application, and its answer."""

    application = models.ForeignKey(Application, models.PROTECT, related_name="queries")
    step = models.CharField(max_length=30, blank=True)
    reason = models.CharField(max_length=30)
    text = models.TextField(_("question"), blank=True)
    asked_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="+")
    asked_at = models.DateTimeField(auto_now_add=True)
    answer = models.TextField(_("answer"), blank=True)
    answered_at = models.DateTimeField(null=True, blank=True)

    tenant = "application__organization"

    def __str__(self) -> str:
        return f"{self.application}: {self.reason}"


@audited()
class Receipt(VoidableModel):
    """Money received for a license (§ 10-91(a)); the county takes it, the register notes it."""

    class Method(models.TextChoices):
        CASH = "cash", _("cash")
        CHECK = "check", _("check")
        ORDER = "order", _("money order")
        OTHER = "other", _("otherwise, see reference")

    application = models.ForeignKey(Application, models.PROTECT, related_name="receipts")
    number = models.CharField(_("receipt"), max_length=20, unique=True)
    share = models.CharField(max_length=10)
    due = models.DecimalField(_("fee"), max_digits=12, decimal_places=2, null=True)
    amount = models.DecimalField(_("amount"), max_digits=12, decimal_places=2)
    received_on = models.DateField(_("received on"))
    method = models.CharField(_("paid by"), max_length=10, choices=Method)
    reference = models.CharField(_("reference"), max_length=100, blank=True)

    tenant = "application__organization"

    class Meta:
        constraints = [
            models.CheckConstraint(name="receipt_of_some_money", condition=Q(amount__gt=0))
        ]

    def __str__(self) -> str:
        return self.number
