"""Pages of an organization's roster: members, volunteers, activities, worker approvals."""

from __future__ import annotations

from django.urls import URLPattern

urls: list[URLPattern] = []
