"""The application layer: each verb is a function of one call and one request."""
