import { joinLoads, type TenantLoad, TenantMeter } from "@lastro/domain/ports"
import { monotonicMillis } from "@lastro/domain/values"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { withoutTransforms } from "../database/withoutTransforms.ts"
import { lostSeconds } from "../migrations/olderNodes.ts"

/** Maximum number of tenants that a node stores separately. The others are added up. */
const mostStored = 50

/**
 * Returns an effect that stores the processor time that this process spent per tenant in the last five minutes, in the
 * node's entry. Writes only if it has changed.
 */
export const makeLoadWriter = (sql: SqlClient.SqlClient, id: string) =>
  Effect.map(TenantMeter, (meter) => {
    let stored = "[]"
    return Effect.gen(function*() {
      const loads = joinLoads(meter.read(yield* monotonicMillis), mostStored)
      const load = JSON.stringify(loads.map((load) => ({ ...load, busy_ms: Math.round(load.busy_ms) })))
      if (load === stored) return
      const written = yield* sql`update node set load = ${load}::text::jsonb where id = ${id} returning id`
      if (written.length > 0) stored = load
    }).pipe(Effect.withTracerEnabled(false))
  })

/** The processor time that all running nodes spent for one tenant in the last five minutes. */
export interface NamedLoad extends TenantLoad {
  /** The name of the root partner, which can be personal data. Null if there is no such partner. */
  readonly name: string | null
}

/**
 * Reads the processor time of the running nodes per tenant. Returns up to `most` tenants, and the sum of the others as
 * `other`.
 */
export const readTenantLoads = (most: number) =>
  Effect.gen(function*() {
    const sql = yield* SqlClient.SqlClient
    const nodes = yield* sql<{ readonly load: ReadonlyArray<TenantLoad> }>`
      select load from node
      where load is not null and seen_at > clock_timestamp() - ${lostSeconds} * interval '1 second'`
    const loads = joinLoads(nodes.flatMap(({ load }) => load), most)
    // Only UUIDs are ids of partners, and not `other`.
    const roots = loads.map(({ root }) => root).filter((root) => root.length === 36)
    const names = yield* sql<{ readonly id: string; readonly name: string }>`
      select id, name from partner where id = any(${roots}::uuid[])`
    const nameOf = new Map(names.map(({ id, name }) => [id, name]))
    return {
      nodes: nodes.length,
      tenants: loads.map((load): NamedLoad => ({ ...load, name: nameOf.get(load.root) ?? null }))
    }
  }).pipe(withoutTransforms)
