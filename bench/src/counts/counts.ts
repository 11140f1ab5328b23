import { foldCounts } from "@lastro/adapters-sql"
import { asOperator } from "@lastro/domain/hierarchy"
import { type PasswordHash } from "@lastro/domain/identity"
import { UserRepository } from "@lastro/domain/user"
import { aUser } from "@lastro/testkit"
import { Console, Effect, Fiber } from "effect"
import { SqlClient } from "effect/sql"
import { server } from "../database.ts"
import { postmasterOf } from "../measure/postmasterOf.ts"
import { familyTime, metered } from "../measure/processorTime.ts"
import { ascending, median, quantile } from "../measure/quantile.ts"
import { type Randomness, randomness } from "../measure/Randomness.ts"
import { machine } from "../report/machine.ts"
import { table } from "../report/table.ts"
import { writeResults } from "../report/writeResults.ts"
import { type Side, side } from "./Side.ts"
import { watch, type Watched } from "./watch.ts"

/** Sizes of the data and of the load, and number of rounds. */
export interface CountsOptions {
  readonly partners: number
  readonly users: number
  readonly seed: number
  readonly writers: number
  /** Number of users inserted per round into each database. */
  readonly inserts: number
  readonly rounds: number
}

/** Result of a round in one database. */
interface Round {
  /** Inserted users per second. The measured time ends when the counts include the last inserted user. */
  readonly perSecond: number
  /** Duration of each insert in milliseconds. */
  readonly times: ReadonlyArray<number>
  /** Processor time of PostgreSQL per user in milliseconds; NaN if unavailable. */
  readonly postgres: number
}

const foldAll = Effect.repeat(foldCounts, { while: (changes) => changes > 0 })

const round = Effect.fnUntraced(function*(
  one: Side,
  { inserts, writers }: CountsOptions,
  postmaster: number | undefined,
  random: Randomness,
  watched: Watched
) {
  const watching = yield* Effect.forkChild(watch(one, watched))
  const users = yield* UserRepository
  const times: Array<number> = []
  const insert = Effect.gen(function*() {
    const owner = one.partners[random.below(one.partners.length)] ?? one.root
    const user = yield* aUser().of(owner)
    const start = performance.now()
    yield* users.insert(asOperator.inScope(owner), user, "nobody knows" as PasswordHash)
    times.push(performance.now() - start)
  })
  const postgresTime = metered(() => familyTime(postmaster))
  const start = performance.now()
  yield* Effect.all(Array.from({ length: inserts }, () => insert), { concurrency: writers, discard: true })
  yield* foldAll
  const took = performance.now() - start
  const postgres = (postgresTime() ?? Number.NaN) / inserts
  yield* Fiber.interrupt(watching)
  return { perSecond: inserts * 1_000 / took, times, postgres } satisfies Round
})

/**
 * Inserts users under one root with many writers, alternately with and without recording the changes of the counts. At
 * the same time, a reader compares the totals of the list with the number of users.
 */
export const counts = Effect.fn("counts")(function*(options: CountsOptions) {
  const { inserts, partners, rounds, seed, users, writers } = options
  const postgres = yield* server
  const open = (isCounted: boolean) =>
    side(postgres, isCounted, writers + 4, {
      partners,
      users,
      applications: 0,
      seed,
      passwordHash: "nobody knows" as PasswordHash
    })
  const sides = [
    { one: yield* open(false), rounds: [] as Array<Round>, watched: { snapshots: 0, wrong: 0, unfolded: 0 } },
    { one: yield* open(true), rounds: [] as Array<Round>, watched: { snapshots: 0, wrong: 0, unfolded: 0 } }
  ] as const
  const [without, counted] = sides
  const postmaster = yield* postmasterOf(counted.one.sql)
  const where = Effect.provideService(machine, SqlClient.SqlClient, counted.one.sql)
  const before = yield* where
  const random = randomness(seed, "writers")
  for (let turn = -1; turn < rounds; turn++) {
    for (const { one, rounds, watched } of turn % 2 === 0 ? sides : sides.toReversed()) {
      const taken = yield* one.run(round(one, options, postmaster, random, watched))
      // The first turn is a warm-up.
      if (turn >= 0) rounds.push(taken)
    }
  }
  const after = yield* where
  if (counted.watched.wrong > 0) {
    return yield* Effect.die(new Error(`${counted.watched.wrong} of ${counted.watched.snapshots} totals were wrong`))
  }

  const measured = sides.map(({ one, rounds, watched }) => {
    const times = ascending(rounds.flatMap((each) => each.times))
    return {
      name: one.name,
      perSecond: median(rounds.map((each) => each.perSecond)),
      p50: quantile(times, 0.5),
      p99: quantile(times, 0.99),
      postgres: median(rounds.map((each) => each.postgres)),
      byRound: rounds.map((each) => each.perSecond),
      ...watched
    }
  })
  const ratios = ascending(
    counted.rounds.map((each, index) => each.perSecond / (without.rounds[index]?.perSecond ?? Number.NaN))
  )
  const ratio = (measured[1]?.perSecond ?? Number.NaN) / (measured[0]?.perSecond ?? Number.NaN)
  yield* Console.log(table(
    ["inserts", "per second", "p50 ms", "p99 ms", "PostgreSQL ms per insert"],
    measured.map(({ name, p50, p99, perSecond, postgres }) => [
      name,
      perSecond.toFixed(0),
      p50.toFixed(1),
      p99.toFixed(1),
      postgres.toFixed(3)
    ])
  ))
  const file = yield* writeResults("counts", {
    bench: "counts",
    options,
    machine: after,
    load: { before: before.load, after: after.load },
    ratio,
    ratioLow: quantile(ratios, 0.1),
    ratioHigh: quantile(ratios, 0.9),
    measured
  })
  yield* Console.log(
    `${writers} writers, ${inserts} users per round: ${ratio.toFixed(2)} × the rate without counts, by round ` +
      `${quantile(ratios, 0.1).toFixed(2)}–${
        quantile(ratios, 0.9).toFixed(2)
      }. All ${counted.watched.snapshots} totals ` +
      `were exact, with up to ${counted.watched.unfolded} pending changes. ${after.cpu}, ${after.cores} cores; ` +
      `Node ${after.node}, PostgreSQL ${after.postgres}; load ${before.load.toFixed(1)} before, ` +
      `${after.load.toFixed(1)} after.\n${file}`
  )
}, Effect.scoped)
