"""The kernel's app config: rights after each migrate, and the system checks."""

from django.apps import AppConfig
from django.db.models.signals import post_migrate


class RegistryConfig(AppConfig):
    """The project's own app."""

    name = "registry"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Load the checks; after each migrate set the application's rights anew."""
        from registry import checks, deployment  # noqa: F401
        from registry.grants import after_migrate

        post_migrate.connect(after_migrate, sender=self)
