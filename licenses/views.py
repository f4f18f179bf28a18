"""Keep licenses, exemptions and interests in hall owners."""

from __future__ import annotations

from django.urls import URLPattern

urls: list[URLPattern] = []
