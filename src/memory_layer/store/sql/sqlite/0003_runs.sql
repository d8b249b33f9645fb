-- One task of an agent. Its recall holds the task, who began it where and when, and what it was given.
create table run (
    row integer primary key,
    id text not null unique,
    recall integer not null references recall (row),
    write_scope text not null,     -- JSON list of patterns
    included text not null,        -- JSON list of ids the caller asked for
    excluded text not null,        -- JSON list of ids the caller did not want
    result text,                   -- null while it is under way
    finished_at integer,
    finished_by text
) strict;

create index run_recall on run (recall);

create table run_used (
    run integer not null references run (row),
    memory integer not null references memory (row),
    primary key (run, memory)
) strict, without rowid;

create index run_used_memory on run_used (memory);
