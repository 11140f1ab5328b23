import { Effect, Fiber } from "effect"
import { SqlClient } from "effect/sql"
import { type SqlError } from "effect/sql/SqlError"
import { type ApplicationRows, applicationRows, type Openers } from "./applicationRows.ts"
import { batches } from "./batches.ts"
import { type LoadedRow, loader, type SeededTable } from "./load.ts"
import { type ApplicationPlan } from "./planApplications.ts"
import { type OnProgress, type SeedStep } from "./Progress.ts"

/** Rows, and applications with what belongs to them, that are sent at a time. */
const rowsAtATime = 2_000
const applicationsAtATime = 500

/** What is filled, and who is told. */
export interface Filling {
  readonly table: SeededTable
  readonly step: SeedStep
  readonly total: number
  readonly onProgress: OnProgress
}

/** Sends what an iterable gives, some at a time: while the database works on some, the next are made. */
const sendAll = Effect.fnUntraced(function*<A>(
  all: Iterable<ReadonlyArray<A>>,
  { onProgress, step, total }: Omit<Filling, "table">,
  send: (some: ReadonlyArray<A>) => Effect.Effect<void, SqlError>
): Effect.fn.Return<void, SqlError> {
  let done = 0
  let sending: Fiber.Fiber<void, SqlError> | undefined
  yield* onProgress({ step, done, total })
  for (const some of all) {
    if (sending !== undefined) yield* Fiber.join(sending)
    sending = yield* Effect.forkChild(send(some), { startImmediately: true })
    done += some.length
    yield* onProgress({ step, done, total })
  }
  if (sending !== undefined) yield* Fiber.join(sending)
})

/** Fills a table. */
export const fillTable = Effect.fn("fillTable")(function*(filling: Filling, rows: Iterable<LoadedRow>) {
  const load = yield* loader(yield* SqlClient.SqlClient, filling.table)
  yield* sendAll(batches(rows, rowsAtATime), filling, load)
})

/** Fills the tables of applications, and answers how many proposals there are. */
export const fillApplications = Effect.fn("fillApplications")(function*(
  plan: ApplicationPlan,
  openers: Openers,
  seed: number,
  onProgress: OnProgress
) {
  const sql = yield* SqlClient.SqlClient
  const application = yield* loader(sql, "application")
  const quote = yield* loader(sql, "quote")
  const proposal = yield* loader(sql, "proposal")
  let proposals = 0
  const send = (some: ReadonlyArray<ApplicationRows>) =>
    Effect.gen(function*() {
      const made = some.flatMap((one) => one.proposals)
      proposals += made.length
      yield* application(some.map((one) => one.application))
      yield* quote(some.flatMap((one) => one.quotes))
      yield* proposal(made)
    })
  const filling = { step: "applications", total: plan.openers.length, onProgress } as const
  yield* sendAll(batches(applicationRows(plan, openers, seed), applicationsAtATime), filling, send)
  return proposals
})
