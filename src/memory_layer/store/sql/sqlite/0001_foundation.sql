-- One file is one space. Times are microseconds since 1970 in UTC.

create table meta (
    key text primary key,
    value text not null
) strict, without rowid;

create table project (
    row integer primary key,
    id text not null unique,       -- short, URL-safe, never changes
    key text not null,             -- the best known identity
    name text not null,
    root text,                     -- where it was last seen on this machine
    created_at integer not null
) strict;

-- Every key a project has or had, the current one included.
create table project_alias (
    alias text primary key,
    project integer not null references project (row)
) strict, without rowid;

create table memory (
    row integer primary key autoincrement,
    id text not null unique,
    project integer references project (row),
    content text not null,
    content_hash blob not null,
    category text not null,
    tier text not null,
    priority text not null,
    status text not null,
    reason text,
    reason_detail text,
    lease_until integer,           -- set while a writer is at work on a staged row
    scope text not null,           -- JSON list
    tags text not null,            -- JSON list
    metadata text not null,        -- JSON object
    citations text not null,       -- JSON list
    source text not null,
    source_run_id text,
    writer text not null,
    writer_kind text not null,
    confidence real not null,
    relevance real not null,
    outcome_score real not null default 0,
    worked integer not null default 0,
    failed integer not null default 0,
    partial integer not null default 0,
    recall_count integer not null default 0,
    last_recalled_at integer,
    use_count integer not null default 0,
    last_used_at integer,
    reinforcement_count integer not null default 1,
    reinforced_at integer,
    session text,
    position integer,
    expires_at integer,
    approved_by text,
    approved_at integer,
    version integer not null default 1,
    tokens integer not null,       -- estimated, so that totals need no re-reading
    created_at integer not null,
    updated_at integer not null
) strict;

-- Only live rows block the same text; an archived fact can be written again.
create unique index memory_live_text on memory (content_hash) where status <> 'archived';
create index memory_archived_text on memory (content_hash) where status = 'archived';
create index memory_project on memory (project, status);
create index memory_lease on memory (lease_until) where status = 'staged' and reason = 'writing';

-- What full text sees: stemmed terms, prepared by the program, so that a rebuild finds the same.
create table memory_terms (
    row integer primary key references memory (row),
    body text not null,
    labels text not null           -- tags, category, scope, metadata values, date
) strict;

create virtual table memory_fts using fts5 (
    body, labels,
    content = 'memory_terms', content_rowid = 'row',
    tokenize = "unicode61 remove_diacritics 0 tokenchars '_'"
);

create virtual table memory_vocabulary using fts5vocab (memory_fts, row);

create trigger memory_terms_insert after insert on memory_terms begin
    insert into memory_fts (rowid, body, labels) values (new.row, new.body, new.labels);
end;

create trigger memory_terms_delete after delete on memory_terms begin
    insert into memory_fts (memory_fts, rowid, body, labels)
    values ('delete', old.row, old.body, old.labels);
end;

create trigger memory_terms_update after update on memory_terms begin
    insert into memory_fts (memory_fts, rowid, body, labels)
    values ('delete', old.row, old.body, old.labels);
    insert into memory_fts (rowid, body, labels) values (new.row, new.body, new.labels);
end;

create table embedding (
    row integer primary key,
    fingerprint text not null unique
) strict;

-- Half-precision little-endian numbers; one row per passage.
create table vector (
    embedding integer not null references embedding (row),
    memory integer not null references memory (row),
    passage integer not null,
    numbers blob not null,
    primary key (embedding, memory, passage)
) strict, without rowid;

-- Which memories changed, in commit order; whatever is built beside the file follows it.
create table change (
    sequence integer primary key autoincrement,
    memory integer not null
) strict;

create table link (
    source integer not null references memory (row),
    target integer not null references memory (row),
    kind text not null,
    review integer not null default 0,  -- 1 while a person should look at the pair
    created_at integer not null,
    primary key (source, target, kind)
) strict, without rowid;

create index link_target on link (target, kind);

-- The chain: each hash covers its entry and the hash before it. The head is in meta.
create table audit (
    number integer primary key,
    at integer not null,
    operation text not null,
    action text not null,
    memory text,
    writer text not null,
    door text not null,
    before blob,
    after blob,
    hash blob not null
) strict;

create index audit_memory on audit (memory);

-- What a change replaced, for history and undo; the chain holds only digests.
create table audit_payload (
    number integer primary key references audit (number),
    payload text not null
) strict;

create table query (
    row integer primary key,
    text text not null unique,
    embedding integer references embedding (row),
    numbers blob,
    created_at integer not null
) strict;

create table recall (
    row integer primary key,
    id text not null unique,
    at integer not null,
    query integer not null references query (row),
    kind text not null,
    mode text not null,
    ranker text not null,
    writer text not null,
    session text not null,
    project integer references project (row)
) strict;

create index recall_session on recall (session, at);

create table recall_item (
    recall integer not null references recall (row),
    rank integer not null,
    memory integer not null references memory (row),
    score real not null,
    signals text not null,         -- JSON object
    primary key (recall, rank)
) strict, without rowid;

create index recall_item_memory on recall_item (memory, recall);

create table outcome (
    row integer primary key,
    id text not null unique,
    memory integer not null references memory (row),
    result text not null,
    counted integer not null,
    query integer references query (row),
    recall integer references recall (row),
    evidence text,
    session text not null,
    writer text not null,
    at integer not null
) strict;

create index outcome_memory on outcome (memory, at);
create index outcome_session on outcome (session, at);
