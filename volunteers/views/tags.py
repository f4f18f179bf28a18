"""Print name tags, and answer who scans one."""

from __future__ import annotations

from django.urls import URLPattern

urls: list[URLPattern] = []
