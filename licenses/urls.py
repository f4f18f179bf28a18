"""Where the pages of this app live."""

from licenses.views import county, county_acts, county_statements, irs, organizations

urlpatterns = [
    *organizations.urls,
    *irs.urls,
    *county.urls,
    *county_acts.urls,
    *county_statements.urls,
]
