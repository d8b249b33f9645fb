-- What a person wrote or approved, by what keeps it present: of the global memories only these are given unasked.
create index memory_vouched on memory (
    project, category, reinforcement_count,
    max(created_at, updated_at, coalesce(last_used_at, 0), coalesce(last_recalled_at, 0), coalesce(reinforced_at, 0))
) where status = 'active' and tier = 'semantic' and (writer_kind = 'person' or approved_by is not null);
