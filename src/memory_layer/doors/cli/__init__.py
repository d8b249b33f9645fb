"""The command line `mem`."""
