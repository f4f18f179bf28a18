"""A PostgreSQL out of a Python wheel, as a Django database engine that starts it when needed."""
