import { Effect } from "effect"
import { type SqlClient } from "effect/sql"
import { type RepairStep } from "./Repair.ts"

/** Removes the stored counts of audit entries. Nodes count all entries again in the background. */
export const repairAudit = (sql: SqlClient.SqlClient): RepairStep => [
  "Counts of audit entries",
  Effect.andThen(
    sql`update audit_count_fold set folded_until = 0`,
    Effect.map(
      sql<{ readonly count: number }>`
        with removed as (delete from audit_count returning 1) select count(*)::int as count from removed`,
      ([row]) => row?.count ?? 0
    )
  )
]
