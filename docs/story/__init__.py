"""Twelve weeks of an invented project, as a store to look at: `python -m docs.story FOLDER`."""
