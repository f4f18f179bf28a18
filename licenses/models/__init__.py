"""What licensing keeps: licenses and what was ordered against them, and the papers behind them."""

from licenses.models.applying import (
    Application,
    ApplicationPaper,
    ApplicationStep,
    InvestigationNote,
    Query,
    Receipt,
    RecordCheck,
    Statement,
)
from licenses.models.bodies import BankAccount, InCharge, Officer, Premises
from licenses.models.deciding import Appeal, CertificateCopy, Decision
from licenses.models.holding import Exemption, LessorInterest, License, LicenseCounter, Sanction
from licenses.models.irs import IrsFile, IrsOrganization, IrsRevocation, IrsStanding

__all__ = [
    "Appeal",
    "Application",
    "ApplicationPaper",
    "ApplicationStep",
    "BankAccount",
    "CertificateCopy",
    "Decision",
    "Exemption",
    "InCharge",
    "InvestigationNote",
    "IrsFile",
    "IrsOrganization",
    "IrsRevocation",
    "IrsStanding",
    "LessorInterest",
    "License",
    "LicenseCounter",
    "Officer",
    "Premises",
    "Query",
    "Receipt",
    "RecordCheck",
    "Sanction",
    "Statement",
]
