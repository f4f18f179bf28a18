"""What allauth keeps about a user: confirmed addresses and second factors."""

from __future__ import annotations

from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator

from registry.access import Anyone
from registry.models import User

SECOND = (Authenticator.Type.TOTP, Authenticator.Type.WEBAUTHN)


def account_of(email: str) -> User | None:
    """The user who signs in with this address, capitals aside."""
    return User.objects.filter(email__iexact=email).first()


def has_second_factor(user: Anyone) -> bool:
    """True when signing in asks for more than the password; recovery codes alone do not."""
    if not isinstance(user, User):
        return False
    return bool(Authenticator.objects.filter(user=user, type__in=SECOND).exists())


def confirm_address(user: User) -> None:
    """Count the user's address as confirmed, for users whom the county itself enters."""
    EmailAddress.objects.update_or_create(
        user=user, email=user.email, defaults={"verified": True, "primary": True}
    )
