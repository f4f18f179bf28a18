"""The form that asks of each worker of a license: still here, or left on a day."""

from __future__ import annotations

from collections.abc import Sequence

from django import forms
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from registry.fields import DateField
from registry.forms import RegisterForm
from volunteers.renewing import HERE, LEFT, Stay, Worker

ANSWERS = ((HERE, _("Still here")), (LEFT, _("Left")))


class WorkersForm(RegisterForm):
    """An answer and a day for each approval; both may wait."""

    def ask(self, workers: Sequence[Worker]) -> WorkersForm:
        """Add the fields of these workers, with what was said of them so far."""
        for worker in workers:
            pk, stay = worker.approval.pk, worker.stay
            answer = forms.ChoiceField(choices=ANSWERS, required=False)
            self.fields[f"stay_{pk}"] = answer
            left = DateField(required=False, latest=timezone.localdate)
            self.fields[f"left_{pk}"] = left
            if stay is not None:
                answer.initial, left.initial = stay.answer, stay.left_on
        return self

    def said(self, workers: Sequence[Worker], *, rest_here: bool = False) -> dict[int, Stay]:
        """What was answered; a day alone says that he left. `rest_here`: the others stay."""
        said = {}
        for pk in (worker.approval.pk for worker in workers):
            left_on = self.cleaned_data.get(f"left_{pk}")
            answer = self.cleaned_data.get(f"stay_{pk}")
            if left_on is not None and answer != HERE:
                said[pk] = Stay(LEFT, left_on)
            elif answer or rest_here:
                said[pk] = Stay(answer or HERE)
        return said
