-- Passkeys that may sign now. The audit log registers them too, and signatures are verified with the keys in it.
create table passkey (
    row integer primary key,
    id text not null unique,
    name text not null,
    credential text not null unique,  -- base64url
    public_key text not null,         -- COSE in base64url
    counter integer not null,
    created_at integer not null,
    created_by text not null,
    last_used_at integer,
    uses integer not null default 0
) strict;

-- The few entries of people's confirmations, found without reading the whole chain.
create index audit_confirmed on audit (operation)
where action in ('confirm', 'add passkey', 'remove passkey');
