-- A memory's vectors lie side by side, whatever model made them, so that they are read and dropped without a search.

alter table vector rename to vector_before;

-- Half-precision little-endian numbers; one row per passage.
create table vector (
    embedding integer not null references embedding (row),
    memory integer not null references memory (row),
    passage integer not null,
    numbers blob not null,
    primary key (memory, embedding, passage)
) strict, without rowid;

-- Unsorted: whichever key the rows lie by, those of one model come in the order of the memories.
insert into vector select embedding, memory, passage, numbers from vector_before;

drop table vector_before;
