"""What the public is asked."""

from __future__ import annotations

from django import forms
from django.utils.translation import gettext_lazy as _

from registry.forms import RegisterForm


class ConcernForm(RegisterForm):
    """What somebody saw; only that is needed."""

    text = forms.CharField(
        label=_("What did you see?"),
        help_text=_("Which hall, when, and what. Leave out what you do not know."),
        max_length=2000,
        widget=forms.Textarea(attrs={"rows": 5}),
    )
    tag_number = forms.IntegerField(
        label=_("Number on the name tag"), min_value=1, max_value=999_999_999, required=False
    )
    contact = forms.CharField(
        label=_("How we can reach you"),
        help_text=_("Name and telephone or e-mail, if you want an answer. You need not say."),
        max_length=200,
        required=False,
    )
