import { NodeCrypto } from "@effect/platform-node"
import { layerIdGenerator } from "@lastro/adapters-http/security"
import { checkHierarchy, layerPostgres } from "@lastro/adapters-sql"
import { authorize } from "@lastro/domain/access"
import { type PasswordHash } from "@lastro/domain/identity"
import { updatePartner } from "@lastro/domain/partner"
import { type ReadBudgetExceeded } from "@lastro/domain/ports"
import { type PartnerId } from "@lastro/domain/values"
import { seed as fill, vacuum } from "@lastro/seed"
import { aCaller } from "@lastro/testkit"
import { Console, Effect, Fiber, Layer, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { freshDatabase, server } from "../database.ts"
import { ascending, median, quantile } from "../measure/quantile.ts"
import { type Randomness, randomness } from "../measure/Randomness.ts"
import { machine } from "../report/machine.ts"
import { table } from "../report/table.ts"
import { writeResults } from "../report/writeResults.ts"
import { type Place, places } from "./Places.ts"
import { reader, reads } from "./readers.ts"

/** Sizes of the data and of the load, and number of rounds. */
export interface MovesOptions {
  readonly partners: number
  readonly users: number
  readonly seed: number
  /** Approximate number of partners in the subtree that is moved. */
  readonly subtree: number
  /** Number of concurrent readers. */
  readonly readers: number
  readonly rounds: number
}

/** Moves a subtree below another partner. The caller is an administrator of the root. */
const move = Effect.fnUntraced(function*(root: PartnerId, { id }: Place, to: Place) {
  const allowed = yield* Effect.fromResult(authorize(yield* aCaller().at(root).asClient(), "partners:write"))
  yield* updatePartner(allowed, id, { partner: { parent_uuid: to.id } })
})

interface Read {
  readonly at: number
  readonly took: number
}

const reading = Effect.fnUntraced(function*(
  { readers }: MovesOptions,
  all: ReadonlyArray<Effect.Effect<unknown>>,
  random: Randomness,
  taken: Array<Read>
) {
  return yield* Effect.forEach(
    Array.from({ length: readers }),
    () => Effect.forkChild(reader(all, random, taken))
  )
})

const spread = (times: ReadonlyArray<number>) => {
  const sorted = ascending(times)
  return { samples: sorted.length, p50: quantile(sorted, 0.5), p99: quantile(sorted, 0.99), most: sorted.at(-1) }
}

/** Moves a subtree back and forth. Measures the moves and the reads that run at the same time. */
export const moves = Effect.fn("moves")(function*(options: MovesOptions) {
  const { partners, rounds, seed, subtree, users } = options
  const url = Redacted.make(yield* Effect.flatMap(server, freshDatabase))
  const run = Effect.gen(function*() {
    const sql = yield* SqlClient.SqlClient
    yield* fill({ partners, users, applications: 0, seed, passwordHash: "nobody knows" as PasswordHash })
    yield* vacuum()
    const { branch, deep, home, near, root } = yield* places(sql, subtree)
    yield* Console.log(table(
      ["place", "level", "partners", "users"],
      Object.entries({ branch, home, near, deep }).map((
        [name, place]
      ) => [name, String(place.level), String(place.partners), String(place.users)])
    ))
    const random = randomness(seed, "readers")
    const all = (yield* reads(root, random)).map((read) => Effect.orDie<unknown, ReadBudgetExceeded, never>(read))
    const ways = [
      { name: "to a partner near the root", to: near, times: [] as Array<number> },
      { name: "from there to a partner on the deepest level", to: deep, times: [] as Array<number> },
      { name: "from there back to the original parent", to: home, times: [] as Array<number> }
    ]
    const before = yield* machine
    const still: Array<Read> = []
    const during: Array<Read> = []
    const moving: Array<{ readonly from: number; readonly until: number }> = []
    for (let round = -1; round < rounds; round++) {
      // The first round is a warm-up.
      const counts = round >= 0
      const quiet: Array<Read> = []
      const first = yield* reading(options, all, random, quiet)
      yield* Effect.sleep("1 second")
      yield* Fiber.interruptAll(first)
      if (counts) still.push(...quiet)
      for (const { times, to } of ways) {
        const noisy: Array<Read> = []
        const others = yield* reading(options, all, random, noisy)
        yield* Effect.sleep("200 millis")
        const from = performance.now()
        yield* move(root, branch, to)
        const took = performance.now() - from
        yield* Fiber.interruptAll(others)
        if (!counts) continue
        times.push(took)
        moving.push({ from, until: from + took })
        during.push(...noisy.filter(({ at, took: long }) => at + long > from && at < from + took))
      }
    }
    const after = yield* machine
    const findings = yield* checkHierarchy
    if (findings.length > 0) {
      return yield* Effect.die(new Error(`Moves violated invariants of the hierarchy: ${JSON.stringify(findings)}`))
    }

    const measured = ways.map(({ name, times }) => ({ name, ...spread(times), times }))
    const meanwhile = { still: spread(still.map(({ took }) => took)), during: spread(during.map(({ took }) => took)) }
    yield* Console.log(table(
      ["operation", "p50 ms", "p99 ms", "max ms", "samples"],
      [
        ...measured,
        { name: "concurrent reads without moves", ...meanwhile.still },
        { name: "concurrent reads during moves", ...meanwhile.during }
      ].map(({ most, name, p50, p99, samples }) => [
        name,
        p50.toFixed(1),
        p99.toFixed(1),
        (most ?? Number.NaN).toFixed(1),
        String(samples)
      ])
    ))
    const ratio = meanwhile.during.p99 / meanwhile.still.p99
    const file = yield* writeResults(`moves-${partners}-${users}`, {
      bench: "moves",
      options,
      machine: after,
      load: { before: before.load, after: after.load },
      places: { branch, home, near, deep },
      measured,
      reads: { ...meanwhile, ratio }
    })
    yield* Console.log(
      `A move takes ${
        (median(ways.flatMap(({ times }) => times)) / 1_000).toFixed(2)
      } s (median). The p99 of concurrent reads during moves ` +
        `is ${ratio.toFixed(2)} × that without moves. The hierarchy is valid. ${after.cpu}, ${after.cores} cores; ` +
        `Node ${after.node}, PostgreSQL ${after.postgres}; load ${before.load.toFixed(1)} before, ` +
        `${after.load.toFixed(1)} after.\n${file}`
    )
  })
  yield* Effect.provide(run, Layer.mergeAll(layerPostgres({ url }), Layer.provide(layerIdGenerator, NodeCrypto.layer)))
}, Effect.scoped)
