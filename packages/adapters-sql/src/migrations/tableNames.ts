/** The name of every table that a migration creates, including tables that a later migration drops. */
export const tableNames: ReadonlyArray<string> = [
  "api_client",
  "app_user",
  "application",
  "application_expiry",
  "application_expiry_fold",
  "audit",
  "audit_count",
  "audit_count_fold",
  "contract_look",
  "event",
  "event_head",
  "failed_login",
  "idempotency",
  "job",
  "lender_callback",
  "lender_throttle",
  "node",
  "partner",
  "partner_closure",
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

/** The tables of {@link tableNames} that a later migration drops. */
const droppedTables: ReadonlySet<string> = new Set(["partner_closure"])

/** Every table that this version of the program uses. */
export const currentTables: ReadonlyArray<string> = tableNames.filter((name) => !droppedTables.has(name))
