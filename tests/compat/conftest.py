"""The command line on a fresh machine, as the tests of the doors have it."""

from tests.doors.conftest import machine, mem, with_model

__all__ = ["machine", "mem", "with_model"]
