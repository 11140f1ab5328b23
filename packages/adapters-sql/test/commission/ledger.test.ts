import { assert, it } from "@effect/vitest"
import { CommissionLedger, CommissionPlans } from "@lastro/domain/commission"
import { asOperator } from "@lastro/domain/hierarchy"
import { centavos } from "@lastro/domain/values"
import { aCommissionEntry, aCommissionPlan, storeForest } from "@lastro/testkit"
import { Effect, Exit } from "effect"
import { SqlClient } from "effect/sql"
import { checkInvariants } from "../../src/index.ts"
import { pglite, postgres } from "../databases.ts"

for (const [name, database] of [["PostgreSQL", postgres], ["PGlite", pglite]] as const) {
  it.layer(database({ interval: "1 hour" }), { excludeTestServices: true, timeout: "1 minute" })(
    `the ledger of commissions on ${name}`,
    (it) => {
      it.effect("refuses every change of plans and entries, except of the status and the payout of an entry", () =>
        Effect.gen(function*() {
          const sql = yield* SqlClient.SqlClient
          const [root] = yield* storeForest([null])
          const entry = yield* aCommissionEntry([root])
          yield* CommissionLedger.use((ledger) => ledger.append([entry]))
          const plan = yield* aCommissionPlan(root)
          yield* CommissionPlans.use((plans) => plans.insert(asOperator.inScope(root.partner_id), plan))
          const id = entry.entry_id
          const refused = [
            sql`update commission_entry set amount = 1 where id = ${id}`,
            sql`update commission_entry set period = '2030-01', status = 'CLOSED' where id = ${id}`,
            sql`update commission_entry set viewers = '{}' where id = ${id}`,
            sql`delete from commission_entry where id = ${id}`,
            sql`update commission_plan set rates = '[]' where id = ${plan.plan_id}`,
            sql`delete from commission_plan where id = ${plan.plan_id}`
          ]
          for (const statement of refused) {
            assert.isTrue(Exit.isFailure(yield* Effect.exit(statement)))
          }
          yield* sql`update commission_entry set status = 'PAID', payout_id = ${id} where id = ${id}`
          yield* sql`update commission_entry set status = 'OPEN', payout_id = null where id = ${id}`
        }))

      it.effect("COMM-19 `checkInvariants` finds stored sums and lists that are not those of the entries", () =>
        Effect.gen(function*() {
          const sql = yield* SqlClient.SqlClient
          const [root, child] = yield* storeForest([null, 0])
          yield* CommissionLedger.use((ledger) =>
            Effect.flatMap(aCommissionEntry([child, root], { kind: "ADJUSTMENT" }), (entry) => ledger.append([entry]))
          )
          yield* sql`update commission_sum set paid = 1 where viewer_id = ${child.partner_id} and partner_id is null`
          yield* sql`delete from commission_visible where viewer_id = ${child.partner_id}`
          const found = yield* checkInvariants
          assert.deepStrictEqual(found.map(({ invariant }) => invariant), [
            "The stored sums of commissions are those of the entries",
            "Every viewer of an entry has it in its lists"
          ])
          yield* sql`update commission_sum set paid = 0 where viewer_id = ${child.partner_id} and partner_id is null`
          yield* sql`
            insert into commission_visible (viewer_id, occurred_at, entry_id, period, amount)
            select unnest(viewers), occurred_at, id, period, amount from commission_entry on conflict do nothing`
        }))

      it.effect("COMM-12 COMM-13 COMM-21 `checkInvariants` finds sums that do not add up", () =>
        Effect.gen(function*() {
          const sql = yield* SqlClient.SqlClient
          const [root] = yield* storeForest([null])
          const found = Effect.map(checkInvariants, (findings) => findings.map(({ invariant }) => invariant))
          assert.deepStrictEqual(yield* found, [])
          const entry = yield* aCommissionEntry([root])
          const { proposal_id } = entry
          const clawback = yield* aCommissionEntry([root], { proposal_id, kind: "CLAWBACK", amount: centavos(-1) })
          yield* CommissionLedger.use((ledger) => ledger.append([entry, clawback]))
          yield* sql`
            insert into commission_payout
              (id, partner_id, viewers, period, amount, net_amount, withheld, reference, paid_at, created_at)
            values (${entry.entry_id}, ${root.partner_id}, '{}', '2026-01', 1, 1, '[]', 'TED', now(), now())`
          assert.deepStrictEqual(yield* found, [
            "The clawbacks of a contract negate its accruals",
            "A payout is the sum of its entries"
          ])
        }))
    }
  )
}
