-- What happened in a session, one event after the other. Each hash covers its event and the hash before it,
-- so that an edit, a gap and a cut show; like the audit chain it names memories by id and outlives them.
create table episode (
    session text not null,
    number integer not null,       -- from 1, without gaps
    memory text not null unique,
    digest blob not null,          -- of what the event says
    hash blob not null,
    primary key (session, number)
) strict, without rowid;

-- How many events a session has, and the hash of the last one.
create table episode_head (
    session text primary key,
    count integer not null,
    hash blob not null
) strict, without rowid;

create index memory_episode on memory (created_at) where tier = 'episodic';
create index memory_session_end on memory (project, created_at)
    where tier = 'episodic' and json_extract(metadata, '$.kind') = 'session_end';
