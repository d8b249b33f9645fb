"""Ways in: parse, call one use case, show the answer."""
