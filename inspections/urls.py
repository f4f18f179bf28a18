"""Where the pages of this app live."""

from inspections import views

urlpatterns = [*views.urls]
