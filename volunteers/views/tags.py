"""Print name tags: who gets one, who does not and why, what must be mended first."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from decimal import Decimal
from typing import Any

from django import forms
from django.conf import settings
from django.contrib import messages
from django.http import Http404, HttpResponse, HttpResponseRedirect
from django.http.response import HttpResponseBase
from django.urls import URLPattern, path, reverse
from django.utils import timezone
from django.utils.functional import cached_property
from django.utils.text import get_valid_filename
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from registry.access import Capability, is_regulator
from registry.fields import DateField
from registry.forms import RegisterForm
from registry.generic import ActView, pdf_response
from registry.history import Act
from registry.models import Organization
from registry.ruleset import Ruleset, TextUnknown, in_force
from registry.tables import Link
from volunteers import tags
from volunteers.models import Assignment, NameTag
from volunteers.selectors import RosterRow
from volunteers.tagging import (
    TagPlan,
    issue_tags,
    plan_tags,
    record_blanks,
    replace_lost_tag,
    tag_for,
)

MOST_BLANKS = 60
FARTHEST = Decimal(36)


class DayForm(RegisterForm):
    """For which day the tags are."""

    on = DateField(label=gettext_lazy("Tags for"), required=False)


class TagForm(RegisterForm):
    """Who gets a tag, what stands on it, and where on the sheet the first one goes."""

    on = forms.DateField(widget=forms.HiddenInput)
    people = forms.MultipleChoiceField(
        label=gettext_lazy("Print a tag for"), widget=forms.CheckboxSelectMultiple
    )
    with_duty = forms.BooleanField(label=gettext_lazy("Print the duty"), required=False)
    with_end = forms.BooleanField(
        label=gettext_lazy("Print the last day of the approval"), required=False
    )
    start = forms.TypedChoiceField(
        label=gettext_lazy("First label on the sheet"),
        coerce=int,
        choices=[(n, str(n)) for n in range(1, tags.PER_SHEET + 1)],
        widget=forms.RadioSelect,
        initial=1,
    )
    right = forms.DecimalField(
        label=gettext_lazy("Move the print to the right"),
        help_text=gettext_lazy("In points (72 make an inch); less than 0 moves to the left."),
        min_value=-FARTHEST,
        max_value=FARTHEST,
        initial=0,
        required=False,
    )
    down = forms.DecimalField(
        label=gettext_lazy("Move the print down"),
        help_text=gettext_lazy("In points; less than 0 moves up."),
        min_value=-FARTHEST,
        max_value=FARTHEST,
        initial=0,
        required=False,
    )

    @property
    def nudge(self) -> tags.Nudge:
        """How far this printer is off."""
        read = self.cleaned_data
        return tags.Nudge(float(read["right"] or 0), float(read["down"] or 0))


class PrintTags(ActView):
    """The sheet of an organization's tags for one day (§ 10-63(10))."""

    capability = Capability.PRINT_TAGS
    template_name = "volunteers/tags_print.html"
    form_class = TagForm
    title = gettext_lazy("Print name tags")

    @cached_property
    def on(self) -> date:
        """The day in the address or in the form; today, with the reason, when it cannot be."""
        sent = self.request.POST.get("on") or self.request.GET.get("on") or ""
        field = DateField(required=False)
        try:
            day: date = field.clean(sent) or timezone.localdate()
            in_force(day)
        except forms.ValidationError as error:
            messages.warning(self.request, " ".join(error.messages))
        except TextUnknown as unknown:
            messages.warning(self.request, str(unknown))
        else:
            return day
        return timezone.localdate()

    @cached_property
    def law(self) -> Ruleset:
        """The rules in force on that day."""
        return in_force(self.on)

    @cached_property
    def plan(self) -> TagPlan:
        """Who may have a tag for the day, and who not."""
        return plan_tags(self.by, self.own, self.on)

    @cached_property
    def mending(self) -> list[tuple[RosterRow, list[str]]]:
        """Those whose tag cannot be printed as the register has the name."""
        return tags.to_mend(self.plan.ready, self.own.name, self.law)

    @property
    def printable(self) -> list[RosterRow]:
        """Those who are cleared, approved, and whose names print."""
        bad = {row.membership.pk for row, _why in self.mending}
        return [row for row in self.plan.ready if row.membership.pk not in bad]

    @property
    def verb(self) -> str:
        """The button."""
        return _("Print the tags")

    def form(self) -> RegisterForm:
        """The form, offering those whose tag can be printed, all of them ticked."""
        form = super().form()
        field = form.fields["people"]
        assert isinstance(field, forms.MultipleChoiceField)
        field.choices = [(str(_pk(row)), row.membership.person.full_name) for row in self.printable]
        return form

    def form_arguments(self) -> dict[str, Any]:
        """Today's choice: everybody, or the one who was named in the address."""
        only = self.request.GET.get("only")
        chosen = [str(_pk(row)) for row in self.printable if only in {None, str(_pk(row))}]
        return {"initial": {"people": chosen, "on": self.on.isoformat()}}

    def context(self) -> dict[str, Any]:
        """Who is printed, who is not and why, what to mend."""
        return super().context() | {
            "on": self.on,
            "day_form": DayForm(initial={"on": self.on}, auto_id="day_%s"),
            "about": self._about(),
            "left_out": [
                (row, tags.why_no_tag(self.request.user, row)) for row in self.plan.left_out
            ],
            "mending": self.mending,
            "printable": self.printable,
            "has_code": bool(settings.PUBLIC_ADDRESS),
            "is_county": is_regulator(self.request.user),
        }

    def _about(self) -> str:
        count = len(self.printable)
        return ngettext(
            "%(count)s tag can be printed for this day.",
            "%(count)s tags can be printed for this day.",
            count,
        ) % {"count": count}

    def act(self, form: RegisterForm) -> Any:
        """Issue the tags that are missing or out of date, and lay out the sheet."""
        assert isinstance(form, TagForm)
        self.sent = form
        return self._sheet(form)

    def _sheet(self, form: TagForm) -> bytes:
        issued = issue_tags(
            self.by,
            self.own,
            self._chosen(form),
            on=self.on,
            with_duty=form.cleaned_data["with_duty"],
            with_end=form.cleaned_data["with_end"],
        )
        faces = tags.faces_of(issued, settings.PUBLIC_ADDRESS)
        return tags.sheet(faces, self.law, start=form.cleaned_data["start"], nudge=form.nudge)

    def _chosen(self, form: TagForm) -> Sequence[Assignment]:
        wanted = set(form.cleaned_data["people"])
        return [
            row.assignment for row in self.printable if row.assignment and str(_pk(row)) in wanted
        ]

    def done(self, result: Any) -> HttpResponseBase:
        """The paper itself."""
        name = get_valid_filename(f"tags-{self.own.slug}-{self.on.isoformat()}.pdf")
        return pdf_response(result, name)

    def already_done(self, act: Act) -> HttpResponseBase:
        """The second press prints the same tags again: none is made twice."""
        return self.done(self._sheet(self.sent))

    def trail(self) -> Sequence[Link]:
        """Up to the organization."""
        return own_trail(self.own)


def _pk(row: RosterRow) -> int:
    return row.assignment.pk if row.assignment else 0


def own_trail(organization: Organization) -> Sequence[Link]:
    """The way back to the organization's page and its people."""
    return (
        Link(organization.name, reverse("organization_detail", args=[organization.slug])),
        Link(_("People"), reverse("membership_list", args=[organization.slug])),
    )


class BlankForm(RegisterForm):
    """How many tags without a name, to be written by hand."""

    count = forms.IntegerField(
        label=gettext_lazy("How many"), min_value=1, max_value=MOST_BLANKS, initial=tags.PER_SHEET
    )


class BlankTags(ActView):
    """Tags with the organization's name and a line for a name written by hand."""

    capability = Capability.PRINT_TAGS
    form_class = BlankForm
    title = gettext_lazy("Print blank tags")
    verb = gettext_lazy("Print blank tags")
    about = gettext_lazy(
        "They carry the organization's name, no number and no code. Write the full name legibly."
    )

    def act(self, form: RegisterForm) -> Any:
        """Record the print and lay out the sheet."""
        faces = tags.blank(self.own.name, form.cleaned_data["count"])
        law = in_force(timezone.localdate())
        if found := tags.problems(faces[0], law):
            raise forms.ValidationError(found)
        record_blanks(self.by, self.own, len(faces))
        return tags.sheet(faces, law)

    def done(self, result: Any) -> HttpResponseBase:
        """The paper itself."""
        return pdf_response(result, "blank-tags.pdf")

    def already_done(self, act: Act) -> HttpResponseBase:
        """Back to the tags: the paper was made by the first press."""
        return HttpResponseRedirect(reverse("tags_print", args=[self.own.slug]))

    def trail(self) -> Sequence[Link]:
        """Up to the tags."""
        page = reverse("tags_print", args=[self.own.slug])
        return (*own_trail(self.own), Link(_("Name tags"), page))


class ReplaceForm(RegisterForm):
    """How the tag was lost, if anybody knows."""

    reason = forms.CharField(label=gettext_lazy("What happened"), max_length=300, required=False)


class ReplaceTag(ActView):
    """A new number for a lost tag; the old one answers “replaced” from now on."""

    capability = Capability.PRINT_TAGS
    form_class = ReplaceForm
    title = gettext_lazy("Replace a lost tag")
    verb = gettext_lazy("Replace the tag")
    is_dangerous = True

    @cached_property
    def tag(self) -> NameTag:
        """The tag of this address, 404 when it is not the organization's."""
        found = tag_for(self.request.user, self.own, self.kwargs["pk"])
        if found is None:
            raise Http404
        return found

    @property
    def about(self) -> str:
        """Which tag."""
        return _("Tag %(number)s of %(name)s. Whoever scans it will read: replaced.") % {
            "number": str(self.tag),
            "name": self.tag.name,
        }

    def get(self, request: Any, *args: Any, **kwargs: Any) -> HttpResponseBase:
        """The form, once the tag is known to be there."""
        _known = self.tag
        return super().get(request, *args, **kwargs)

    def act(self, form: RegisterForm) -> Any:
        """Replace it."""
        reason = form.cleaned_data["reason"]
        return replace_lost_tag(self.by, self.tag, reason=reason)

    def post(self, request: Any, *args: Any, **kwargs: Any) -> HttpResponseBase:
        """Act, once the tag is known to be there."""
        _known = self.tag
        return super().post(request, *args, **kwargs)

    def done(self, result: Any) -> HttpResponse:
        """On to printing the new one."""
        text = _("Tag %(number)s takes its place. Print it now.") % {"number": str(result)}
        messages.success(self.request, text)
        return HttpResponseRedirect(self.success_url(result))

    def success_url(self, result: Any) -> str:
        """The print page with this person alone ticked; with everybody after a second press."""
        page = reverse("tags_print", args=[self.own.slug])
        return f"{page}?only={result.assignment_id}" if result else page

    def trail(self) -> Sequence[Link]:
        """Up to the organization."""
        return own_trail(self.own)


urls: list[URLPattern] = [
    path("organizations/<slug:slug>/tags/", PrintTags.as_view(), name="tags_print"),
    path("organizations/<slug:slug>/tags/blank/", BlankTags.as_view(), name="tags_blank"),
    path(
        "organizations/<slug:slug>/tags/<int:pk>/replace/", ReplaceTag.as_view(), name="tag_replace"
    ),
]
