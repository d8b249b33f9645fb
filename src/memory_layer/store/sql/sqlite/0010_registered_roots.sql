-- Folders whose files a server may quote to agents, because a person said so. They mean this machine and are never exported.
create table registered_root (
    root text primary key,
    project text not null,         -- its id
    at integer not null
) strict, without rowid;
