import { Effect } from "effect"
import { SqlClient } from "effect/sql"

const referenceIndex = Effect.flatMap(
  SqlClient.SqlClient,
  (sql) =>
    Effect.asVoid(sql`
      create unique index if not exists proposal_lender_reference
      on proposal ((facts ->> 'reference'), coalesce(lender, '')) where not reference_repeated`)
)

/** The index of the references. An operator can create it before the upgrade (docs/upgrading.md). */
export const prepareLenders = [referenceIndex]

/**
 * Makes the references of contracts unique within a lender, not over all lenders.
 *
 * Nodes of the previous version keep working: they have one lender, and find references by the first column of the index.
 */
export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  yield* referenceIndex
  yield* sql`drop index if exists proposal_reference`
})
