"""The REST interface: a table of routes over the verbs, and the FastAPI application built from it."""
