import { ApplicationStatus } from "@lastro/domain/loan"
import { ApplicationRepository, type ApplicationSortField } from "@lastro/domain/origination"
import { type ApplicationId, currentTimestamp } from "@lastro/domain/values"
import { Console, Effect } from "effect"
import { SqlClient } from "effect/sql"
import { type Filling, given } from "../lists/given.ts"
import { row, titles } from "../lists/row.ts"
import { type ListedScope, namedScopes } from "../lists/scopes.ts"
import { type AimedVariant, reads } from "../lists/variants.ts"
import { interleave } from "../measure/interleave.ts"
import { measurement } from "../measure/Measurement.ts"
import { randomness } from "../measure/Randomness.ts"
import { machine } from "../report/machine.ts"
import { table } from "../report/table.ts"
import { writeResults } from "../report/writeResults.ts"
import { copyApplications } from "./copyApplications.ts"
import { openLately } from "./openLately.ts"

/** The sizes of the data or the URL of a prepared database, and the number of rounds. */
export interface FunnelOptions extends Filling {
  readonly rounds: number
  readonly database: string
  /** The number of copies of each seeded application. Copying an application is faster than seeding one. */
  readonly copies: number
}

const target = 6

const firstPages = (
  { list }: ApplicationRepository["Service"],
  scopes: ReadonlyArray<ListedScope>,
  status: ApplicationStatus | undefined,
  property: ApplicationSortField = "created_at"
): ReadonlyArray<AimedVariant> =>
  scopes.map(({ name, scope }) => ({
    name: `${status ?? "all"}${property === "created_at" ? "" : ` by ${property}`}, ${name}`,
    run: Effect.flatMap(currentTimestamp, (at) =>
      Effect.orDie(list(scope, {
        filters: status === undefined ? {} : { status },
        page: { number: 0, size: 20 },
        sort: [{ property, direction: "desc" }],
        at
      }))),
    ...property === "created_at" ? { aim: target } : {}
  }))

/** Returns the number of applications in each scope, in total (`all`) and for each status. */
const sizesOf = ({ list }: ApplicationRepository["Service"], scopes: ReadonlyArray<ListedScope>) =>
  Effect.forEach(scopes, ({ name, scope }) =>
    Effect.gen(function*() {
      const at = yield* currentTimestamp
      const totals = yield* Effect.forEach([undefined, ...ApplicationStatus.literals], (status) =>
        Effect.map(
          list(scope, {
            filters: status === undefined ? {} : { status },
            page: { number: 0, size: 1 },
            sort: [{ property: "created_at", direction: "desc" }],
            at
          }),
          ({ total }) => String(total)
        ))
      return [name, ...totals]
    }))

/**
 * Measures the first page of applications for every status, in scopes of every size. The reference is a read of one
 * user by primary key.
 */
export const funnel = Effect.fn("funnel")(
  function*({ copies, database, rounds, seed }: FunnelOptions) {
    const sql = yield* SqlClient.SqlClient
    const repository = yield* ApplicationRepository
    if (database === "") yield* Effect.andThen(copyApplications(copies), openLately)
    const scopes = (yield* namedScopes(sql)).filter(({ name }) => name !== "ten partners")
    const [root] = scopes
    if (root === undefined) return yield* Effect.die(new Error("There is no partner"))
    const ids = (yield* sql<{ readonly id: ApplicationId }>`
      select id from application where exists (select from quote where quote.application_id = application.id)
      order by md5(id::text) limit 1000`).map(({ id }) => id)
    const draw = randomness(seed, "found applications")
    const variants: ReadonlyArray<AimedVariant> = [
      ...yield* reads(root, seed),
      {
        name: "application by id, with its scope",
        run: Effect.suspend(() => repository.find(root.scope, ids[draw.below(ids.length)] as ApplicationId))
      },
      ...[undefined, ...ApplicationStatus.literals].flatMap((status) => firstPages(repository, scopes, status)),
      ...(["QUOTED", "EXPIRED", "CONTRACTED"] as const).flatMap((status) =>
        firstPages(repository, scopes.slice(0, 1), status, "updated_at")
      )
    ]
    const before = yield* machine
    const taken = yield* interleave(variants, rounds, randomness(seed, "turns"))
    const after = yield* machine
    const [reference] = taken
    if (reference === undefined) return
    const measured = taken.map(measurement(reference)).map((one, index) => ({ ...one, aim: variants[index]?.aim }))
    const sizes = yield* sizesOf(repository, scopes)
    yield* Console.log(table(["scope", "all", ...ApplicationStatus.literals], sizes))
    yield* Console.log(table(titles, measured.map(row)))
    const file = yield* writeResults("funnel", {
      bench: "funnel",
      options: { seed, rounds },
      machine: after,
      load: { before: before.load, after: after.load },
      sizes,
      measured
    })
    yield* Console.log(
      `${after.cpu}, ${after.cores} cores; Node ${after.node}, PostgreSQL ${after.postgres}; ` +
        `load ${before.load.toFixed(1)} before, ${after.load.toFixed(1)} after.\n${file}`
    )
  },
  (run, options) => Effect.provide(run, given(options.database, options))
)
