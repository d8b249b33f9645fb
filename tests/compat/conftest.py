"""Offer the fixtures of the doors: the command line on a fresh machine."""

from tests.doors.conftest import machine, mem, with_model

__all__ = ["machine", "mem", "with_model"]
