-- How many memories there are of each kind, what they were tagged with, and what happened on each day. The triggers
-- below keep these counts in the transaction of every write; `mem doctor` counts again and compares.

create table memory_count (
    project integer not null,      -- 0 for none
    status text not null,
    reason text not null,          -- empty for none
    category text not null,
    tier text not null,
    source text not null,
    writer text not null,
    judged integer not null,       -- 1 if somebody reported on it
    memories integer not null,
    tokens integer not null,
    primary key (project, status, reason, category, tier, source, writer, judged)
) strict, without rowid;

create table tag_count (
    tag text not null,             -- in lower case
    project integer not null,      -- 0 for none
    status text not null,
    category text not null,
    memories integer not null,
    primary key (tag, project, status, category)
) strict, without rowid;

-- The memories with each tag, in lower case.
create table memory_tag (
    tag text not null,
    memory integer not null references memory (row),
    primary key (tag, memory)
) strict, without rowid;

create table day_count (
    day integer not null,          -- days since 1970 in UTC
    project integer not null,      -- 0 for none
    what text not null,            -- worked, partial, failed, added, archived or given
    n integer not null,
    primary key (day, project, what)
) strict, without rowid;

-- The last version of an archived memory, which is when it was archived; null for all others.
alter table memory add column archived_at integer;

update memory set archived_at = (
    select a.at from audit a where a.memory = memory.id and a.after is not null order by a.number desc limit 1
) where status = 'archived';

insert into memory_count
select coalesce(project, 0), status, coalesce(reason, ''), category, tier, source, writer,
    worked + failed + partial > 0, count(*), sum(tokens)
from memory group by 1, 2, 3, 4, 5, 6, 7, 8;

insert into memory_tag
select distinct lower(t.value), m.row from memory m, json_each(m.tags) t where m.tags <> '[]' order by 1, 2;

insert into tag_count
select t.tag, coalesce(m.project, 0), m.status, m.category, count(*)
from memory_tag t join memory m on m.row = t.memory group by 1, 2, 3, 4;

insert into day_count
select day, project, what, count(*) from (
    select created_at / 86400000000 as day, coalesce(project, 0) as project, 'added' as what from memory
    where reason is not 'forgotten' and reason is not 'writing'
    union all
    select archived_at / 86400000000, coalesce(project, 0), 'archived' from memory
    where archived_at is not null and reason is not 'forgotten'
    union all
    select o.at / 86400000000, coalesce(m.project, 0), o.result from outcome o join memory m on m.row = o.memory
    where o.counted
    union all
    select r.at / 86400000000, coalesce(r.project, 0), 'given' from recall_item i join recall r on r.row = i.recall
    where r.kind <> 'session'
) group by 1, 2, 3;

create trigger memory_counted_insert after insert on memory begin
    insert into memory_count values (
        coalesce(new.project, 0), new.status, coalesce(new.reason, ''), new.category, new.tier, new.source, new.writer,
        new.worked + new.failed + new.partial > 0, 1, new.tokens
    ) on conflict do update set memories = memories + 1, tokens = tokens + excluded.tokens;
end;

create trigger memory_counted_update
after update of project, status, reason, category, tier, source, writer, worked, failed, partial, tokens on memory
when new.project is not old.project or new.status <> old.status or new.reason is not old.reason
    or new.category <> old.category or new.tier <> old.tier or new.source <> old.source or new.writer <> old.writer
    or (new.worked + new.failed + new.partial > 0) <> (old.worked + old.failed + old.partial > 0)
    or new.tokens <> old.tokens
begin
    update memory_count set memories = memories - 1, tokens = tokens - old.tokens
    where project = coalesce(old.project, 0) and status = old.status and reason = coalesce(old.reason, '')
        and category = old.category and tier = old.tier and source = old.source and writer = old.writer
        and judged = (old.worked + old.failed + old.partial > 0);
    delete from memory_count
    where project = coalesce(old.project, 0) and status = old.status and reason = coalesce(old.reason, '')
        and category = old.category and tier = old.tier and source = old.source and writer = old.writer
        and judged = (old.worked + old.failed + old.partial > 0) and memories = 0;
    insert into memory_count values (
        coalesce(new.project, 0), new.status, coalesce(new.reason, ''), new.category, new.tier, new.source, new.writer,
        new.worked + new.failed + new.partial > 0, 1, new.tokens
    ) on conflict do update set memories = memories + 1, tokens = tokens + excluded.tokens;
end;

create trigger memory_counted_delete after delete on memory begin
    update memory_count set memories = memories - 1, tokens = tokens - old.tokens
    where project = coalesce(old.project, 0) and status = old.status and reason = coalesce(old.reason, '')
        and category = old.category and tier = old.tier and source = old.source and writer = old.writer
        and judged = (old.worked + old.failed + old.partial > 0);
    delete from memory_count where memories = 0;
end;

create trigger memory_tagged_insert after insert on memory when new.tags <> '[]' begin
    insert into memory_tag select distinct lower(t.value), new.row from json_each(new.tags) t;
    insert into tag_count
    select distinct lower(t.value), coalesce(new.project, 0), new.status, new.category, 1 from json_each(new.tags) t
    where true on conflict do update set memories = memories + 1;
end;

create trigger memory_tagged_update after update of project, status, category, tags on memory
when (new.tags <> '[]' or old.tags <> '[]') and (new.tags <> old.tags or new.project is not old.project
    or new.status <> old.status or new.category <> old.category)
begin
    update tag_count set memories = memories - 1
    where tag in (select lower(t.value) from json_each(old.tags) t) and project = coalesce(old.project, 0)
        and status = old.status and category = old.category;
    delete from tag_count
    where tag in (select lower(t.value) from json_each(old.tags) t) and project = coalesce(old.project, 0)
        and status = old.status and category = old.category and memories = 0;
    insert into tag_count
    select distinct lower(t.value), coalesce(new.project, 0), new.status, new.category, 1 from json_each(new.tags) t
    where true on conflict do update set memories = memories + 1;
end;

create trigger memory_tagged_anew after update of tags on memory when new.tags <> old.tags begin
    delete from memory_tag
    where memory = old.row and tag in (select lower(t.value) from json_each(old.tags) t);
    insert into memory_tag select distinct lower(t.value), new.row from json_each(new.tags) t;
end;

create trigger memory_tagged_delete after delete on memory when old.tags <> '[]' begin
    delete from memory_tag
    where memory = old.row and tag in (select lower(t.value) from json_each(old.tags) t);
    update tag_count set memories = memories - 1
    where tag in (select lower(t.value) from json_each(old.tags) t) and project = coalesce(old.project, 0)
        and status = old.status and category = old.category;
    delete from tag_count where memories = 0;
end;

create trigger memory_added_insert after insert on memory
when new.reason is not 'forgotten' and new.reason is not 'writing'
begin
    insert into day_count values (new.created_at / 86400000000, coalesce(new.project, 0), 'added', 1)
    on conflict do update set n = n + 1;
end;

create trigger memory_added_update after update of project, reason, created_at on memory
when new.project is not old.project or new.created_at <> old.created_at
    or (new.reason is 'forgotten' or new.reason is 'writing') <> (old.reason is 'forgotten' or old.reason is 'writing')
begin
    update day_count set n = n - 1
    where day = old.created_at / 86400000000 and project = coalesce(old.project, 0) and what = 'added'
        and old.reason is not 'forgotten' and old.reason is not 'writing';
    delete from day_count
    where day = old.created_at / 86400000000 and project = coalesce(old.project, 0) and what = 'added' and n = 0;
    insert into day_count
    select new.created_at / 86400000000, coalesce(new.project, 0), 'added', 1
    where new.reason is not 'forgotten' and new.reason is not 'writing'
    on conflict do update set n = n + 1;
end;

create trigger memory_added_delete after delete on memory begin
    update day_count set n = n - 1
    where day = old.created_at / 86400000000 and project = coalesce(old.project, 0) and what = 'added'
        and old.reason is not 'forgotten' and old.reason is not 'writing';
    update day_count set n = n - 1
    where day = old.archived_at / 86400000000 and project = coalesce(old.project, 0) and what = 'archived'
        and old.reason is not 'forgotten';
    delete from day_count where n = 0;
end;

create trigger memory_version after insert on audit when new.memory is not null and new.after is not null begin
    update memory set archived_at = case status when 'archived' then new.at end
    where id = new.memory and (status = 'archived' or archived_at is not null);
end;

create trigger memory_archived_update after update of project, reason, archived_at on memory
when (old.archived_at is not null or new.archived_at is not null)
    and (new.project is not old.project or new.archived_at is not old.archived_at
        or (new.reason is 'forgotten') <> (old.reason is 'forgotten'))
begin
    update day_count set n = n - 1
    where day = old.archived_at / 86400000000 and project = coalesce(old.project, 0) and what = 'archived'
        and old.reason is not 'forgotten';
    delete from day_count
    where day = old.archived_at / 86400000000 and project = coalesce(old.project, 0) and what = 'archived' and n = 0;
    insert into day_count
    select new.archived_at / 86400000000, coalesce(new.project, 0), 'archived', 1
    where new.archived_at is not null and new.reason is not 'forgotten'
    on conflict do update set n = n + 1;
end;

create trigger outcome_counted_insert after insert on outcome when new.counted begin
    insert into day_count
    select new.at / 86400000000, coalesce(m.project, 0), new.result, 1 from memory m where m.row = new.memory
    on conflict do update set n = n + 1;
end;

create trigger outcome_counted_update after update of counted, result, at, memory on outcome
when (new.counted or old.counted)
    and (new.counted <> old.counted or new.result <> old.result or new.at <> old.at or new.memory <> old.memory)
begin
    update day_count set n = n - 1
    where old.counted and day = old.at / 86400000000 and what = old.result
        and project = (select coalesce(m.project, 0) from memory m where m.row = old.memory);
    delete from day_count where day = old.at / 86400000000 and n = 0;
    insert into day_count
    select new.at / 86400000000, coalesce(m.project, 0), new.result, 1 from memory m
    where m.row = new.memory and new.counted
    on conflict do update set n = n + 1;
end;

create trigger outcome_counted_delete after delete on outcome when old.counted begin
    update day_count set n = n - 1
    where day = old.at / 86400000000 and what = old.result
        and project = (select coalesce(m.project, 0) from memory m where m.row = old.memory);
    delete from day_count where day = old.at / 86400000000 and n = 0;
end;

create trigger memory_judged_moved after update of project on memory when new.project is not old.project begin
    update day_count set n = n - (
        select count(*) from outcome o where o.memory = new.row and o.counted
            and o.at / 86400000000 = day and o.result = what
    ) where project = coalesce(old.project, 0) and what in ('worked', 'partial', 'failed');
    delete from day_count where n = 0;
    insert into day_count
    select o.at / 86400000000, coalesce(new.project, 0), o.result, count(*) from outcome o
    where o.memory = new.row and o.counted group by 1, 3
    on conflict do update set n = n + excluded.n;
end;

create trigger recall_item_counted_insert after insert on recall_item begin
    insert into day_count
    select r.at / 86400000000, coalesce(r.project, 0), 'given', 1 from recall r
    where r.row = new.recall and r.kind <> 'session'
    on conflict do update set n = n + 1;
end;

create trigger recall_item_counted_delete after delete on recall_item begin
    update day_count set n = n - 1
    where what = 'given' and (day, project) = (
        select r.at / 86400000000, coalesce(r.project, 0) from recall r where r.row = old.recall and r.kind <> 'session'
    );
    delete from day_count where n = 0;
end;

-- Lists read only these: every column that a filter or an order asks for.
create index memory_list on memory (
    created_at, status, project, category, tier, source, writer, reason, confidence, updated_at, expires_at,
    worked, failed, partial
);
create index memory_updated on memory (updated_at);
create index memory_category on memory (category);
create index memory_confidence on memory (confidence);
create index memory_scored on memory (
    outcome_score, last_used_at, status, project, category, tier, source, writer, reason, confidence, created_at,
    expires_at, worked, failed, partial
) where outcome_score <> 0;
create index memory_used on memory (
    use_count + recall_count, status, project, category, tier, source, writer, reason, confidence, created_at,
    expires_at, worked, failed, partial
) where use_count + recall_count > 0;
create index memory_expiry on memory (expires_at) where status = 'active' and expires_at is not null;
create index link_supersedes on link (target, source) where kind = 'supersedes';
