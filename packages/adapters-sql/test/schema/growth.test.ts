import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { pglite } from "../databases.ts"

/** The reason why a table does not grow for ever, or why it may. */
type Bound =
  /** The records of the business. An erasure removes their personal data, and the rows stay. */
  | "records"
  /** At most a few rows for each record or for the installation. */
  | "as many as records"
  /** Rows are deleted by the statement `delete from TABLE` of a file, at the time that `when` names. */
  | { readonly deletedIn: string; readonly when: string }

const deletedIn = (file: string, when: string): Bound => ({ deletedIn: file, when })

const bounds: Readonly<Record<string, Bound>> = {
  api_client: "records",
  app_user: "records",
  application: "records",
  application_expiry: deletedIn("hierarchy/foldCounts.ts", "after the expiry of the offers"),
  application_expiry_fold: "as many as records",
  application_place_count: "as many as records",
  application_place_delta: deletedIn("origination/foldPlaces.ts", "within seconds, by the fold of the counts"),
  audit: deletedIn("audit/AuditRetention.ts", "after LASTRO_AUDIT_RETENTION, or by lastro audit prune"),
  audit_count: deletedIn("audit/AuditRetention.ts", "with the entries that it counts"),
  audit_count_fold: "as many as records",
  commission_closing: "records",
  commission_contract: "records",
  commission_entry: "records",
  commission_payout: "records",
  commission_plan: "records",
  commission_statement: "records",
  commission_sum: "as many as records",
  commission_visible: "as many as records",
  // No version since 0008 writes it. The nodes of the version before did.
  contract_look: "as many as records",
  ended_session: deletedIn("identity/ApiClientRepository.ts", "after the tokens of the session have expired"),
  event: deletedIn("event/EventLog.ts", "after LASTRO_EVENTS_RETENTION, 90 days"),
  event_head: "as many as records",
  event_subscription: "as many as records",
  failed_login: deletedIn("identity/LoginAttempts.ts", "after 15 minutes"),
  idempotency: deletedIn("idempotency/IdempotencyStore.ts", "after 24 hours"),
  job: deletedIn("jobs/jobStatements.ts", "when the job ends"),
  job_turn: deletedIn("jobs/leaseDueJobs.ts", "when no job of the partner waits"),
  lastro_migration: "as many as records",
  lender_callback: deletedIn("jobs/dueJobs.ts", "after the time in which the quote can still be recorded"),
  lender_throttle: "as many as records",
  node: deletedIn("jobs/nodeEntries.ts", "a day after the node was lost"),
  partner: "records",
  partner_ancestor: "as many as records",
  partner_routing: "as many as records",
  personal_data_key: "as many as records",
  proposal: "records",
  quote: "records",
  refresh_token: deletedIn("identity/RefreshTokenRepository.ts", "after 30 days"),
  signing_key: deletedIn("identity/SigningKeyRepository.ts", "after the key was retired"),
  subtree_count: "as many as records",
  subtree_count_delta: deletedIn("hierarchy/foldCounts.ts", "within seconds, by the fold of the counts"),
  subtree_partner: "as many as records",
  subtree_region: "as many as records",
  webhook: "records",
  webhook_delivery: deletedIn("webhook/WebhookQueue.ts", "7 days after the delivery ended")
}

const source = fileURLToPath(new URL("../../src", import.meta.url))

it.layer(pglite(), { excludeTestServices: true, timeout: "1 minute" })("what only grows", (it) => {
  it.effect("is no table but the records: every other table has a bound", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const tables = yield* sql<{ readonly name: string }>`
        select table_name::text as name from information_schema.tables where table_schema = current_schema() order by 1`
      assert.deepStrictEqual(tables.map(({ name }) => name), Object.keys(bounds).toSorted())
    }))

  it("names for each other table the file that deletes its rows", () => {
    const files = new Set(readdirSync(source, { recursive: true, encoding: "utf8" }))
    for (const [table, bound] of Object.entries(bounds)) {
      if (typeof bound === "string") continue
      assert.isTrue(files.has(bound.deletedIn), bound.deletedIn)
      assert.match(readFileSync(join(source, bound.deletedIn), "utf8"), new RegExp(`delete from ${table}\\b`), table)
    }
  })
})
