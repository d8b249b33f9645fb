"""The application layer: what can be done, each as one verb over one call and one request."""
