"""Where the pages of this app live."""

from licenses.views import (
    appeals,
    beginning,
    county,
    county_acts,
    county_statements,
    handing_in,
    irs,
    orders,
    organizations,
    own_statements,
    public,
    registering,
    renewing,
    steps,
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
    *beginning.urls,
    *steps.urls,
    *handing_in.urls,
    *own_statements.urls,
    *registering.urls,
    *renewing.urls,
]
