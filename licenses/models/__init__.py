"""What licensing keeps: licenses and what was ordered against them, and the papers behind them."""

from licenses.models.holding import Exemption, LessorInterest, License, LicenseCounter, Sanction

__all__ = ["Exemption", "LessorInterest", "License", "LicenseCounter", "Sanction"]
