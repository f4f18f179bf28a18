"""Who may conduct bingo for whom."""

from django.apps import AppConfig


class VolunteersConfig(AppConfig):
    """The app's name and its place in the line."""

    name = "volunteers"
    default_auto_field = "django.db.models.BigAutoField"
