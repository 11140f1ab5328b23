import { assert, it } from "@effect/vitest"
import { type Application } from "@lastro/domain/loan"
import { storeForest } from "@lastro/testkit"
import { contractedHistory, type History, history } from "@lastro/testkit/arbitraries"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import * as fc from "fast-check"
import { examples } from "../../../../test/rounds.ts"
import { applicationCounts } from "../../src/hierarchy/countColumns.ts"
import { checkInvariants, foldCounts } from "../../src/index.ts"
import funnel from "../../src/migrations/0013_funnel.ts"
import { pglite, postgres } from "../databases.ts"
import { storeHistory } from "../origination/storeHistory.ts"

/** Returns whether the version of the migration can store a history: it has no settled contracts. */
const isOld = ({ steps }: History): boolean => steps.every(({ after }) => after.proposal?.status !== "SETTLED")

const undo = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  yield* foldCounts
  yield* sql`drop trigger application_placed on application`
  yield* sql`drop trigger application_moved on application`
  yield* sql`drop table application_expiry, application_expiry_fold`
  yield* sql`drop index application_cpf, application_partner, application_created, application_updated`
  yield* sql`alter table application drop column region_id, drop column stage, drop column live_until, drop column rejection_code, drop column listed`
  for (const table of ["subtree_count", "subtree_count_delta"]) {
    for (const column of ["applications", ...applicationCounts]) {
      yield* sql`alter table ${sql(table)} drop column ${sql(column)}`
    }
  }
})

for (const [name, database] of [["PostgreSQL", postgres], ["PGlite", pglite]] as const) {
  // While the triggers are missing, nothing else may change an application.
  it.layer(database({ interval: "1 hour" }), { excludeTestServices: true, timeout: "1 minute" })(
    `the migration 0013 on ${name}`,
    (it) => {
      it.effect("FGTS-50 gives applications with random histories the columns and counts that the domain derives", () =>
        Effect.gen(function*() {
          const partners = yield* storeForest([null, 0, 0, 1, null])
          const stored: Array<Application> = []
          const histories = fc.sample(fc.oneof(history(10), contractedHistory), examples(120)).filter(isOld)
          for (const [index, one] of histories.entries()) {
            stored.push(yield* storeHistory(partners[index % 5] ?? partners[0], one))
          }
          assert.deepStrictEqual(yield* checkInvariants, [])
          const sql = yield* SqlClient.SqlClient
          yield* undo
          yield* sql.withTransaction(funnel)
          assert.deepStrictEqual(yield* checkInvariants, [])
          const [counted] = yield* sql<{ readonly applications: number }>`
          select sum(applications)::int as applications from subtree_count where partner_id in
            (select id from partner where parent_id is null)`
          assert.strictEqual(counted?.applications, stored.length)
        }))
    }
  )
}
