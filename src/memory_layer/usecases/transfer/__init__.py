"""Export and import memories."""
