import { Effect } from "effect"
import { MachineId } from "effect/cluster"
import { type SqlClient } from "effect/sql"
import { prefix } from "./engineTables.ts"

/** A number that no other process has: part of the ids it gives messages, so that no two processes make the same. */
export const processNumber = (sql: SqlClient.SqlClient) =>
  Effect.map(
    sql<{ readonly number: string }>`
      select nextval(pg_get_serial_sequence(${`${prefix}_runners`}, 'machine_id')) as number`,
    ([row]) => MachineId.make(Number(row?.number))
  )
