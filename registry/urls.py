"""Composition: which page lives where."""

from django.conf import settings
from django.contrib import admin
from django.contrib.auth.decorators import login_not_required
from django.urls import URLPattern, URLResolver, include, path
from django.views.i18n import set_language

from registry import workday
from registry.accounts import account_urls
from registry.views import letters, papers, parties, people, rules, users, values

urlpatterns: list[URLPattern | URLResolver] = [
    *workday.urls,
    *parties.urls,
    *papers.urls,
    *letters.urls,
    *people.urls,
    *users.urls,
    *rules.urls,
    *values.urls,
    path("", include("licenses.urls")),
    path("", include("volunteers.urls")),
    path("", include("inspections.urls")),
    *account_urls,
    path("i18n/setlang/", login_not_required(set_language), name="set_language"),
    path("window/", admin.site.urls),
]

if settings.SOCIALACCOUNT_PROVIDERS:
    from registry.county_login import county_urls

    urlpatterns += county_urls

if settings.DEMO:
    from registry.demo_mail import letter_box

    urlpatterns.append(path("demo/mail/", letter_box, name="demo_mail"))
