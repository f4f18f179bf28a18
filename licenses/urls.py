"""Where the pages of this app live."""

from licenses.views import organizations

urlpatterns = [*organizations.urls]
