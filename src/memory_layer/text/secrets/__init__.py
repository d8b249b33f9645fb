"""Find secrets in a text and replace them with markers."""
