"""Where the pages of this app live."""

from licenses import views

urlpatterns = [*views.urls]
