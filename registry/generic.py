"""Every page is one of these: a table, a thing, an act, a paper or a type-ahead's list.

A concrete view names its `capability` and four to eight lines more. Pages under
`<slug:slug>` belong to an organization, found through a selector scoped to the user (404).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, ClassVar

from django.contrib import messages
from django.core.exceptions import ImproperlyConfigured, PermissionDenied, ValidationError
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect, QueryDict
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.utils.cache import add_never_cache_headers
from django.utils.http import content_disposition_header
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.generic import View

from registry.access import BadInput, Capability, Refused, require
from registry.exports import FILES
from registry.fields import Choice
from registry.forms import RegisterForm
from registry.history import Act, AlreadyDone, acting, first_press, pressed
from registry.models import Organization, User
from registry.selectors import organization_for
from registry.tables import Link, RegisterFilterSet, RegisterTable
from registry.worded import Mark, WordedRuling

INVALID, CONFLICT = 422, 409
OFFERED = 10
NUL = "\0"
LONGEST = 13
"""Digits: the keys of rows have fewer."""


class PageView(View):
    """A page with a title, held by one capability; Capability.PUBLIC needs no login."""

    capability: ClassVar[Capability]
    template_name: str = ""
    title: Any = ""
    organization: Organization | None = None
    organization_kwarg: ClassVar[str | None] = "slug"
    """Name of the address's part that says for which organization; None when there is none."""

    @classmethod
    def as_view(cls, **initkwargs: Any) -> Callable[..., HttpResponseBase]:
        """Django's view; without a capability it does not start."""
        capability = initkwargs.get("capability", getattr(cls, "capability", None))
        if not isinstance(capability, Capability):
            raise ImproperlyConfigured(f"{cls.__name__} names no capability")
        view = super().as_view(**initkwargs)
        view.login_required = capability is not Capability.PUBLIC  # type: ignore[attr-defined]
        return view

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        """Find the organization of the address, ask for the capability, then answer."""
        _refuse_nul(request, kwargs)
        if self.organization_kwarg and self.organization_kwarg in kwargs:
            self.organization = organization_for(request.user, kwargs[self.organization_kwarg])
            request.organization = self.organization  # type: ignore[attr-defined]
        require(request.user, self.capability, self.organization)
        response = super().dispatch(request, *args, **kwargs)
        if self.capability is not Capability.PUBLIC:
            add_never_cache_headers(response)
        return response

    @property
    def by(self) -> User:
        """Who acts; a page that is open to everyone may not ask."""
        if not isinstance(self.request.user, User):
            raise PermissionDenied
        return self.request.user

    @property
    def own(self) -> Organization:
        """The organization of the address; only pages whose address names one may ask."""
        if self.organization is None:
            raise ImproperlyConfigured(f"{type(self).__name__} stands under no organization")
        return self.organization

    def get_title(self) -> str:
        """What the page is, for heading, tab and history of the browser."""
        return str(self.title)

    def trail(self) -> Sequence[Link]:
        """The way back up, outermost first, without the page itself."""
        return ()

    def context(self) -> dict[str, Any]:
        """What every template of the page receives."""
        return {
            "view": self,
            "title": self.get_title(),
            "trail": self.trail(),
            "organization": self.organization,
        }

    def page(
        self, extra: Mapping[str, Any] | None = None, *, template: str = "", status: int = 200
    ) -> HttpResponse:
        """The page's template, rendered."""
        context = {**self.context(), **(extra or {})}
        return render(self.request, template or self.template_name, context, status=status)


class TableView(PageView):
    """A selector, a table and a filter set; with `?export=csv` or `xlsx` all pages as a file."""

    template_name = "generic/list.html"
    table_class: type[RegisterTable]
    filterset_class: type[RegisterFilterSet] | None = None
    switch: ClassVar[str] = ""
    """The filter shown as links beside each other instead of a field."""
    per_page = 50
    export_name: str = "list"

    def rows(self) -> Any:
        """The rows of a selector scoped to the user: a queryset or a sequence."""
        raise NotImplementedError

    def acts(self) -> Sequence[Link]:
        """Buttons above the table, the primary act first."""
        return ()

    def about(self) -> str:
        """One sentence above the table: what stands here, and how it stands today."""
        return ""

    def get(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        """The list, or its file."""
        filters = self._filters()
        table = self.table_class(filters.qs if filters else self.rows())
        if sort := [key for key in request.GET.getlist("sort") if key.lstrip("-") in table.columns]:
            table.order_by = sort
        if (kind := request.GET.get("export")) in FILES:
            return self._export(table, str(kind))
        table.turn_to(whole(request.GET.get("page")) or 1, self.per_page)
        table.export_urls = [(kind.upper(), _with_export(request, kind)) for kind in FILES]
        table.request = request
        return self.page({"table": table, "about": self.about(), **self._shown(filters)})

    def exported(self, table: RegisterTable) -> Iterable[Iterable[Any]]:
        """Header and every row for a file: the table's own unless the page has more to give."""
        return table.exported()

    def _export(self, table: RegisterTable, kind: str) -> HttpResponseBase:
        """The file; who took which list away is kept."""
        if isinstance(self.request.user, User):
            asked = {"list": self.export_name, "query": self.request.GET.urlencode()}
            with acting(
                self.request.user, "list.downloaded", organization=self.organization, data=asked
            ):
                pass
        return FILES[kind](f"{self.export_name}.{kind}", self.exported(table))

    def _filters(self) -> RegisterFilterSet | None:
        if self.filterset_class is None:
            return None
        return self.filterset_class(self.request.GET, queryset=self.rows(), request=self.request)

    def _shown(self, filters: RegisterFilterSet | None) -> dict[str, Any]:
        if filters is None:
            return {"filters": None}
        query = self.request.GET
        return {
            "filters": filters,
            "filter_fields": [field for field in filters.form if field.name != self.switch],
            "chips": filters.chips(query, self.switch),
            "switches": filters.switches(self.switch, query) if self.switch else (),
        }


class DetailView(PageView):
    """One thing: how it stands today, its panels, its history last."""

    template_name = "generic/detail.html"
    thing: Any = None

    def find(self) -> Any:
        """The thing of this address, through a selector scoped to the user; Http404 if none."""
        raise NotImplementedError

    def standing(self) -> str:
        """One sentence: how it stands today."""
        return ""

    def acts(self) -> Sequence[Link]:
        """Buttons beside the heading, the primary act first."""
        return ()

    def get(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        """The page."""
        self.thing = self.find()
        return self.page()

    def get_title(self) -> str:
        """The thing's name unless the page has its own."""
        return str(self.title or self.thing)

    def context(self) -> dict[str, Any]:
        """The thing with its sentence and its buttons."""
        shown = {"thing": self.thing, "standing": self.standing(), "acts": self.acts()}
        return super().context() | shown


class ActView(PageView):
    """A form, where it matters a preview, then one service, then the page that shows the result."""

    template_name = "generic/act.html"
    form_class: type[RegisterForm] = RegisterForm
    verb: Any = gettext_lazy("Save")
    """The button: verb and object, as “Assign to Post 4412”."""
    about: Any = ""
    is_dangerous = False
    is_live = False
    """True: the preview follows while the form is filled in."""
    asks_first = False
    """True: the preview is a page of its own that is confirmed before anything is done."""
    preview_template = "generic/_preview.html"
    done_message: Any = ""

    def form_arguments(self) -> dict[str, Any]:
        """More arguments for the form, as `initial`."""
        return {}

    def form(self) -> RegisterForm:
        """The form, with what was sent if something was."""
        sent = (self.request.POST, self.request.FILES) if self.request.method == "POST" else ()
        return self.form_class(
            *sent, by=self.request.user, organization=self.organization, **self.form_arguments()
        )

    def preview(self, form: RegisterForm) -> Mapping[str, Any] | None:
        """What would happen, for the preview's template; None when there is nothing to show."""
        return None

    def act(self, form: RegisterForm) -> Any:
        """Call the one service with what the form read; its result goes to `done`."""
        raise NotImplementedError

    def success_url(self, result: Any) -> str:
        """Where the result shows; `result` is None after a second press of the same form."""
        raise NotImplementedError

    def cancel_url(self) -> str:
        """Where the way back leads; by default up the trail."""
        trail = self.trail()
        return trail[-1].url if trail else "/"

    def word(self, refused: Refused) -> WordedRuling:
        """A refusal in words; an app that has rules words their verdicts here."""
        return WordedRuling(Mark.NOT_CLEARED, _("This cannot be done"), refused.message)

    def done(self, result: Any) -> HttpResponseBase:
        """Say what was done and show it."""
        if self.done_message:
            messages.success(self.request, str(self.done_message))
        return HttpResponseRedirect(self.success_url(result))

    def already_done(self, act: Act) -> HttpResponseBase:
        """The same form was pressed twice: show what the first press did."""
        messages.info(self.request, _("This was already done the first time you pressed."))
        return HttpResponseRedirect(self.success_url(None))

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        """As every page; a second press finds the first even where that took away its row."""
        try:
            return super().dispatch(request, *args, **kwargs)
        except Http404:
            token = request.POST.get("token", "")
            first = first_press(self.by, token) if request.user.is_authenticated else None
            if first is None:
                raise
            return self.already_done(first)

    def get(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        """The empty form."""
        return self.page({"form": self.form()})

    def post(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        """Preview when asked to, act when confirmed; mistakes come back with the words typed."""
        form = self.form()
        if self.is_live and "live" in request.GET:
            return self._live(form)
        if not form.is_valid():
            return self.page({"form": form}, status=INVALID)
        if self.asks_first and "confirmed" not in request.POST:
            return self._ask(form)
        return self._try(form)

    def _ask(self, form: RegisterForm) -> HttpResponse:
        """The preview to confirm; what could not be done anyway comes back with the form."""
        try:
            preview = self.preview(form) or {}
        except BadInput as bad:
            form.add_error(bad.field if bad.field in form.fields else None, bad.message)
            return self.page({"form": form}, status=INVALID)
        return self.page({"form": form, **preview}, template="generic/confirm.html")

    def _live(self, form: RegisterForm) -> HttpResponse:
        preview = self.preview(form) if form.is_valid() else None
        return self.page(preview, template=self.preview_template) if preview else HttpResponse("")

    def _try(self, form: RegisterForm) -> HttpResponseBase:
        try:
            with pressed(form.cleaned_data["token"]):
                result = self.act(form)
        except AlreadyDone as already:
            return self.already_done(already.act)
        except BadInput as bad:
            form.add_error(bad.field if bad.field in form.fields else None, bad.message)
        except ValidationError as errors:
            form.add_error(None, errors.messages)
        except Refused as refused:
            return self.page({"form": form, "refusal": self.word(refused)}, status=CONFLICT)
        else:
            return self.done(result)
        return self.page({"form": form}, status=INVALID)


class PdfView(PageView):
    """A paper: a selector's answer, rendered."""

    filename: str = "paper.pdf"

    def document(self) -> bytes:
        """The PDF; raise Http404 when there is nothing to print."""
        raise NotImplementedError

    def get(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        """The paper, shown in the browser."""
        return pdf_response(self.document(), self.filename)


class LookupView(PageView):
    """The list under a type-ahead field, asked with what was typed so far."""

    capability = Capability.SIGNED_IN
    template_name = "_options.html"

    def choices(self, text: str) -> Sequence[Choice]:
        """What fits, best first, from a selector scoped to the user."""
        raise NotImplementedError

    def get(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        """Up to ten options; nothing before the first letter."""
        field = request.headers.get("HX-Trigger-Name", "q")
        text = " ".join(request.GET.get(field, "").split())
        found = list(self.choices(text))[:OFFERED] if text else []
        return self.page({"choices": found, "text": text})


def pdf_response(content: bytes, filename: str) -> HttpResponse:
    """A PDF shown in the browser under its name, kept by no cache."""
    disposition = content_disposition_header(as_attachment=False, filename=filename)
    response = HttpResponse(content, content_type="application/pdf")
    response["Content-Disposition"] = disposition or "inline"
    add_never_cache_headers(response)
    return response


def _refuse_nul(request: HttpRequest, parts: Mapping[str, Any]) -> None:
    """No name and no key has a NUL, and the database takes none: such an address is not there.

    What was typed into a search or filter is read without it.
    """
    if any(isinstance(part, str) and NUL in part for part in parts.values()):
        raise Http404
    if any(NUL in value for _name, values in request.GET.lists() for value in values):
        query = QueryDict(mutable=True)
        for name, values in request.GET.lists():
            query.setlist(name, [value.replace(NUL, "") for value in values])
        request.GET = query  # type: ignore[assignment]


def whole(text: str | None) -> int | None:
    """The whole number an address names, None for anything else or one no row could have."""
    fits = text and text.isascii() and text.isdigit() and len(text) < LONGEST
    return int(text) if text and fits else None


def _with_export(request: HttpRequest, kind: str) -> str:
    query = request.GET.copy()
    query.pop("page", None)
    query["export"] = kind
    return f"?{query.urlencode()}"
