"""Gunicorn's settings: `gunicorn -c python:registry.gunicorn registry.wsgi`."""

import os
from typing import Any

from registry.lifeline import follow_parent

bind = os.environ.get("BONA_FIDE_BIND", "127.0.0.1:8000")
workers = int(os.environ.get("WEB_CONCURRENCY", "2"))
worker_class = "gthread"
threads = 4
# A roster of some thousand rows is read within one request.
timeout = 120
graceful_timeout = 5
control_socket_disable = True
loglevel = "warning"


def on_starting(server: Any) -> None:
    """The server ends with the command that started it."""
    follow_parent()
