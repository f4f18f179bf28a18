"""What somebody in the hall tells the county."""

from __future__ import annotations

from django.urls import URLPattern

urls: list[URLPattern] = []
