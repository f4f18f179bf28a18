"""Where accounts (django-allauth) meet the register: each change of a user has an Act behind it."""

from __future__ import annotations

import time
from base64 import urlsafe_b64encode
from typing import Any

from allauth.account.adapter import DefaultAccountAdapter
from allauth.account.app_settings import REAUTHENTICATION_TIMEOUT
from allauth.account.authentication import get_authentication_records
from allauth.mfa.adapter import DefaultMFAAdapter
from allauth.mfa.models import Authenticator
from cryptography.fernet import Fernet, MultiFernet
from django import forms
from django.conf import settings
from django.contrib.auth.hashers import make_password
from django.http import HttpRequest
from django.utils.crypto import salted_hmac
from django.utils.translation import gettext_lazy as _

from registry.access import is_regulator
from registry.credentials import account_of, count_of, has_second_factor, is_last_factor
from registry.history import System, acting
from registry.middleware import HAS_FACTOR
from registry.models import User

SIGNED_IN_AT = "signed-in-at"
STAGES = {"allauth.mfa.stages.AuthenticateStage": "registry.county_login.SecondFactorStage"}


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

    def send_account_already_exists_mail(self, email: str) -> None:
        """A known address signs up: as long as a new one takes, its password being hashed."""
        make_password(email)
        super().send_account_already_exists_mail(email)

    def login(self, request: HttpRequest, user: User) -> None:
        """Every stage is passed, the second factor too."""
        super().login(request, user)
        request.session[SIGNED_IN_AT] = time.time()
        if settings.OPENID_IS_SECOND_FACTOR and came_by_county(request, user):
            request.session[HAS_FACTOR] = True
        with acting(user, "user.signed_in", data=_means(request, user)):
            pass

    def get_login_stages(self) -> list[str]:
        """allauth's own; the second factor is not asked of whom the county vouched for with one."""
        return [STAGES.get(name, name) for name in super().get_login_stages()]

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
        user = account_of(credentials.get("email", ""))
        with acting(System.PUBLIC, "user.sign_in_failed", data={"user": user and user.pk}):
            pass

    def is_reauthentication_required(self, *, app: str, **kwargs: Any) -> bool:
        """Whoever has just signed in sets up a first factor without the password again."""
        since = time.time() - self.request.session.get(SIGNED_IN_AT, 0)
        is_fresh = app == "allauth.mfa" and since < REAUTHENTICATION_TIMEOUT
        if is_fresh and not has_second_factor(self.request.user):
            return False
        return bool(super().is_reauthentication_required(app=app, **kwargs))

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


def came_by_county(request: HttpRequest, user: User) -> bool:
    """True when the county's OpenID provider vouched for the user at this sign-in."""
    records = get_authentication_records(request, user)
    return any(record.get("method") == "socialaccount" for record in records)


def _means(request: HttpRequest, user: User) -> dict[str, str]:
    """By what the user signed in, where that was not the password."""
    if came_by_county(request, user):
        return {"by": "county"}
    records = get_authentication_records(request, user)
    return {"by": "passkey"} if any(record.get("passwordless") for record in records) else {}


class SecondFactorAdapter(DefaultMFAAdapter):  # type: ignore[misc]
    """Secrets are kept enciphered; a regulator may replace codes but not take the factor off."""

    def encrypt(self, text: str) -> str:
        """A copy of the database alone makes nobody a second factor."""
        return _cipher().encrypt(text.encode()).decode()

    def decrypt(self, encrypted_text: str) -> str:
        """Back, under the secret key or one of its forerunners."""
        return _cipher().decrypt(encrypted_text.encode()).decode()

    def can_delete_authenticator(self, authenticator: Authenticator) -> bool:
        """False for the last second factor of somebody whose role needs one."""
        needs = settings.REQUIRE_SECOND_FACTOR and is_regulator(authenticator.user)
        return not (needs and is_last_factor(authenticator))

    def generate_authenticator_name(self, user: User, type: Authenticator.Type) -> str:  # noqa: A002
        """What a passkey is called until its owner names it."""
        return str(_("Passkey %(number)s") % {"number": count_of(user, type) + 1})

    def get_public_key_credential_rp_entity(self) -> dict[str, str]:
        """The site as the device shows it beside the passkey."""
        site: dict[str, str] = super().get_public_key_credential_rp_entity()
        return site | {"name": settings.MFA_TOTP_ISSUER}


def _cipher() -> MultiFernet:
    keys = [settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS]
    digests = [salted_hmac("second factor", "", key, algorithm="sha256").digest() for key in keys]
    return MultiFernet([Fernet(urlsafe_b64encode(digest)) for digest in digests])
