"""Bring in a roster from a file, in three steps."""

from __future__ import annotations

from django.urls import URLPattern

urls: list[URLPattern] = []
