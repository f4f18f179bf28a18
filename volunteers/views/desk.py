"""The eligibility desk: may she work for X on Saturday?"""

from __future__ import annotations

from django.urls import URLPattern

urls: list[URLPattern] = []
