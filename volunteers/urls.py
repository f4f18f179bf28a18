"""Where the pages of this app live."""

from volunteers.views import (
    desk,
    doubles,
    files,
    parties,
    renewal,
    representative,
    roster,
    scan,
    tags,
)

urlpatterns = [
    *desk.urls,
    *doubles.urls,
    *parties.urls,
    *roster.urls,
    *files.urls,
    *tags.urls,
    *scan.urls,
    *representative.urls,
    *renewal.urls,
]
