"""Read, write and check the lines of an export, and decide what an import may bring."""
