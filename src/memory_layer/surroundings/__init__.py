"""The machine we run on, read and never written."""
