"""Read, write and check the lines of an export, and decide what may be imported."""
