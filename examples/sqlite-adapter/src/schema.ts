/**
 * The tables of partners and users. Each text that is searched or sorted also has a folded column, without case and
 * accents. Deleted records stay in the tree.
 */
export const schema = `
  pragma foreign_keys = on;

  create table if not exists partner (
    id text primary key,
    parent_id text references partner,
    root_id text not null references partner,
    person_type text not null,
    document_number text not null,
    status text not null,
    name text not null,
    name_folded text not null,
    email text not null,
    email_folded text not null,
    phone text not null,
    pix text not null,
    address text not null,
    bank_account text not null,
    metadata text not null,
    created_at text not null,
    deleted_at text
  ) strict;
  create unique index if not exists partner_document on partner (root_id, document_number) where deleted_at is null;
  create index if not exists partner_parent on partner (parent_id);

  create table if not exists user (
    id text primary key,
    partner_id text not null references partner,
    group_id text not null,
    status text not null,
    name text not null,
    name_folded text not null,
    email text not null,
    email_folded text not null,
    email_key text not null,
    phone text not null,
    cpf text not null,
    must_change_password integer not null,
    password_hash text not null,
    credentials_version integer not null default 1,
    metadata text not null,
    created_at text not null,
    deleted_at text
  ) strict;
  create unique index if not exists user_email on user (email_key) where deleted_at is null;
  create index if not exists user_partner on user (partner_id);
`
