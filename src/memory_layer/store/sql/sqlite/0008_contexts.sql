-- Facts by what keeps them present: of one category and as many confirmations, the one touched last comes first.
create index memory_presence on memory (
    project, category, reinforcement_count,
    max(created_at, updated_at, coalesce(last_used_at, 0), coalesce(last_recalled_at, 0), coalesce(reinforced_at, 0))
) where status = 'active' and tier = 'semantic';

-- The few that are always given.
create index memory_baseline on memory (project, category)
where status = 'active' and tier = 'semantic' and priority in ('critical', 'high');

-- Those that apply to some paths only.
create index memory_scope on memory (project, scope) where status = 'active' and scope <> '[]';

-- Named steps; most stores have few of them, or none.
create index memory_procedure on memory (project) where status = 'active' and tier = 'procedural';

-- A text that was given to an agent, without what its memories say: that is in their histories.
create table context (
    recall integer primary key references recall (row),
    form text not null,            -- a format, or prompt
    asked text not null,           -- JSON object
    lines text not null,           -- JSON list: memory, version, layer, note
    tokens integer not null,
    digest text not null           -- SHA-256 of the text
) strict;
