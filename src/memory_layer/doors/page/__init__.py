"""The page: the files that `web/` is built into, served beside REST."""
