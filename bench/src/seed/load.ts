import { Effect } from "effect"
import { type SqlClient } from "effect/sql"
import { type SqlError } from "effect/sql/SqlError"

/** Rows sent with one statement. */
const batch = 5_000

function* batches<Row>(rows: Iterable<Row>): Generator<ReadonlyArray<Row>> {
  let full: Array<Row> = []
  for (const row of rows) {
    full.push(row)
    if (full.length === batch) {
      yield full
      full = []
    }
  }
  if (full.length > 0) yield full
}

/** Inserts rows into a table in statements of 5 000, of which one is in memory at a time. Their keys are its columns. */
export const load = Effect.fn("load")(function*<Row extends object>(
  sql: SqlClient.SqlClient,
  table: "partner" | "app_user",
  rows: Iterable<Row>
): Effect.fn.Return<void, SqlError> {
  for (const some of batches(rows)) {
    const columns = Object.keys(some[0] ?? {}).join(", ")
    yield* sql.unsafe(
      `insert into ${table} (${columns}) select ${columns} from json_populate_recordset(null::${table}, $1::json)`,
      [JSON.stringify(some)]
    )
  }
})
