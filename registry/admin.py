"""A read-only window for superusers onto every table of the register; work is done on our pages."""

from __future__ import annotations

from typing import Any

from allauth.account.decorators import secure_admin_login
from django.apps import apps
from django.contrib import admin
from django.db import models
from django.http import HttpRequest


class Window(admin.ModelAdmin):  # type: ignore[type-arg]
    """Look, sort, open; add, change and delete nothing."""

    actions = None

    def get_list_display(self, request: HttpRequest) -> list[Any]:
        """The row's own words, then its first plain columns."""
        columns = [
            field.name
            for field in self.model._meta.fields
            if not isinstance(field, models.BinaryField | models.JSONField)
        ]
        return ["__str__", *columns[1:7]]

    def get_exclude(self, request: HttpRequest, obj: Any = None) -> list[str]:
        """What is shown on our pages only, each look kept: a model names it in `sealed`."""
        tracked = getattr(self.model, "pgh_tracked_model", self.model)
        return list(getattr(tracked, "sealed", ()))

    def has_add_permission(self, request: HttpRequest) -> bool:
        """Nobody adds here."""
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Nobody changes here."""
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Nothing is deleted, here or elsewhere."""
        return False


# Everybody signs in by the one page that asks for the second factor and counts the tries.
admin.site.login = secure_admin_login(admin.site.login)  # type: ignore[method-assign]

for app in ("registry", "licenses", "volunteers", "inspections"):
    for model in apps.get_app_config(app).get_models():
        admin.site.register(model, Window)
