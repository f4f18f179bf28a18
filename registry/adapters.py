"""Where accounts (django-allauth) meet the register: each change of a user has an Act behind it."""

from __future__ import annotations

from typing import Any

from allauth.account.adapter import DefaultAccountAdapter
from allauth.mfa.adapter import DefaultMFAAdapter
from allauth.mfa.models import Authenticator
from django import forms
from django.conf import settings
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from registry.access import is_regulator
from registry.history import System, acting
from registry.models import User


class SignUp(forms.Form):
    """What signing up asks beside address and password."""

    name = forms.CharField(label=_("Your name"), max_length=200)

    def signup(self, request: HttpRequest, user: User) -> None:
        """The adapter has kept the name already, within the act."""


class AccountAdapter(DefaultAccountAdapter):  # type: ignore[misc]
    """Sign-up, sign-in, sign-out and every change of a credential are kept as Acts."""

    def save_user(
        self,
        request: HttpRequest,
        user: User,
        form: forms.Form,
        commit: bool = True,  # noqa: FBT001, FBT002 - allauth's signature
    ) -> User:
        """Save the new user under the name that signs people up."""
        user.name = form.cleaned_data.get("name", "").strip()
        with acting(System.SIGN_UP, "user.signed_up"):
            saved: User = super().save_user(request, user, form, commit)
        return saved

    def login(self, request: HttpRequest, user: User) -> None:
        """Every stage is passed, the second factor too."""
        super().login(request, user)
        with acting(user, "user.signed_in"):
            pass

    def logout(self, request: HttpRequest) -> None:
        """The act is written while it is still known who leaves."""
        if isinstance(request.user, User):
            with acting(request.user, "user.signed_out"):
                pass
        super().logout(request)

    def authentication_failed(self, request: HttpRequest, **credentials: Any) -> None:
        """A wrong password is kept beside the account it was tried on.

        What was typed is not: people type their password into the wrong field. An unknown address
        writes the same row, so that both answers take equally long.
        """
        user = User.objects.filter(email__iexact=credentials.get("email", "")).first()
        with acting(System.PUBLIC, "user.sign_in_failed", data={"user": user and user.pk}):
            pass

    def send_notification_mail(
        self,
        template_prefix: str,
        user: User,
        context: dict[str, Any] | None = None,
        email: str | None = None,
    ) -> None:
        """allauth tells the owner of each changed credential; the same moment is the Act."""
        with acting(user, f"user.{template_prefix.rsplit('/', 1)[-1]}"):
            super().send_notification_mail(template_prefix, user, context, email)


class SecondFactorAdapter(DefaultMFAAdapter):  # type: ignore[misc]
    """A regulator may replace codes but not take the second factor off."""

    def can_delete_authenticator(self, authenticator: Authenticator) -> bool:
        """False for the authenticator app of somebody whose role needs it."""
        needs = settings.REQUIRE_SECOND_FACTOR and is_regulator(authenticator.user)
        return not (needs and authenticator.type == Authenticator.Type.TOTP)
