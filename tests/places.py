"""The project that a test works in; the engines of the fixtures have it for their home."""

from __future__ import annotations

from memory_layer.model.memory import Project

HERE = Project(id="here", key="git.example/here", name="here")
