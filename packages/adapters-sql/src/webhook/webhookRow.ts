import { type Timestamp } from "@lastro/domain/values"
import { type DeliveryStep, type DueDelivery, type Webhook, type WebhookLease } from "@lastro/domain/webhook"
import { toNullableTimestamp, toTimestamp } from "../database/columnValues.ts"

/**
 * The `next_at` of a delivery that is due now. The column rounds to milliseconds, so `now()` could become a time up to
 * 0.5 ms later, at which the delivery is not yet due.
 */
export const dueNow = "date_trunc('milliseconds', now())"

/** The columns of a {@link WebhookRow}. The table alias is `item`. */
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

/** A row with the fields of a webhook's record. */
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

/** A row of a leased webhook. */
export interface LeaseRow extends Omit<WebhookLease, "webhook_id" | "cursor" | "open" | "fence" | "is_active"> {
  readonly id: WebhookLease["webhook_id"]
  readonly status: string
  readonly sequence: bigint
  readonly open: bigint
  readonly fence: bigint
}

/** A row of a webhook after a step of its delivery. */
export interface StepRow extends LeaseRow {
  readonly url: string
  readonly secret: string
  readonly previous_secret: string | null
  readonly previous_valid_until: Date | null
  readonly due: ReadonlyArray<DueDelivery>
}

export const leaseOf = (
  { fence, id, open, partner_id, root_id, sequence, status, ...row }: LeaseRow
): WebhookLease => ({
  webhook_id: id,
  partner_id,
  root_id,
  types: row.types,
  cursor: Number(sequence),
  open: Number(open),
  failures: row.failures,
  is_lagging: row.is_lagging,
  is_active: status === "ACTIVE",
  fence: Number(fence)
})

const previousOf = (secret: string | null, until: Date | null): { secret: string; valid_until: Timestamp } | null =>
  secret === null || until === null ? null : { secret, valid_until: toTimestamp(until) }

export const stepOf = (row: StepRow): DeliveryStep => ({
  ...leaseOf(row),
  url: row.url,
  secrets: { current: row.secret, previous: previousOf(row.previous_secret, row.previous_valid_until) },
  due: row.due
})
