import { type Webhook } from "@lastro/domain/webhook"
import { toNullableTimestamp, toTimestamp } from "../database/columnValues.ts"

/** The columns of a webhook that its record contains, and its id. */
export const webhookColumns = [
  "id",
  "partner_id",
  "url",
  "types",
  "description",
  "status",
  "stop_reason",
  "created_at",
  "updated_at",
  "version",
  "last_success_at",
  "last_failure_at",
  "last_failure"
].map((name) => `item.${name}`).join(", ")

/** A row with the {@link webhookColumns}. */
export interface WebhookRow
  extends Pick<Webhook, "partner_id" | "url" | "types" | "description" | "status" | "stop_reason">
{
  readonly id: Webhook["webhook_id"]
  readonly created_at: Date
  readonly updated_at: Date
  readonly version: bigint
  readonly last_success_at: Date | null
  readonly last_failure_at: Date | null
  readonly last_failure: string | null
}

/** Converts a row to a webhook. */
export const webhookOf = (row: WebhookRow): Webhook => ({
  webhook_id: row.id,
  partner_id: row.partner_id,
  url: row.url,
  types: row.types,
  description: row.description,
  status: row.status,
  stop_reason: row.stop_reason,
  created_at: toTimestamp(row.created_at),
  updated_at: toTimestamp(row.updated_at),
  version: Number(row.version),
  health: {
    last_success_at: toNullableTimestamp(row.last_success_at),
    last_failure_at: toNullableTimestamp(row.last_failure_at),
    last_failure: row.last_failure
  }
})
