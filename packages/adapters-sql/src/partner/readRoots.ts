import { type PartnerId } from "@lastro/domain/values"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { withoutTransforms } from "../database/withoutTransforms.ts"

/** Maximum number of roots that `readRoots` returns. */
const mostRoots = 100

/** Reads the ids of the root partners, the oldest first, at most 100. For the operator only. */
export const readRoots = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* sql<{ readonly id: PartnerId }>`
    select id from partner where parent_id is null and deleted_at is null order by created_at, id limit ${mostRoots}`
  return rows.map(({ id }) => id)
}).pipe(withoutTransforms)
