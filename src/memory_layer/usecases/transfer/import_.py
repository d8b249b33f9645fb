"""Import rules files, the stores of other memory tools, or an export of this program."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from memory_layer.errors import InvalidInput
from memory_layer.model.imports import (
    ForeignMemory,
    ImportReport,
    ImportSource,
    Origin,
    RulesFile,
    Skipped,
)
from memory_layer.model.memory import Citation, Draft, Project, Writer
from memory_layer.model.record import NamedTuple
from memory_layer.model.vocabulary import Priority
from memory_layer.ports import Engine, Workspace
from memory_layer.rules.permissions import Action, check_confirmed, is_rule
from memory_layer.rules.transfer.rule_kinds import kind_of
from memory_layer.text import scopes
from memory_layer.text.rules_file import FileRule, Rules, rules_in
from memory_layer.text.secrets.redact import redact
from memory_layer.usecases.transfer.bulk_add import take_in
from memory_layer.usecases.transfer.foreign_history import with_run_results
from memory_layer.usecases.upkeep.citations import cited_lines
from memory_layer.usecases.who.projects import printable, project_of

#: Folders in the home directory where agents keep their user's global settings.
USER_FOLDERS = (".claude", ".codex", ".gemini", ".cursor", ".config", ".windsurf", ".codeium")
LONGEST_TAG = 30
#: Agents that keep a memory of their own in files.
AGENTS = (Origin.CLAUDE_CODE, Origin.CODEX)


Progress = Callable[[int, int], None]
#: A file with this suffix that no other program wrote counts as an export even if its first line is damaged.
EXPORT_NAMES = (".jsonl", ".ndjson")


class ImportTarget(NamedTuple):
    """The default destination of memories that do not name their own."""

    project: Project | None
    place: Workspace | None
    chosen: bool = False  #: named explicitly, so everything goes there


def import_from(
    engine: Engine,
    paths: Sequence[Path],
    writer: Writer,
    home: ImportTarget,
    *,
    origin: Origin | None = None,
    dry_run: bool = False,
    progress: Callable[[int, int], None] | None = None,
) -> ImportReport:
    """Store every new memory found in the paths; `progress` is called with done and total."""
    readings = [engine.surroundings.read_memories(path, origin) for path in paths]
    skipped = [each for reading in readings for each in reading.skipped]
    items: list[tuple[ForeignMemory, Project | None]] = []
    for reading in readings:
        items += _of_agent(engine, reading, home, skipped) if reading.origin in AGENTS else ()
        items += _of_rules(engine, reading, home, skipped) if reading.origin is Origin.RULES else ()
        items += _of_store(engine, reading, home)
    notes = [each for reading in readings for each in reading.notes]
    if not items and not skipped:
        more = "".join(f"; {each.why}" for each in notes)
        raise InvalidInput(f"found nothing to import in {', '.join(map(str, paths))}{more}")
    if not dry_run and any(_is_own_rule(item) for item, _ in items):
        check_confirmed(writer, Action.MAKE_RULE)  # before the first batch is stored
    where = {id(item): project for item, project in items}
    done = 0

    def advanced(count: int) -> None:
        nonlocal done
        done += count
        if progress:
            progress(done, len(items))

    return take_in(
        engine,
        (item for item, _ in items),
        writer,
        lambda item: where[id(item)],
        source=", ".join(dict.fromkeys(reading.origin.value for reading in readings)),
        skipped=skipped,
        notes=notes,
        dry_run=dry_run,
        progress=advanced,
    )


def _is_own_rule(item: ForeignMemory) -> bool:
    """Is an item a rule that the importer answers for? Any other waits for approval anyway."""
    return item.author is None and is_rule(item.draft.category, item.draft.priority)


def _of_agent(
    engine: Engine, reading: ImportSource, home: ImportTarget, skipped: list[Skipped]
) -> Iterator[tuple[ForeignMemory, Project | None]]:
    from memory_layer.usecases.transfer import agent_notes

    # Claude Code keeps a memory for each project, Codex one for all of them.
    usual = home.project if reading.origin is Origin.CLAUDE_CODE else None
    for item, project in agent_notes.memories(engine, reading, skipped):
        yield item._replace(author=reading.origin.value), home.project if home.chosen else project or usual


def _of_rules(
    engine: Engine, reading: ImportSource, home: ImportTarget, skipped: list[Skipped]
) -> Iterator[tuple[ForeignMemory, Project | None]]:
    for file in reading.files:
        found = rules_in(file.text)
        skipped += [Skipped(f"{file.name}:{line}", why) for line, why in found.skipped]
        base = _home_of(engine, file, home)
        scope = _scope(file, found, base.place)
        citations = _cited(engine, file, found.rules, base.place)
        for rule, citation in zip(found.rules, citations, strict=True):
            yield _item(file, found, rule, citation, scope), base.project


def _home_of(engine: Engine, file: RulesFile, home: ImportTarget) -> ImportTarget:
    """Return a file's own repository unless one was chosen; files among a user's settings are global."""
    if home.chosen:
        return home
    place = engine.surroundings.locate(Path(file.path))
    if place.common_dir is not None:
        same = home.place is not None and home.place.key == place.key
        return home if same else ImportTarget(project_of(engine, place), place)
    user = os.path.realpath(os.path.expanduser("~"))
    inside = os.path.relpath(os.path.realpath(file.path), user).split(os.sep)
    return ImportTarget(None, None) if inside[0] in USER_FOLDERS else home


def _item(
    file: RulesFile, found: Rules, rule: FileRule, citation: Citation | None, scope: tuple[str, ...]
) -> ForeignMemory:
    name = os.path.basename(file.path)
    headings = tuple(heading for heading in rule.headings if heading != name)
    metadata: dict[str, object] = {"heading": " > ".join(headings)} if headings else {}
    if citation is None:
        metadata["file"] = f"{file.name}:{rule.first}"
    if found.description:
        metadata["description"] = found.description
    draft = Draft(
        content=rule.text,
        category=kind_of(rule.text, headings),
        priority=Priority.NORMAL,  # a guessed category must not put a rule into every context
        scope=scope,
        tags=_tags(headings, name),
        metadata=metadata,
        citations=() if citation is None else (citation,),
    )
    return ForeignMemory(where=f"{file.name}:{rule.first}", draft=draft)


def _cited(
    engine: Engine, file: RulesFile, rules: Sequence[FileRule], place: Workspace | None
) -> Sequence[Citation | None]:
    """Cite the lines of each rule if the file is inside the project."""
    if place is None:
        return [None] * len(rules)
    try:
        spans = [(rule.first, rule.last) for rule in rules]
        return cited_lines(engine, os.path.abspath(file.path), spans, place)
    except InvalidInput:
        return [None] * len(rules)


def _tags(headings: tuple[str, ...], name: str) -> tuple[str, ...]:
    """Return the nearest heading as one word or, without any, the file name."""
    heading = headings[-1] if headings else name.split(".", maxsplit=1)[0]
    if redact(heading).kinds:  # joined to one word it would no longer be recognised
        return ()
    tag = "-".join("".join(char if char.isalnum() else " " for char in heading.lower()).split())
    return (tag,) if tag and len(tag) <= LONGEST_TAG else ()


def _scope(file: RulesFile, found: Rules, place: Workspace | None) -> tuple[str, ...]:
    """Return the paths that a file names, or its folder relative to the project."""
    try:
        if found.scope:
            return scopes.validated(found.scope)
        if place is None:
            return ()
        folder = os.path.dirname(os.path.relpath(os.path.realpath(file.path), os.path.realpath(place.root)))
        below = folder.replace(os.sep, "/")
        return scopes.validated((f"{below}/**",)) if below and not below.startswith(".") else ()
    except InvalidInput:
        return ()


def _of_store(
    engine: Engine, reading: ImportSource, home: ImportTarget
) -> Iterator[tuple[ForeignMemory, Project | None]]:
    """Return a store's memories, each mapped to the project of its original name."""
    known: dict[str, Project] = {}
    for each in reading.items:
        item = each._replace(author=reading.origin.value)
        if reading.origin is Origin.LEARNING:
            item = with_run_results(engine, item)
        if home.chosen:
            yield item, home.project
        elif item.project is None:
            yield item, None
        else:
            if item.project not in known:
                known[item.project] = _named(engine, item.project, reading.origin, home)
            yield item, known[item.project]


def _named(engine: Engine, name: str, origin: Origin, home: ImportTarget) -> Project:
    """Map a foreign project name: to the current project, the only known one, or one of exactly that name."""
    if home.project is not None and name in (home.project.name, home.project.key):
        return home.project
    if by_key := engine.store.projects.get(name):
        return by_key
    same = engine.store.projects.all(os.path.basename(name.rstrip("/")) or name)
    if len(same) == 1:
        return same[0]
    return project_of(engine, Workspace(Path(), f"{origin}:{name}", (), name, None))._replace(
        root=None, is_stored=False
    )


def check_stays_inside(engine: Engine, path: Path) -> None:
    """Refuse a path with a symbolic link that leads out of its repository."""
    if target := engine.surroundings.led_out_of_repository(path):
        raise InvalidInput(
            f"{printable(path)} is a link that leads out of its repository; to import its target, name"
            f" {printable(Path(target))} itself"
        )


def bring_in(
    engine: Engine,
    paths: Sequence[Path],
    writer: Writer,
    home: ImportTarget,
    *,
    origin: Origin | None = None,
    dry_run: bool = False,
    allow_secret: bool = False,
    without_history: bool = False,
    progress: Progress | None = None,
) -> ImportReport:
    """Import an export, rules files or the stores of other tools; `progress` is called with done and total."""
    if not paths:
        raise InvalidInput("name at least one file or folder to import")
    for path in paths:
        check_stays_inside(engine, path)
    if has_export(engine, paths, origin):
        if len(paths) > 1:
            raise InvalidInput("an export must be imported on its own; name only that file")
        from memory_layer.usecases.transfer.import_export import import_export  # most imports are not exports

        return import_export(
            engine,
            paths[0],
            writer,
            dry_run=dry_run,
            allow_secret=allow_secret,
            without_history=without_history,
            progress=progress,
        )
    if without_history:
        raise InvalidInput("only an export of Memory Layer has a history to leave out")
    if allow_secret:
        raise InvalidInput("secrets are taken in as they are only from an export of this program")
    return import_from(engine, paths, writer, home, origin=origin, dry_run=dry_run, progress=progress)


def has_export(engine: Engine, paths: Sequence[Path], origin: Origin | None = None) -> bool:
    """Check whether an export of this program is among the paths; it names the project of each memory."""
    return any(_is_export(engine, path, origin) for path in paths)


def _is_export(engine: Engine, path: Path, origin: Origin | None) -> bool:
    from memory_layer.usecases.transfer.import_export import recognises

    if origin is not None:
        return origin is Origin.EXPORT
    if recognises(path):
        return True
    return path.suffix.lower() in EXPORT_NAMES and engine.surroundings.origin_of(path) is Origin.RULES
