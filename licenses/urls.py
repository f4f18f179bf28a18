"""Where the pages of this app live."""

from licenses.views import irs, organizations

urlpatterns = [*irs.urls, *organizations.urls]
