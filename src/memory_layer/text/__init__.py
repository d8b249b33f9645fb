"""Work on plain text: words, secrets, injection, comparison, Markdown. Nothing here knows about memories."""
