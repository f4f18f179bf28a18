"""Where the pages of this app live."""

from licenses.views import (
    appeals,
    county,
    county_acts,
    county_statements,
    irs,
    orders,
    organizations,
    public,
)

urlpatterns = [
    *organizations.urls,
    *irs.urls,
    *county.urls,
    *county_acts.urls,
    *county_statements.urls,
    *orders.urls,
    *appeals.urls,
    *public.urls,
]
