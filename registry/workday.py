"""Composition: home pages, work lists, search, the public pages."""

from __future__ import annotations

from django.urls import URLPattern

urls: list[URLPattern] = []
