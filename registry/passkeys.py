"""Passkeys (allauth's WebAuthn) in our words; the last second factor of a regulator stays."""

from __future__ import annotations

from typing import Any

from allauth.mfa.adapter import get_adapter
from allauth.mfa.webauthn.forms import AddWebAuthnForm
from allauth.mfa.webauthn.views import RemoveWebAuthnView
from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import URLPattern, path
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy


class AddPasskeyForm(AddWebAuthnForm):  # type: ignore[misc]
    """A passkey that signs in alone, unless the device cannot or the user does not want that."""

    name = forms.CharField(
        label=gettext_lazy("Name of the device"),
        max_length=100,
        required=False,
        help_text=gettext_lazy("So that you know it again, as “Laptop at the counter”."),
    )
    passwordless = forms.BooleanField(
        label=gettext_lazy("It signs me in alone, without the password"),
        required=False,
        initial=True,
        help_text=gettext_lazy(
            "The device then asks for your finger, face or PIN. Without this it is only the second"
            " step after the password."
        ),
    )


class RemovePasskey(RemoveWebAuthnView):  # type: ignore[misc]
    """Take a passkey off; allauth itself does not ask whether that is the last second factor."""

    def post(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        """Remove it, or say why not."""
        if get_adapter().can_delete_authenticator(self.get_object()):
            return super().post(request, *args, **kwargs)  # type: ignore[no-any-return]
        messages.error(request, _("Your role needs a second factor: set up another one first."))
        return redirect("mfa_list_webauthn")


passkey_urls: list[URLPattern] = [
    path(
        "accounts/2fa/webauthn/keys/<int:pk>/remove/",
        RemovePasskey.as_view(),
        name="mfa_remove_webauthn",
    )
]
"""Stand before allauth's own, so that they are found first."""
