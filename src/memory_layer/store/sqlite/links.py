"""Links that somebody adds or takes away, with their line in the audit chain."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from memory_layer.model.memory import Link
from memory_layer.ports import Edit
from memory_layer.store.sqlite.memories import Memories


class Links(Memories):
    def add_link(self, link: Link, edit: Edit) -> bool:
        """Relate two memories on somebody's word; False if they are so already."""
        if self._has(link):
            return False
        self.link(link)
        self._noted(link, edit)
        return True

    def remove_link(self, link: Link, edit: Edit) -> bool:
        """Take a relation away; False if there was none."""
        if not self._has(link):
            return False
        self._run(
            "delete from link where kind = ? and source = (select row from memory where id = ?)"
            " and target = (select row from memory where id = ?)",
            [link.kind.value, link.source, link.target],
        )
        self._noted(link, edit)
        return True

    def _has(self, link: Link) -> bool:
        return any(known[:3] == link[:3] for known in self.links([link.source]))

    def _noted(self, link: Link, edit: Edit, more: Mapping[str, object] = MappingProxyType({})) -> None:
        # A link is no version of either memory, so the entry belongs to none of them.
        told = {"source": link.source, "target": link.target, "kind": link.kind.value, **more}
        self._append(edit, None, None, None, told)
        for memory_id in (link.source, link.target):
            self._run("insert into change (memory) select row from memory where id = ?", [memory_id])
