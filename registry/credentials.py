"""What allauth keeps about a user: confirmed addresses and second factors."""

from __future__ import annotations

from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator

from registry.access import Anyone, is_regulator
from registry.models import User

SECOND = (Authenticator.Type.TOTP, Authenticator.Type.WEBAUTHN)


def account_of(email: str) -> User | None:
    """The user who signs in with this address, capitals aside."""
    return User.objects.filter(email__iexact=email).first()


def official_of(email: str) -> User | None:
    """The user with an office today who confirmed this address; None for everybody else."""
    rows = EmailAddress.objects.filter(email__iexact=email, verified=True, user__is_active=True)
    found = [row.user for row in rows.select_related("user")]
    return found[0] if len(found) == 1 and is_regulator(found[0]) else None


def has_second_factor(user: Anyone) -> bool:
    """True when signing in asks for more than the password; recovery codes alone do not."""
    if not isinstance(user, User):
        return False
    return bool(Authenticator.objects.filter(user=user, type__in=SECOND).exists())


def count_of(user: User, kind: Authenticator.Type) -> int:
    """How many second factors of a kind the user has."""
    return int(Authenticator.objects.filter(user=user, type=kind).count())


def is_last_factor(authenticator: Authenticator) -> bool:
    """True when without it signing in would ask for the password alone."""
    others = Authenticator.objects.filter(user=authenticator.user, type__in=SECOND)
    is_second = authenticator.type in SECOND
    return is_second and not others.exclude(pk=authenticator.pk).exists()


def has_confirmed(user: Anyone) -> bool:
    """True when the user has shown that the address he signs in with is his own."""
    if not isinstance(user, User):
        return False
    rows = EmailAddress.objects.filter(user=user, email__iexact=user.email, verified=True)
    return bool(rows.exists())


def confirm_address(user: User) -> None:
    """Count the user's address as confirmed, for users whom the county itself enters."""
    EmailAddress.objects.update_or_create(
        user=user, email=user.email, defaults={"verified": True, "primary": True}
    )
