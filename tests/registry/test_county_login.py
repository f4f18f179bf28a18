"""The county's own sign-in: officials by their verified address, and nobody else."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, urlsplit

import jwt
import pytest
from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.socialaccount.models import SocialAccount
from cryptography.hazmat.primitives.asymmetric import rsa
from django.contrib.auth.decorators import login_not_required
from django.core.exceptions import ImproperlyConfigured
from django.http import HttpRequest, HttpResponse
from django.test import Client
from django.urls import path

from registry.accounts import account_urls
from registry.county_login import county_urls
from registry.credentials import confirm_address
from registry.history import Act, System, acting
from registry.models import User
from registry.openid import county_provider
from tests.factories import AccountHolderFactory, RoleGrantFactory, UserFactory, days_ago

pytestmark = [pytest.mark.django_db, pytest.mark.urls(__name__)]


def page(request: HttpRequest) -> HttpResponse:
    """A page of the house."""
    return HttpResponse(f"Seen by {request.user}")


@login_not_required
def open_page(request: HttpRequest) -> HttpResponse:
    """A page for everybody."""
    return page(request)


urlpatterns = [
    path("", open_page),
    path("inside/", page),
    *account_urls,
    *county_urls,
]

LOGIN = "/accounts/openid/county/login/"
BACK = "/accounts/openid/county/back/"
KEY = rsa.generate_private_key(public_exponent=65537, key_size=2048)
OTHER_KEY = rsa.generate_private_key(public_exponent=65537, key_size=2048)


class Provider:
    """What the county's provider answers; a test changes a part of it."""

    def __init__(self, address: str) -> None:
        self.address = address
        self.key = KEY
        self.claims: dict[str, Any] = {
            "iss": address,
            "aud": "register",
            "sub": "u-17",
            "exp": int(time.time()) + 300,
        }
        self.user: dict[str, Any] = {
            "sub": "u-17",
            "email": "Cleo@county.example",
            "email_verified": True,
        }
        self.asked: list[str] = []

    def answer(self, name: str) -> dict[str, Any]:
        """The JSON of one of its addresses."""
        public = json.loads(jwt.algorithms.RSAAlgorithm.to_jwk(KEY.public_key()))
        headers = {"kid": "k1"}
        answers = {
            "/.well-known/openid-configuration": {
                "issuer": self.address,
                "authorization_endpoint": f"{self.address}/authorize",
                "token_endpoint": f"{self.address}/token",
                "userinfo_endpoint": f"{self.address}/userinfo",
                "jwks_uri": f"{self.address}/keys",
            },
            "/keys": {"keys": [{**public, "kid": "k1", "alg": "RS256"}]},
            "/userinfo": self.user,
            "/token": {
                "access_token": "a-token",
                "token_type": "Bearer",
                "id_token": jwt.encode(self.claims, self.key, "RS256", headers),
            },
        }
        return answers[name]


@pytest.fixture
def county(settings: Any) -> Iterator[Provider]:
    """A provider on this machine, and the register set up for it."""

    class Answers(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            length = int(self.headers.get("Content-Length") or 0)
            provider.asked.append(f"{self.path} {self.rfile.read(length).decode()}")
            body = json.dumps(provider.answer(self.path)).encode()
            self.send_response(200)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        do_POST = do_GET  # noqa: N815 - the server's name

        def log_message(self, *_args: Any) -> None:
            """Say nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Answers)
    provider = Provider(f"http://127.0.0.1:{server.server_port}")
    threading.Thread(target=server.serve_forever, daemon=True).start()
    settings.SOCIALACCOUNT_PROVIDERS = county_provider(
        {
            "OPENID_SERVER_URL": provider.address,
            "OPENID_CLIENT_ID": "register",
            "OPENID_CLIENT_SECRET": "a secret",
        }
    )
    yield provider
    server.shutdown()
    server.server_close()


@pytest.fixture
def cleo() -> User:
    """A clerk with a confirmed address."""
    user = RoleGrantFactory(user__email="cleo@county.example", user__name="Cleo Reed").user
    confirm_address(user)
    return user


def sign_in(client: Client, query: str = "") -> Any:
    """To the provider and back, as the browser goes."""
    gone = client.get(LOGIN + query)
    state = parse_qs(urlsplit(gone.url).query)["state"][0]
    return client.get(BACK, {"code": "c-1", "state": state})


def is_signed_in(client: Client) -> bool:
    return "_auth_user_id" in client.session


def test_an_official_is_led_to_the_county_and_comes_back_signed_in(
    client: Client, county: Provider, cleo: User
) -> None:
    gone = client.get(f"{LOGIN}?next=/inside/")
    asked = {key: value[0] for key, value in parse_qs(urlsplit(gone.url).query).items()}
    back = client.get(BACK, {"code": "c-1", "state": asked["state"]})

    assert gone.url.startswith(f"{county.address}/authorize?")
    assert (asked["client_id"], set(asked["scope"].split())) == (
        "register",
        {"openid", "profile", "email"},
    )
    assert urlsplit(asked["redirect_uri"])[1:3] == ("testserver", BACK)
    assert asked["code_challenge_method"] == "S256"
    assert (back.status_code, back.url) == (302, "/inside/")
    assert client.get("/inside/").content == b"Seen by Cleo Reed <cleo@county.example>"
    token = next(line for line in county.asked if line.startswith("/token"))
    assert "code_verifier=" in token
    assert list(Act.objects.filter(by=cleo).values_list("verb", "data")) == [
        ("user.signed_in", {"by": "county"})
    ]
    assert not SocialAccount.objects.exists()


def test_the_login_page_offers_it_only_where_there_is_one(client: Client, cleo: User) -> None:
    offered = client.get("/accounts/login/?next=/inside/").content.decode()

    assert f'href="{LOGIN}?next=/inside/"' in offered
    assert client.get(LOGIN).status_code == 404


def unverified_there(county: Provider, _user: User) -> None:
    county.user["email_verified"] = False


def silent_about_it(county: Provider, _user: User) -> None:
    del county.user["email_verified"]


def unknown_here(county: Provider, _user: User) -> None:
    county.user["email"] = "mallory@county.example"


def unverified_here(_county: Provider, user: User) -> None:
    EmailAddress.objects.filter(user=user).update(verified=False)


def without_an_office(_county: Provider, user: User) -> None:
    with acting(System.SET_UP, "role.ended"):
        user.grants.update(ends_on=days_ago(1))


def locked_out(_county: Provider, user: User) -> None:
    with acting(System.SET_UP, "test.made"):
        User.objects.filter(pk=user.pk).update(is_active=False)


def two_people_in_one(county: Provider, _user: User) -> None:
    county.claims["sub"] = "u-18"


def no_address(county: Provider, _user: User) -> None:
    del county.user["email"]


def for_somebody_else(county: Provider, _user: User) -> None:
    county.claims["aud"] = "another site"


def from_somebody_else(county: Provider, _user: User) -> None:
    county.claims["iss"] = "https://elsewhere.example"


def too_old(county: Provider, _user: User) -> None:
    county.claims["exp"] = int(time.time()) - 60


def forged(county: Provider, _user: User) -> None:
    county.key = OTHER_KEY


@pytest.mark.parametrize(
    "spoil",
    [
        unverified_there, silent_about_it, unknown_here, unverified_here, without_an_office,
        locked_out, two_people_in_one, no_address, for_somebody_else, from_somebody_else, too_old,
        forged,
    ],
)  # fmt: skip
def test_nobody_else_comes_in_or_is_signed_up(
    client: Client, county: Provider, cleo: User, spoil: Any
) -> None:
    spoil(county, cleo)

    answer = sign_in(client)

    assert answer.status_code == 403
    assert not is_signed_in(client)
    assert User.objects.count() == 1
    assert not SocialAccount.objects.exists()


def test_known_and_unknown_addresses_are_refused_in_the_same_words(
    client: Client, county: Provider, cleo: User
) -> None:
    county.user["email"] = AccountHolderFactory().user.email
    holder = sign_in(client)
    county.user["email"] = "nobody@county.example"
    nobody = sign_in(Client())

    assert holder.content.split(b"<main")[1] == nobody.content.split(b"<main")[1]
    failed = Act.objects.filter(verb="user.sign_in_failed").values_list("by_name", "data")
    assert list(failed) == [("system: public", {"user": None, "by": "county"})] * 2


def test_an_address_that_somebody_else_only_claims_does_not_lead_into_his_account(
    client: Client, county: Provider, cleo: User
) -> None:
    EmailAddress.objects.create(user=UserFactory(), email="cleo@county.example", verified=False)

    sign_in(client)

    assert client.session["_auth_user_id"] == str(cleo.pk)


def test_nobody_ties_an_account_of_the_provider_to_the_own_login(
    client: Client, county: Provider, cleo: User
) -> None:
    mallory = UserFactory()
    client.force_login(mallory)

    sign_in(client, "?process=connect")

    assert not SocialAccount.objects.exists()
    assert client.session["_auth_user_id"] == str(cleo.pk)


def test_an_answer_without_its_question_is_not_taken(
    client: Client, county: Provider, cleo: User
) -> None:
    sign_in(client)
    client.post("/accounts/logout/")

    answers = [
        client.get(BACK, {"code": "c-1", "state": "made-up"}),
        client.get(BACK, {"error": "access_denied"}),
        client.get(BACK),
    ]

    assert [answer.status_code for answer in answers] == [403, 403, 403]
    assert not is_signed_in(client)


@pytest.mark.parametrize("counts", [True, False])
def test_the_county_s_sign_in_is_the_second_factor_only_where_that_is_set(
    client: Client, county: Provider, cleo: User, settings: Any, *, counts: bool
) -> None:
    settings.REQUIRE_SECOND_FACTOR = True
    settings.OPENID_IS_SECOND_FACTOR = counts

    sign_in(client)

    inside = client.get("/inside/")
    assert (inside.status_code == 200) == counts
    if not counts:
        assert inside.url == "/accounts/2fa/totp/activate/"


@pytest.mark.parametrize("counts", [True, False])
def test_a_second_factor_that_is_set_up_is_asked_unless_the_county_s_counts(
    client: Client, county: Provider, cleo: User, settings: Any, *, counts: bool
) -> None:
    settings.OPENID_IS_SECOND_FACTOR = counts
    Authenticator.objects.create(user=cleo, type=Authenticator.Type.TOTP, data={"secret": "x"})

    answer = sign_in(client)

    assert is_signed_in(client) == counts
    assert answer.url == ("/" if counts else "/accounts/2fa/authenticate/")


def test_a_provider_that_does_not_answer_is_said_in_one_sentence(
    client: Client, county: Provider, settings: Any
) -> None:
    settings.SOCIALACCOUNT_PROVIDERS = county_provider(
        {
            "OPENID_SERVER_URL": "http://127.0.0.1:9",
            "OPENID_CLIENT_ID": "register",
            "OPENID_CLIENT_SECRET": "a secret",
        }
    )

    answer = client.get(LOGIN)

    assert answer.status_code == 409
    assert b"does not answer" in answer.content


NAMED = {
    "OPENID_SERVER_URL": "https://login.county.example/",
    "OPENID_CLIENT_ID": "register",
    "OPENID_CLIENT_SECRET": "a secret",
}


def test_the_environment_names_the_provider_whole_over_tls_or_not_at_all() -> None:
    (app,) = county_provider(NAMED)["openid_connect"]["APPS"]

    assert (app["client_id"], app["settings"]["server_url"]) == (
        "register",
        "https://login.county.example",
    )
    assert county_provider({}) == {}
    with pytest.raises(ImproperlyConfigured, match="OPENID_CLIENT_SECRET missing"):
        county_provider(NAMED | {"OPENID_CLIENT_SECRET": ""})
    with pytest.raises(ImproperlyConfigured, match="must begin with https://"):
        county_provider(NAMED | {"OPENID_SERVER_URL": "http://login.county.example"})
