import { Result } from "effect"
import { type FieldProblem, fieldProblem, type Problem, problem } from "../input/FieldProblem.ts"
import { makePatch, type PatchResult } from "../input/Patch.ts"
import { Refusal } from "../input/Refusal.ts"
import { invalidFormat } from "../input/TextFormat.ts"
import { ValidationFailed } from "../input/ValidationFailed.ts"
import { addMillis, type Timestamp } from "../values/Timestamp.ts"
import { Webhook } from "./Webhook.ts"
import { type WebhookSender } from "./WebhookSender.ts"

/** Maximum number of webhooks of a partner. */
export const maxWebhooks = 20

/** The partner has the maximum number of webhooks. */
export class TooManyWebhooks
  extends Refusal("TooManyWebhooks", "This partner has 20 webhooks, the maximum. Delete one first.")
{}

/**
 * A partner has at most 20 webhooks.
 * @rule WEBHOOK-06
 */
export const judgeCount = (count: number): Result.Result<void, TooManyWebhooks> =>
  count >= maxWebhooks ? Result.fail(new TooManyWebhooks()) : Result.void

type AddressRefusal = ReturnType<WebhookSender["Service"]["refusalOf"]>

const problems: Readonly<Record<NonNullable<AddressRefusal>, Problem>> = {
  INVALID_URL: invalidFormat("absolute URL such as https://example.com/path, without user, password and fragment"),
  HTTPS_REQUIRED: problem("HTTPS_REQUIRED"),
  ADDRESS_FORBIDDEN: problem("ADDRESS_FORBIDDEN")
}

/** Matches a URL with spaces, with a fragment, or with a user. */
const refusedParts = /[\s#]|^[^/]*\/\/[^/?]*@/

/**
 * The address of an endpoint is a URL without user, password and fragment, and the sender does not refuse it. The
 * schema of the body reports an address that is not text.
 * @rule WEBHOOK-07
 */
export const judgeUrl = (
  url: unknown,
  refusalOf: WebhookSender["Service"]["refusalOf"]
): Result.Result<void, FieldProblem> => {
  if (typeof url !== "string") return Result.void
  const text = url.trim()
  const refusal = refusedParts.test(text) ? "INVALID_URL" : refusalOf(text)
  return refusal === undefined ? Result.void : Result.fail(fieldProblem("url", problems[refusal]))
}

const { description, partner_id, status, types, url } = Webhook.fields

const patch = makePatch({ url, types, partner_id, description, status }, { immutable: ["partner_id"] })

/**
 * A caller can pause a webhook and resume it, even if it was paused or disabled automatically. Only a 410 answer
 * disables a webhook. The partner is immutable.
 * @rule WEBHOOK-08
 */
export const patchWebhook = (
  stored: Webhook,
  body: unknown,
  at: Timestamp
): Result.Result<PatchResult<Webhook>, ValidationFailed> =>
  Result.flatMap(patch.apply(stored, body), ({ changed, next }): ReturnType<typeof patchWebhook> => {
    if (!changed) return Result.succeed({ changed, next: stored })
    const isStatusKept = next.status === stored.status
    if (next.status === "DISABLED" && !isStatusKept) {
      const refused = fieldProblem("status", problem("UNKNOWN_VALUE", { allowed: "ACTIVE, PAUSED" }))
      return Result.fail(new ValidationFailed({ problems: [refused] }))
    }
    const newReason = next.status === "ACTIVE" ? null : "CALLER"
    const stop_reason = isStatusKept ? stored.stop_reason : newReason
    const webhook: Webhook = { ...stored, ...next, stop_reason, updated_at: at, version: stored.version + 1 }
    return Result.succeed({ changed, next: webhook })
  })

/** The encrypted secrets of a webhook. */
export interface WebhookSecrets {
  readonly current: string
  /** The secret before the last rotation, and the time until which it signs. Otherwise null. */
  readonly previous: { readonly secret: string; readonly valid_until: Timestamp } | null
}

/** Time for which the previous secret still signs after a rotation, in milliseconds: 24 hours. */
const overlapMs = 24 * 3_600_000

/** Returns the time until which the previous secret signs. */
export const overlapEnd = (at: Timestamp): Timestamp => addMillis(at, overlapMs)

/**
 * For 24 hours after a rotation, both the new and the previous secret sign, so that a receiver can change over. At most
 * two secrets sign at a time.
 * @rule WEBHOOK-09
 */
export const signingSecrets = ({ current, previous }: WebhookSecrets, at: Timestamp): ReadonlyArray<string> =>
  previous !== null && at < previous.valid_until ? [current, previous.secret] : [current]

/**
 * A replay delivers the events from a sequence on again, inclusive. It only goes back, so it never skips an event.
 * Returns the new cursor of the webhook.
 * @rule WEBHOOK-10
 */
export const replayCursor = (cursor: number, from_sequence: number): number => Math.min(cursor, from_sequence - 1)
