"""The page of an organization and the page of a person, with all that the register holds of them."""

from __future__ import annotations

from django.urls import URLPattern

urls: list[URLPattern] = []
