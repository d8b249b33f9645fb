"""Work on plain text: words, secrets, injection, comparison, Markdown. Knows nothing about memories."""
