"""Roster files read: bytes become a sheet of cells with its header, or one sentence. Pure.

What a file is, its bytes say, not its name.
"""

from __future__ import annotations

from volunteers.readers.columns import Columns, columns_of, find_header
from volunteers.readers.days import Order, order_of
from volunteers.readers.sheets import MAX_BYTES, MAX_ROWS, BadFile, Cell, Choices, Sheet
from volunteers.readers.ssn import Received, received
from volunteers.readers.tables import read_file

__all__ = [
    "MAX_BYTES",
    "MAX_ROWS",
    "BadFile",
    "Cell",
    "Choices",
    "Columns",
    "Order",
    "Received",
    "Sheet",
    "columns_of",
    "find_header",
    "order_of",
    "read_file",
    "received",
]
