"""Who may run or house bingo, where and when."""

from django.apps import AppConfig


class LicensesConfig(AppConfig):
    """The app's name and its place in the line."""

    name = "licenses"
    default_auto_field = "django.db.models.BigAutoField"
