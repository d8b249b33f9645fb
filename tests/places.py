"""The project that a test works in; it has no folder, and is only a name."""

from __future__ import annotations

from memory_layer.model.memory import Project

HERE = Project(id="here", key="git.example/here", name="here")
