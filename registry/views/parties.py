"""Keep organizations, persons, users and their roles."""

from __future__ import annotations

from django.urls import URLPattern

urls: list[URLPattern] = []
