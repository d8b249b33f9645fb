-- What a search asks of the outcomes of its candidates, read without looking up each of them.
create index outcome_evidence on outcome (memory, query, session, result, at) where counted;
