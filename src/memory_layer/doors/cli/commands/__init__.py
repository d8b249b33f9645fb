"""The commands of `mem`, loaded one at a time."""
