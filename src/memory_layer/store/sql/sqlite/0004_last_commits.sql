-- When a project had its last commit, as far as this machine knows, and when it last looked.
alter table project add column last_commit_at integer;
alter table project add column looked_at integer;

create index project_last_commit on project (last_commit_at);
