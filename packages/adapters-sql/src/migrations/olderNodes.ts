import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { withoutTransforms } from "../database/withoutTransforms.ts"
import { type InstallationPlace } from "./installationPlace.ts"
import { OlderNodesRunning } from "./OlderNodesRunning.ts"
import { type Step } from "./steps.ts"
import { type StoredSchema } from "./storedSchema.ts"

/** A node that was not seen for this time is lost. */
export const lostSeconds = 10

/** The schema version of the last program whose nodes do not state theirs in the list of nodes. */
export const lastUnstated = 15

/** Reads the running nodes. A node that does not state its schema version counts as one of the version `unstated`. */
const readRunning = (sql: SqlClient.SqlClient, unstated: number) =>
  // The transaction may have waited for the migration of another node, so that now() would be too old.
  sql<{ readonly label: string; readonly version: number }>`
    select label, coalesce((to_jsonb(node) ->> 'schema_version')::int, ${unstated}::int) as version
    from node where seen_at > clock_timestamp() - ${lostSeconds} * interval '1 second' order by label, id`

/** Returns the labels of the nodes below a schema version that were seen in the last 10 seconds. The schema must have the version 16. */
export const readNodesBelow = (version: number) =>
  Effect.gen(function*() {
    const running = yield* readRunning(yield* SqlClient.SqlClient, lastUnstated)
    return running.filter((node) => node.version < version).map(({ label }) => label)
  }).pipe(withoutTransforms)

/**
 * Fails with {@link OlderNodesRunning} if a pending migration excludes a running node. A node that does not state its schema version has that
 * of the database, and at most 15. Nodes before the migration 0008 are not in the list, and remain unnoticed.
 */
export const refuseOlderNodes = Effect.fnUntraced(function*(
  sql: SqlClient.SqlClient,
  { oid }: InstallationPlace,
  { version }: StoredSchema,
  steps: ReadonlyArray<readonly [name: string, step: Step]>
) {
  const tables = yield* sql`select from pg_class where relname = 'node' and relnamespace = ${oid}::oid`
  if (tables.length === 0) return
  const running = yield* readRunning(sql, Math.min(version, lastUnstated))
  for (const [name, { excludesBelow }] of steps.slice(version).toReversed()) {
    const excluded = running.filter((node) => node.version < (excludesBelow ?? 0))
    if (excluded.length === 0) continue
    return yield* new OlderNodesRunning({ migration: name, nodes: excluded.map(({ label }) => label) })
  }
})
