-- Cited sources that are not where they were, as last seen; a fresh one has no row.
create table source_check (
    memory integer primary key references memory (row),
    state text not null,           -- the one that counts for the memory
    citations text not null,       -- those that were looked at; it says nothing about others
    checks text not null,          -- JSON list, one for each that is not where it was
    at integer not null
) strict;

create index source_check_state on source_check (state);
