import { Console, Effect } from "effect"
import { type Operation } from "./operations.ts"
import { type Bench } from "./setUp.ts"
import { shoot, type Shot } from "./shoot.ts"

/** Result of one run of a server. */
export interface Measured extends Shot {
  readonly server: string
  readonly operation: string
  readonly connections: number
  readonly round: number
}

/** The loads to measure. */
export interface Turns {
  readonly operations: ReadonlyArray<Operation>
  readonly connections: ReadonlyArray<number>
  readonly runs: number
  readonly seconds: number
}

/**
 * Seconds of load on each server before the first run of an operation. V8 has completely compiled the code of an
 * operation only after about 40 000 requests. PostgreSQL plans a prepared statement again in its first runs on each
 * connection.
 */
export const warmUpSeconds = 15

/** Measures each operation under each load. The two servers take turns, and the order alternates. */
export const takeTurns = Effect.fn("takeTurns")(function*(
  { callers, lastro, peer }: Bench,
  { connections, operations, runs, seconds }: Turns,
  postmaster: number | undefined
) {
  const measured: Array<Measured> = []
  let loads = 0
  for (const operation of operations) {
    for (const served of [lastro, peer]) {
      const load = {
        url: served.url,
        connections: 16,
        seconds: warmUpSeconds,
        lanes: operation.lanes(callers, loads++)
      }
      yield* shoot(served, load, postmaster)
    }
    for (const count of connections) {
      for (let round = 0; round < runs; round++) {
        for (const served of round % 2 === 0 ? [lastro, peer] : [peer, lastro]) {
          const load = { url: served.url, connections: count, seconds, lanes: operation.lanes(callers, loads++) }
          const shot = yield* shoot(served, load, postmaster)
          measured.push({ server: served.name, operation: operation.name, connections: count, round, ...shot })
        }
      }
    }
    yield* Console.error(`${operation.name} measured`)
  }
  return measured
})
