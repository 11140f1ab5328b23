import { checkHierarchy, layerPostgres } from "@lastro/adapters-sql"
import { type PasswordHash } from "@lastro/domain/identity"
import { seed as fill, vacuum } from "@lastro/seed"
import { Console, Effect, Layer, Redacted } from "effect"
import { database } from "../database.ts"

/** Sizes of the data. */
export interface Filling {
  readonly partners: number
  readonly users: number
  readonly applications: number
  readonly seed: number
}

/** All ports over a seeded database. It stays unchanged except for the benchmark's closure table. */
const filled = (url: string) => layerPostgres({ url: Redacted.make(url) })

/** All ports over a fresh database with made-up data, which is checked. */
const fresh = (filling: Filling) =>
  Layer.effectDiscard(Effect.gen(function*() {
    const start = performance.now()
    yield* fill({ ...filling, passwordHash: "nobody knows" as PasswordHash })
    yield* vacuum()
    const seconds = (performance.now() - start) / 1_000
    const findings = yield* checkHierarchy
    if (findings.length > 0) return yield* Effect.die(new Error(`The seed is wrong: ${JSON.stringify(findings)}`))
    const { applications, partners, users } = filling
    yield* Console.log(
      `${partners} partners, ${users} users, ${applications} applications in ${seconds.toFixed(1)} s; checked.`
    )
  })).pipe(Layer.provideMerge(database))

/** All ports over the seeded database at `url`, or over a fresh one if `url` is empty. */
export const given = (url: string, filling: Filling) => url === "" ? fresh(filling) : filled(url)
