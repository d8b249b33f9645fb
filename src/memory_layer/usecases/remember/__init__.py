"""Store, change and erase memories."""
