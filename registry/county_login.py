"""Sign-in by the county's own OpenID provider: for users with an office, found by their address.

Nobody is signed up by it, and no account of the provider is tied to a user: each time it is the
verified address that counts, so whoever loses it there, or the office here, is out.
"""

from __future__ import annotations

from typing import Any, NoReturn

from allauth.account.utils import get_next_redirect_url
from allauth.core.exceptions import ImmediateHttpResponse
from allauth.mfa.stages import AuthenticateStage
from allauth.socialaccount.adapter import DefaultSocialAccountAdapter
from allauth.socialaccount.internal import jwtkit
from allauth.socialaccount.models import SocialApp, SocialLogin
from allauth.socialaccount.providers.base.constants import AuthProcess
from allauth.socialaccount.providers.oauth2.views import OAuth2CallbackView
from allauth.socialaccount.providers.openid_connect.views import OpenIDConnectOAuth2Adapter
from django.conf import settings
from django.contrib.auth.decorators import login_not_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import URLPattern, path
from django.utils.translation import gettext as _
from requests import RequestException

from registry.adapters import came_by_county
from registry.credentials import official_of
from registry.generic import CONFLICT
from registry.history import System, acting
from registry.models import User

REFUSED = 403


class CountyAdapter(DefaultSocialAccountAdapter):  # type: ignore[misc]
    """Lets in whom the register knows as an official, and says the same to everybody else."""

    def is_open_for_signup(self, request: HttpRequest, sociallogin: SocialLogin) -> bool:
        """Nobody becomes a user by it."""
        return False

    def authenticate_by_email(self, sociallogin: SocialLogin) -> tuple[User, str] | None:
        """The official of a verified address, None when there is none."""
        for address in sociallogin.email_addresses:
            user = official_of(address.email) if address.verified else None
            if user is not None:
                return user, address.email
        return None

    def pre_social_login(self, request: HttpRequest, sociallogin: SocialLogin) -> None:
        """Stop whoever is no official, and what is no plain sign-in."""
        told = sociallogin.account.extra_data
        subjects = {told.get(part, {}).get("sub") for part in ("userinfo", "id_token")}
        is_one = len(subjects) == 1 and None not in subjects
        is_plain = sociallogin.state.get("process") == AuthProcess.LOGIN
        if is_plain and is_one and sociallogin.is_existing:
            return
        with acting(System.PUBLIC, "user.sign_in_failed", data={"user": None, "by": "county"}):
            pass
        _stop(
            request,
            _(
                "Your county account was recognized, but nobody with an office in this register"
                " has its address, confirmed here and there. Ask a supervisor, or sign in with"
                " your password."
            ),
            REFUSED,
        )

    def on_authentication_error(self, request: HttpRequest, *_args: Any, **_kwargs: Any) -> None:
        """Broken off, out of time or not believed: one sentence, and the way back."""
        _stop(request, _("The county's sign-in did not come through: try again."), REFUSED)


def _stop(request: HttpRequest, sentence: str, status: int) -> NoReturn:
    raise ImmediateHttpResponse(_told(request, sentence, status))


def _told(request: HttpRequest, sentence: str, status: int) -> HttpResponse:
    return render(request, "account/county_stopped.html", {"sentence": sentence}, status=status)


class CountyOpenID(OpenIDConnectOAuth2Adapter):  # type: ignore[misc]
    """allauth's client; it checks the token's signature wherever the token came from."""

    def _decode_id_token(self, app: SocialApp, id_token: str) -> dict[str, Any]:
        claims: dict[str, Any] = jwtkit.verify_and_decode(
            credential=id_token,
            keys_url=self.openid_config["jwks_uri"],
            issuer=self.openid_config["issuer"],
            audience=app.client_id,
            lookup_kid=jwtkit.lookup_kid_jwk,
        )
        return claims


class SecondFactorStage(AuthenticateStage):  # type: ignore[misc]
    """Asks for the second factor, unless the county says that its own sign-in is one."""

    def handle(self) -> tuple[HttpResponse | None, bool]:
        """A redirect to the page that asks, or on to the next stage."""
        if came_by_county(self.request, self.login.user) and settings.OPENID_IS_SECOND_FACTOR:
            return None, True
        answer: tuple[HttpResponse | None, bool] = super().handle()
        return answer


@login_not_required
def go_to_county(request: HttpRequest, provider_id: str) -> HttpResponse:
    """Lead to the county's sign-in, and from there back to where the user wanted to go."""
    client = _client(request, provider_id)
    try:
        answer: HttpResponse = client.get_provider().redirect(
            request, AuthProcess.LOGIN, next_url=get_next_redirect_url(request)
        )
    except RequestException:
        sentence = _("The county's sign-in does not answer: sign in with your password.")
        return _told(request, sentence, CONFLICT)
    return answer


@login_not_required
def back_from_county(request: HttpRequest, provider_id: str) -> HttpResponse:
    """Take the provider's answer."""
    answer: HttpResponse = OAuth2CallbackView.adapter_view(_client(request, provider_id))(request)
    return answer


def _client(request: HttpRequest, provider_id: str) -> CountyOpenID:
    client = CountyOpenID(request, provider_id)
    try:
        client.get_provider()
    except SocialApp.DoesNotExist:
        raise Http404 from None
    return client


AT = "accounts/openid/<slug:provider_id>/"
county_urls: list[URLPattern] = [
    path(f"{AT}login/", go_to_county, name="openid_connect_login"),
    path(f"{AT}back/", back_from_county, name="openid_connect_callback"),
]
"""Under allauth's own names; it is the only part of allauth's social accounts that has pages."""
