import { checkHierarchy, layerPostgres } from "@lastro/adapters-sql"
import { type PasswordHash } from "@lastro/domain/identity"
import { seed as fill, vacuum } from "@lastro/seed"
import { Console, Effect, Layer, Redacted } from "effect"
import { database } from "../database.ts"

/** Numbers of records to generate, and the seed of the generator. */
export interface Filling {
  readonly partners: number
  readonly users: number
  readonly applications: number
  readonly seed: number
}

/** Provides all database ports on a seeded database. The benchmark only adds a closure table to this database. */
const filled = (url: string) => layerPostgres({ url: Redacted.make(url) })

/** Provides all database ports on a new database with generated data. Verifies the hierarchy of the data. */
const fresh = (filling: Filling) =>
  Layer.effectDiscard(Effect.gen(function*() {
    const start = performance.now()
    yield* fill({ ...filling, passwordHash: "nobody knows" as PasswordHash })
    yield* vacuum()
    const seconds = (performance.now() - start) / 1_000
    const findings = yield* checkHierarchy
    if (findings.length > 0) {
      return yield* Effect.die(new Error(`The generated data violates invariants: ${JSON.stringify(findings)}`))
    }
    const { applications, partners, users } = filling
    yield* Console.log(
      `${partners} partners, ${users} users, ${applications} applications generated in ${
        seconds.toFixed(1)
      } s. The hierarchy is valid.`
    )
  })).pipe(Layer.provideMerge(database))

/** Provides all database ports on the seeded database at `url`, or on a new one if `url` is empty. */
export const given = (url: string, filling: Filling) => url === "" ? fresh(filling) : filled(url)
