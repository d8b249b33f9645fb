-- What happened at a time, which reports name a recall, and which entries belong to an operation, without reading all.
create index recall_at on recall (at);
create index outcome_recall on outcome (recall, result) where recall is not null and counted;
create index audit_operation on audit (operation, number);
create index audit_undo on audit (action) where action glob 'undo *';
