import { ClientRefused } from "@lastro/domain/ports"

/** The settings of a session, and the identity of its transaction and database. All values are texts. */
export interface ClientSettings {
  readonly database: string
  /** The time at which the server started. */
  readonly started: string
  /** The time at which the transaction started. */
  readonly begun: string
  readonly isolation: string
  readonly read_only: string
  /** The existing schemas of the search path. */
  readonly schemas: string
  /** `true` if the session has temporary tables. PostgreSQL looks them up before all other tables. */
  readonly temporary: string
  readonly search_path: string
  readonly date_style: string
  readonly time_zone: string
  readonly bytea_output: string
}

export const selectSettings = `select current_database()::text as database,
  extract(epoch from pg_postmaster_start_time())::text as started, extract(epoch from now())::text as begun,
  current_setting('transaction_isolation') as isolation, current_setting('transaction_read_only') as read_only,
  array_to_string(array(select quote_ident(name) from unnest(current_schemas(false)) name), ', ') as schemas,
  (pg_my_temp_schema() <> 0)::text as temporary, current_setting('search_path') as search_path,
  current_setting('DateStyle') as date_style, current_setting('TimeZone') as time_zone,
  current_setting('bytea_output') as bytea_output`

/** Settings and their new values, until the end of the transaction. */
export type SettingChange = ReadonlyArray<readonly [name: string, value: string]>

/** Returns the settings to change before a statement of Lastro in these schemas, and the changes that undo them. */
export const changesFor = (
  present: ClientSettings,
  schemas: string
): {
  /** All settings that Lastro requires, even if the session already has them. */
  readonly wanted: SettingChange
  readonly change: SettingChange
  readonly restore: SettingChange
} => {
  const findsTables = present.schemas === schemas && present.temporary === "false"
  const all = [
    ["search_path", findsTables ? present.search_path : `${schemas}, pg_temp`, present.search_path],
    ["DateStyle", "ISO, YMD", present.date_style],
    ["TimeZone", "UTC", present.time_zone],
    ["bytea_output", "hex", present.bytea_output]
  ] as const
  const changed = all.filter(([, wanted, value]) => wanted !== value)
  return {
    wanted: all.map(([name, wanted]) => [name, wanted]),
    change: changed.map(([name, wanted]) => [name, wanted]),
    restore: changed.map(([name, , value]) => [name, value])
  }
}

/** Returns the statement that changes settings until the end of the transaction. */
export const setSettings = (change: SettingChange) => ({
  text: `select ${change.map((_, index) => `set_config($${2 * index + 1}, $${2 * index + 2}, true)`).join(", ")}`,
  values: change.flat()
})

/**
 * Returns the error with which Lastro rejects the transaction of a client, or null if the transaction is usable.
 * `present` has the settings of the client, and `ofLastro` those of Lastro's own connections. `begun` is the start of
 * the transaction at the first call, or undefined in the first call.
 */
export const refusalOf = (present: ClientSettings, ofLastro: ClientSettings, begun: string | undefined) => {
  if (present.database !== ofLastro.database || present.started !== ofLastro.started) {
    return new ClientRefused(
      "The client is connected to a different database from Lastro. Connect both to the same database."
    )
  }
  if (begun !== undefined && present.begun !== begun) {
    return new ClientRefused(
      "The client has begun another transaction since the first call. Call `within` after each BEGIN."
    )
  }
  if (present.isolation !== "read committed") {
    return new ClientRefused(
      `The transaction of the client has the isolation level ${present.isolation}. Begin it with BEGIN ISOLATION LEVEL READ COMMITTED.`
    )
  }
  return present.read_only === "on"
    ? new ClientRefused("The transaction of the client is read-only. Begin it with BEGIN READ WRITE.")
    : null
}
