/** The name of every table and view that a migration creates, even if a later migration drops it. */
export const tableNames: ReadonlyArray<string> = [
  "api_client",
  "app_user",
  "application",
  "application_expiry",
  "application_expiry_fold",
  "application_place_count",
  "application_place_delta",
  "audit",
  "audit_count",
  "audit_count_fold",
  "commission_closing",
  "commission_contract",
  "commission_entry",
  "commission_payout",
  "commission_plan",
  "commission_statement",
  "commission_sum",
  "commission_visible",
  "contract_look",
  "ended_session",
  "event",
  "event_head",
  "event_subscription",
  "failed_login",
  "idempotency",
  "job",
  "job_turn",
  "lender_callback",
  "lender_throttle",
  "node",
  "partner",
  "partner_ancestor",
  "partner_closure",
  "partner_routing",
  "personal_data_key",
  "proposal",
  "quote",
  "refresh_token",
  "signing_key",
  "subtree_count",
  "subtree_count_delta",
  "subtree_partner",
  "subtree_region",
  "webhook",
  "webhook_delivery"
]

/** Tables of {@link tableNames} that a later migration drops. */
const droppedTables: ReadonlySet<string> = new Set(["partner_closure"])

/** Every table and view that this version uses. */
export const currentTables: ReadonlyArray<string> = tableNames.filter((name) => !droppedTables.has(name))
