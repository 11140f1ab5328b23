import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { withoutTransforms } from "../database/withoutTransforms.ts"
import { type InstallationPlace } from "./installationPlace.ts"
import { OlderNodesRunning } from "./schemaErrors.ts"
import { type Step } from "./steps.ts"
import { type StoredSchema } from "./storedSchema.ts"

/** Seconds after which a node that was not seen counts as lost. */
export const lostSeconds = 10

/** The last schema version whose programs do not write their version to the list of nodes. */
export const lastUnversioned = 15

/** Reads the running nodes. A node without a stored schema version gets the version `assumed`. */
const readRunning = (sql: SqlClient.SqlClient, assumed: number) =>
  // `now()` is the start of the transaction, which may have waited for another node's migration. So compare with
  // `clock_timestamp()`.
  sql<{ readonly label: string; readonly version: number }>`
    select label, coalesce((to_jsonb(node) ->> 'schema_version')::int, ${assumed}::int) as version
    from node where seen_at > clock_timestamp() - ${lostSeconds} * interval '1 second' order by label, id`

/**
 * Returns the labels of the running nodes whose program has a lower schema version than `version`. Requires schema
 * version 16 or higher.
 */
export const readNodesBelow = (version: number) =>
  Effect.gen(function*() {
    const running = yield* readRunning(yield* SqlClient.SqlClient, lastUnversioned)
    return running.filter((node) => node.version < version).map(({ label }) => label)
  }).pipe(withoutTransforms)

/**
 * Fails with {@link OlderNodesRunning} if a running node would not work after a pending migration. A node without a
 * stored schema version counts as having that of the database, but at most 15. Nodes from before migration 0008 are not
 * detected, because they are not in the list of nodes.
 */
export const refuseOlderNodes = Effect.fnUntraced(function*(
  sql: SqlClient.SqlClient,
  { oid }: InstallationPlace,
  { version }: StoredSchema,
  steps: ReadonlyArray<readonly [name: string, step: Step]>
) {
  const tables = yield* sql`select from pg_class where relname = 'node' and relnamespace = ${oid}::oid`
  if (tables.length === 0) return
  const running = yield* readRunning(sql, Math.min(version, lastUnversioned))
  for (const [name, { excludesBelow }] of steps.slice(version).toReversed()) {
    const excluded = running.filter((node) => node.version < (excludesBelow ?? 0))
    if (excluded.length === 0) continue
    return yield* new OlderNodesRunning({ migration: name, nodes: excluded.map(({ label }) => label) })
  }
})
