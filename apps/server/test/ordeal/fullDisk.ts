import { Effect } from "effect"
import { type Database } from "./Database.ts"

/**
 * Emulates a full disk: a trigger on every table rejects writes with the SQLSTATE of a full disk. A disk of its own for
 * the test would require the rights to mount one.
 */
const install = `
do $$
declare relation regclass;
begin
  create schema ordeal;
  grant usage on schema ordeal to public;
  create table ordeal.full_disk ();
  grant select on ordeal.full_disk to public;
  create function ordeal.reject_if_full() returns trigger language plpgsql as $f$
  begin
    if exists (select from ordeal.full_disk) then
      raise exception 'could not extend file: No space left on device' using errcode = 'disk_full';
    end if;
    return null;
  end $f$;
  for relation in select oid from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace loop
    execute format(
      'create trigger ordeal_full_disk before insert or update on %s for each statement execute function ordeal.reject_if_full()',
      relation
    );
  end loop;
end $$`

/** Makes it possible to fill the disk. Call it before the traffic starts, because it locks every table. */
export const installFullDisk = ({ administer }: Database): Effect.Effect<void> => Effect.asVoid(administer(install))

/** Rejects every write. */
export const fillDisk = ({ administer }: Database): Effect.Effect<void> =>
  Effect.asVoid(administer("insert into ordeal.full_disk default values"))

/** Accepts writes again. */
export const freeDisk = ({ administer }: Database): Effect.Effect<void> =>
  Effect.asVoid(administer("delete from ordeal.full_disk"))
