-- Memories used for tasks of other programs, which are only read: a task is known by its name there.
create table task_link (
    task text not null,            -- such as beads:bd-a1b2
    memory integer not null references memory (row),
    created_at integer not null,
    project integer references project (row),
    automatic integer not null     -- 1 if a context was given while the task was in progress
) strict;

create unique index task_link_once on task_link (task, memory, coalesce(project, 0));
create index task_link_memory on task_link (memory);
