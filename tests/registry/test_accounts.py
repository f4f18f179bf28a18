"""Signing up and in: by e-mail only, nothing given away, a second factor for regulators."""

from __future__ import annotations

import re
from typing import Any

import pytest
from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.mfa.recovery_codes.internal.auth import RecoveryCodes
from allauth.mfa.totp.internal import auth as totp
from django.contrib.auth.decorators import login_not_required
from django.contrib.auth.hashers import MD5PasswordHasher
from django.core import mail
from django.http import HttpRequest, HttpResponse
from django.test import Client
from django.urls import path

from registry.accounts import account_urls
from registry.credentials import confirm_address
from registry.history import Act
from registry.models import RoleGrant, User
from tests.factories import RoleGrantFactory, UserFactory

pytestmark = [pytest.mark.django_db, pytest.mark.urls(__name__)]


def page(request: HttpRequest) -> HttpResponse:
    """Any page of the house; it is what stands before it that is tested here."""
    return HttpResponse(f"Seen by {request.user}")


@login_not_required
def open_page(request: HttpRequest) -> HttpResponse:
    """A page for everybody."""
    return page(request)


urlpatterns = [
    path("", open_page),
    path("inside/", page),
    *account_urls,
]

PASSWORD = "five lanterns on the marsh"
LOGIN = "/accounts/login/"
INSIDE = "/inside/"
SET_UP = "/accounts/2fa/totp/activate/"


@pytest.fixture
def ada() -> User:
    """An officer of no organization with a confirmed address."""
    user = UserFactory(email="ada@example.org", name="Ada Marsh", password=PASSWORD)
    confirm_address(user)
    return user


@pytest.fixture
def clerk(ada: User, settings: Any) -> User:
    """The same person as a clerk of a county that requires a second factor."""
    settings.REQUIRE_SECOND_FACTOR = True
    RoleGrantFactory(user=ada, role=RoleGrant.Role.CLERK)
    return ada


def sign_in(client: Client, email: str = "ada@example.org", password: str = PASSWORD) -> Any:
    return client.post(LOGIN, {"login": email, "password": password})


def is_signed_in(client: Client) -> bool:
    return "_auth_user_id" in client.session


def said(response: HttpResponse) -> str:
    """The page without what differs on every request."""
    text = re.sub(r"(name|id|value)=\"[^\"]{20,}\"", "", response.content.decode())
    return re.sub(r"X-CSRFToken\": \"\w+\"", "", text)


@pytest.mark.parametrize("typed", ["ada@example.org", "ADA@Example.ORG", "  ada@example.org "])
def test_the_address_signs_in_whatever_its_case_and_blanks(
    client: Client, ada: User, typed: str
) -> None:
    response = sign_in(client, typed)

    assert (response.status_code, response.url) == (302, "/")
    assert client.session["_auth_user_id"] == str(ada.pk)


def test_signing_in_and_out_and_failing_to_are_kept(client: Client, ada: User) -> None:
    sign_in(client, password="wrong")
    sign_in(client, email="nobody@example.org")
    sign_in(client)
    client.post("/accounts/logout/")

    kept = Act.objects.filter(verb__startswith="user.").order_by("at")
    assert list(kept.values_list("by_name", "verb", "data")) == [
        ("system: public", "user.sign_in_failed", {"user": ada.pk}),
        ("system: public", "user.sign_in_failed", {"user": None}),
        ("Ada Marsh <ada@example.org>", "user.signed_in", {}),
        ("Ada Marsh <ada@example.org>", "user.signed_out", {}),
    ]


def test_a_wrong_password_and_an_unknown_address_are_answered_alike(
    client: Client, ada: User
) -> None:
    wrong = sign_in(client, password="wrong")
    unknown = sign_in(client, email="bea@example.org", password="wrong")

    assert said(wrong).replace("ada@", "") == said(unknown).replace("bea@", "")
    assert not is_signed_in(client)


def test_too_many_wrong_passwords_lock_the_address_for_a_while(client: Client, ada: User) -> None:
    for _attempt in range(5):
        sign_in(client, password="wrong")

    sign_in(client)

    assert not is_signed_in(client)


def test_a_reset_says_the_same_for_a_known_and_an_unknown_address(
    client: Client, ada: User
) -> None:
    known = client.post("/accounts/password/reset/", {"email": "ada@example.org"}, follow=True)
    unknown = client.post("/accounts/password/reset/", {"email": "bea@example.org"}, follow=True)

    assert (known.status_code, known.redirect_chain) == (200, unknown.redirect_chain)
    assert said(known) == said(unknown)
    assert [letter.to for letter in mail.outbox] == [["ada@example.org"], ["bea@example.org"]]
    assert "/password/reset/key/" in mail.outbox[0].body
    assert "/password/reset/key/" not in mail.outbox[1].body


def test_the_letter_of_a_reset_leads_to_a_new_password_once(client: Client, ada: User) -> None:
    client.post("/accounts/password/reset/", {"email": "ada@example.org"})
    link = path_in(mail.outbox[0].body, "/accounts/password/reset/key/")
    new = "seven herons in the reeds"

    page = client.get(link, follow=True)
    client.post(page.redirect_chain[-1][0], {"password1": new, "password2": new})
    again = client.get(link)

    sign_in(client, password=new)
    assert is_signed_in(client)
    assert b"password1" not in again.content
    assert Act.objects.filter(by=ada, verb="user.password_reset").count() == 1


def path_in(body: str, start: str) -> str:
    """The address in a letter, without host."""
    found = re.search(rf"https?://[^/\s]+({re.escape(start)}\S+)", body)
    assert found, body
    return found[1]


SIGN_UP = {
    "email": "Cleo@Example.org",
    "name": "Cleo Reed",
    "password1": PASSWORD,
    "password2": PASSWORD,
}


def test_signing_up_waits_for_the_letter_to_be_answered(client: Client) -> None:
    response = client.post("/accounts/signup/", SIGN_UP)

    assert (response.status_code, response.url) == (302, "/accounts/confirm-email/")
    user = User.objects.get(email="cleo@example.org")
    assert (user.name, user.is_superuser, user.grants.count()) == ("Cleo Reed", False, 0)
    made = Act.objects.get(verb="user.signed_up")
    assert (made.by_name, made.by) == ("system: sign-up", None)
    sign_in(client, "cleo@example.org")
    assert not is_signed_in(client)

    client.post(path_in(mail.outbox[0].body, "/accounts/confirm-email/"))

    sign_in(client, "cleo@example.org")
    assert is_signed_in(client)


def test_signing_up_twice_says_the_same_and_tells_only_the_owner(client: Client, ada: User) -> None:
    fresh = client.post("/accounts/signup/", SIGN_UP, follow=True)
    taken = Client().post("/accounts/signup/", {**SIGN_UP, "email": "ada@example.org"}, follow=True)

    assert fresh.redirect_chain == taken.redirect_chain
    assert said(fresh).replace("cleo@example.org", "") == said(taken).replace("ada@example.org", "")
    assert [letter.to for letter in mail.outbox] == [["cleo@example.org"], ["ada@example.org"]]
    assert User.objects.count() == 2
    assert User.objects.get(pk=ada.pk).name == "Ada Marsh"


@pytest.mark.parametrize("typed", ["ADA@Example.ORG", " ada@example.org "])
def test_an_address_in_other_capitals_or_with_blanks_is_no_second_account(
    client: Client, ada: User, typed: str
) -> None:
    client.post("/accounts/signup/", {**SIGN_UP, "email": typed})
    client.post("/accounts/password/reset/", {"email": typed})

    assert User.objects.get() == ada
    assert [letter.to for letter in mail.outbox] == [["ada@example.org"]] * 2


class CountingHasher(MD5PasswordHasher):
    """Counts what takes the time of an answer."""

    algorithm = "counted"
    count = 0

    def encode(self, password: str, salt: str) -> str:
        """One more."""
        type(self).count += 1
        return str(super().encode(password, salt))


@pytest.mark.parametrize(
    ("path", "form", "field"),
    [
        ("/accounts/signup/", SIGN_UP, "email"),
        (LOGIN, {"password": "wrong"}, "login"),
        ("/accounts/password/reset/", {}, "email"),
    ],
)
def test_known_and_unknown_addresses_take_the_same_work(
    ada: User, settings: Any, path: str, form: dict[str, str], field: str
) -> None:
    settings.PASSWORD_HASHERS = [f"{__name__}.CountingHasher"]
    ada.set_password(PASSWORD)
    ada.save(update_fields=["password"])
    work = []
    for address in ("ada@example.org", "nobody@example.org"):
        CountingHasher.count = 0
        Client().post(path, {**form, field: address})
        work.append(CountingHasher.count)

    assert work[0] == work[1]


def test_a_weak_password_is_refused_and_nothing_is_saved(client: Client) -> None:
    response = client.post("/accounts/signup/", {**SIGN_UP, "password1": "abc", "password2": "abc"})

    assert response.status_code in (200, 422)
    assert not User.objects.exists()


def test_a_changed_address_changes_in_both_tables_in_one_act(client: Client, ada: User) -> None:
    sign_in(client)
    client.post("/accounts/email/", {"action_add": "", "email": "ada@new.example.org"})
    client.post(path_in(mail.outbox[-1].body, "/accounts/confirm-email/"))

    client.post("/accounts/email/", {"action_primary": "", "email": "ada@new.example.org"})

    ada.refresh_from_db()
    assert ada.email == "ada@new.example.org"
    assert EmailAddress.objects.get_primary(ada).email == "ada@new.example.org"
    kept = Act.objects.filter(verb__startswith="user.address").order_by("at")
    assert list(kept.values_list("verb", "by")) == [
        ("user.addresses_kept", ada.pk),
        ("user.address_confirmed", ada.pk),
        ("user.addresses_kept", ada.pk),
    ]


@pytest.mark.parametrize("address", [INSIDE, "/accounts/2fa/", "/accounts/email/"])
def test_pages_behind_the_door_lead_to_it(client: Client, address: str) -> None:
    response = client.get(address)

    assert (response.status_code, response.url.partition("?")[0]) == (302, LOGIN)


def test_a_regulator_without_a_second_factor_is_led_to_set_it_up(
    client: Client, clerk: User, settings: Any
) -> None:
    sign_in(client)

    response = client.get(INSIDE)

    assert (response.status_code, response.url) == (302, SET_UP)
    for address in ("/", "/accounts/email/", "/accounts/2fa/", SET_UP, "/accounts/logout/"):
        assert client.get(address).status_code == 200
    settings.REQUIRE_SECOND_FACTOR = False
    assert client.get(INSIDE).status_code == 200


def test_a_fragment_is_told_to_load_the_set_up_page_whole(client: Client, clerk: User) -> None:
    sign_in(client)

    response = client.get(INSIDE, headers={"HX-Request": "true"})

    assert (response.status_code, response.headers["HX-Redirect"]) == (200, SET_UP)


def test_somebody_who_is_no_regulator_needs_no_second_factor(client: Client, ada: User) -> None:
    sign_in(client)

    assert client.get("/accounts/2fa/").status_code == 200
    assert client.get(INSIDE).content == b"Seen by Ada Marsh <ada@example.org>"


@pytest.mark.django_db(transaction=True)
def test_a_regulator_sets_the_factor_up_and_works_on(client: Client, clerk: User) -> None:
    sign_in(client)
    secret = client.get(SET_UP).context["form"].secret

    client.post(SET_UP, {"code": code_of(secret)})

    assert client.get(INSIDE).status_code == 200
    kept = Act.objects.filter(by=clerk, verb="user.totp_activated")
    assert kept.count() == 1


@pytest.mark.parametrize("is_needed", [True, False])
def test_the_factor_comes_off_only_where_the_role_does_not_need_it(
    client: Client, clerk: User, settings: Any, *, is_needed: bool
) -> None:
    sign_in(client)
    client.post(SET_UP, {"code": code_of(client.get(SET_UP).context["form"].secret)})
    client.post("/accounts/reauthenticate/", {"password": PASSWORD})
    settings.REQUIRE_SECOND_FACTOR = is_needed

    client.post("/accounts/2fa/totp/deactivate/")

    held = Authenticator.objects.filter(user=clerk, type=Authenticator.Type.TOTP)
    assert held.exists() == is_needed


def test_the_second_factor_is_asked_and_a_wrong_code_does_not_pass(
    client: Client, clerk: User
) -> None:
    secret = enroll(clerk)

    response = sign_in(client)
    assert (response.status_code, response.url) == (302, "/accounts/2fa/authenticate/")
    wrong = f"{(int(code_of(secret)) + 1) % 1_000_000:06}"
    client.post(response.url, {"code": wrong})
    assert not is_signed_in(client)

    client.post(response.url, {"code": code_of(secret)})

    assert is_signed_in(client)


def test_a_recovery_code_passes_once(client: Client, clerk: User) -> None:
    enroll(clerk)
    code = RecoveryCodes.activate(clerk).get_unused_codes()[0]

    passed = [uses(Client(), code) for _attempt in range(2)]

    assert passed == [True, False]


def uses(client: Client, code: str) -> bool:
    sign_in(client)
    client.post("/accounts/2fa/authenticate/", {"code": code})
    return is_signed_in(client)


def enroll(user: User) -> str:
    """Give the user an authenticator app; its secret comes back."""
    secret: str = totp.generate_totp_secret()
    totp.TOTP.activate(user, secret)
    return secret


def code_of(secret: str) -> str:
    """What the app shows now."""
    counter = next(iter(totp.yield_hotp_counters_from_time()))
    return str(totp.format_hotp_value(totp.hotp_value(secret, counter)))


def test_the_secret_of_the_app_is_not_in_the_database_as_it_is(clerk: User) -> None:
    secret = enroll(clerk)

    kept = Authenticator.objects.get(user=clerk)

    assert secret not in str(kept.data)
    assert kept.wrap().validate_code(code_of(secret))


@pytest.mark.parametrize("is_needed", [True, False])
@pytest.mark.parametrize("has_app", [True, False])
def test_the_last_second_factor_stays_where_the_role_needs_one(
    client: Client, clerk: User, settings: Any, *, is_needed: bool, has_app: bool
) -> None:
    sign_in(client)
    passkey = {"name": "Laptop", "credential": {}}
    row = Authenticator.objects.create(user=clerk, type=Authenticator.Type.WEBAUTHN, data=passkey)
    if has_app:
        enroll(clerk)
    client.post("/accounts/reauthenticate/", {"password": PASSWORD})
    settings.REQUIRE_SECOND_FACTOR = is_needed

    client.post(f"/accounts/2fa/webauthn/keys/{row.pk}/remove/")

    stays = is_needed and not has_app
    assert Authenticator.objects.filter(pk=row.pk).exists() == stays
    assert Act.objects.filter(by=clerk, verb="user.webauthn_removed").exists() != stays


def test_a_passkey_of_somebody_else_cannot_be_taken_off(client: Client, clerk: User) -> None:
    other = Authenticator.objects.create(
        user=UserFactory(),
        type=Authenticator.Type.WEBAUTHN,
        data={"name": "Laptop", "credential": {}},
    )
    sign_in(client)
    client.post("/accounts/reauthenticate/", {"password": PASSWORD})

    answer = client.post(f"/accounts/2fa/webauthn/keys/{other.pk}/remove/")

    assert answer.status_code == 404
    assert Authenticator.objects.filter(pk=other.pk).exists()
