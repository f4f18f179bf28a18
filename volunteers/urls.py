"""Where the pages of this app live."""

from volunteers.views import desk, doubles, files, parties, roster, scan, tags

urlpatterns = [
    *desk.urls,
    *doubles.urls,
    *parties.urls,
    *roster.urls,
    *files.urls,
    *tags.urls,
    *scan.urls,
]
