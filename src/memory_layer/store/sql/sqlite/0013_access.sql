-- Who may call over HTTP. Of every secret only a hash is stored, and nothing here is ever exported.

-- One-time links that log a browser in.
create table browser_link (
    hash blob primary key,         -- SHA-256 of the secret in the link
    port integer not null,         -- of the server that the link is for
    expires_at integer not null
) strict, without rowid;

create table browser_session (
    hash blob primary key,         -- SHA-256 of the cookie
    port integer not null,
    created_at integer not null,
    expires_at integer not null
) strict, without rowid;

create table access_token (
    id text primary key,
    name text not null,
    role text not null,            -- reader, writer or admin
    person text,                   -- whom a personal token speaks for; null: an agent's token
    hash blob not null unique,     -- SHA-256 of the token
    made_by text not null,
    created_at integer not null,
    expires_at integer not null,
    revoked_at integer
) strict, without rowid;

-- The passphrase by which a browser session gets a person's rights, and the tries that were wrong.
create table passphrase (
    row integer primary key check (row = 1),
    salt blob not null,
    hash blob not null,            -- scrypt
    set_at integer not null,
    failures integer not null,     -- since the last right one
    locked_until integer not null  -- no try counts before
) strict;
