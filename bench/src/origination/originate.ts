import { sandboxCpf } from "@lastro/domain/adapters"
import { Effect } from "effect"
import { idOf } from "../../../apps/server/test/running/desk.ts"
import { type Cluster } from "./Cluster.ts"

/** Number of applications and their arrival rate. */
export interface Arrival {
  readonly name: string
  /** Number of applications per run. */
  readonly applications: number
  /** Maximum number of requests in flight. */
  readonly atOnce: number
  /** Milliseconds between the starts of two applications. 0 means full speed. */
  readonly every: number
}

/** Result of a run. */
interface Originated {
  /** Milliseconds from the first request to the last recorded quote. */
  readonly took: number
  /** Milliseconds from the opening of each application to the time its quote was recorded, by the server's clock. */
  readonly waits: ReadonlyArray<number>
}

let customers = 0

/** Waits until each of these applications has a quote and the job queue is empty. */
const settled = Effect.fnUntraced(function*({ sql }: Cluster, ids: ReadonlyArray<string>) {
  const pending = sql<{ readonly pending: boolean }>`
    select exists (select from quote where outcome = 'PENDING') as pending`
  while ((yield* pending)[0]?.pending === true) yield* Effect.sleep("20 millis")
  const end = performance.now()
  const working = sql<{ readonly working: boolean }>`
    select exists (select from job where owner is not null or run_at <= now()) as working`
  while ((yield* working)[0]?.working === true) yield* Effect.sleep("20 millis")
  const waits = yield* sql<{ readonly outcome: string; readonly wait: number }>`
    select quote.outcome, extract(epoch from updated_at - created_at)::float8 * 1000 as wait
    from application join quote on quote.application_id = application.id where ${sql.in("application.id", ids)}`
  if (waits.length !== ids.length || waits.some(({ outcome }) => outcome !== "COMPLETED")) {
    return yield* Effect.die(new Error("An application has no quote"))
  }
  return { end, waits: waits.map(({ wait }) => wait) }
})

/** Opens applications over HTTP, on the nodes in turn, and waits until all have a quote. */
export const originate = Effect.fn("originate")(function*(cluster: Cluster, arrival: Arrival) {
  const { applications, atOnce, every } = arrival
  const start = performance.now()
  const open = (turn: number) =>
    Effect.gen(function*() {
      const due = start + turn * every - performance.now()
      if (due > 0) yield* Effect.sleep(due)
      const shop = cluster.nodes[turn % cluster.nodes.length]?.shop
      if (shop === undefined) return yield* Effect.die(new Error("The cluster has no node"))
      return idOf(yield* shop.open(sandboxCpf("00", customers++)))
    })
  const ids = yield* Effect.forEach(Array.from({ length: applications }).keys(), open, { concurrency: atOnce })
  const { end, waits } = yield* settled(cluster, ids)
  return { took: end - start, waits } satisfies Originated
})
