"""What was seen in a hall."""

from django.apps import AppConfig


class InspectionsConfig(AppConfig):
    """The app's name and its place in the line."""

    name = "inspections"
    default_auto_field = "django.db.models.BigAutoField"
