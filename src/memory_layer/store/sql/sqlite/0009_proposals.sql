-- What somebody proposes for a person's approval; most stores have few of them, or none.
create index memory_proposed on memory (created_at)
where status = 'active' and approved_at is null and instr(tags, '"proposed"') > 0;
