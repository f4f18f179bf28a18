"""Django's PostgreSQL engine, but the server is started when a connection is first opened.

So commands that need no database (judge, check, collectstatic) never start one.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import psycopg
from django.db.backends.postgresql import base

from registry.embedded import server


class DatabaseWrapper(base.DatabaseWrapper):
    """A connection to the server whose data folder is this connection's HOST."""

    def get_new_connection(self, conn_params: dict[str, Any]) -> Any:
        """Start or join the server, then connect; a server that died meanwhile is started again."""
        folder = Path(self.settings_dict["HOST"])
        server.join(folder)
        try:
            return super().get_new_connection(conn_params)
        except psycopg.OperationalError:
            if server.is_up(folder):
                raise
        server.revive(folder)
        return super().get_new_connection(conn_params)
