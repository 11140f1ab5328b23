import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import * as fc from "fast-check"
import { type Timestamp } from "../../src/values/Timestamp.ts"
import {
  judgeCount,
  judgeUrl,
  maxWebhooks,
  overlapEnd,
  patchWebhook,
  replayCursor,
  signingSecrets
} from "../../src/webhook/endpoint.ts"
import { typesNamed, type Webhook } from "../../src/webhook/Webhook.ts"

const at = "2026-02-01T00:00:00.000Z" as Timestamp

const webhook = (fields: Partial<Webhook> = {}): Webhook =>
  ({
    webhook_id: "0197f3a2-e4a5-76d7-91d3-8495a6b7c8d9",
    partner_id: "0197f3a2-5b1c-7d3e-8f4a-9b0c1d2e3f40",
    url: "https://example.com/a",
    types: [],
    description: null,
    status: "ACTIVE",
    stop_reason: null,
    created_at: "2026-01-01T00:00:00.000Z",
    updated_at: "2026-01-01T00:00:00.000Z",
    version: 3,
    health: { last_success_at: null, last_failure_at: null, last_failure: null },
    ...fields
  }) as Webhook

const problemsOf = (result: ReturnType<typeof patchWebhook>) =>
  Result.isFailure(result) ? result.failure.problems.map(({ code, field }) => `${field} ${code}`) : []

describe("a webhook", () => {
  it("names types and groups; no name means all", () => {
    assert.isUndefined(typesNamed([]))
    assert.deepStrictEqual(typesNamed(["user.*", "proposal.paid"]), [
      "user.created",
      "user.updated",
      "user.deleted",
      "proposal.paid"
    ])
    // A type that this version does not have matches nothing, not everything.
    assert.deepStrictEqual(typesNamed(["loan.forgotten"]), [])
  })

  it("WEBHOOK-06 a partner has at most 20 webhooks", () => {
    assert.isTrue(Result.isSuccess(judgeCount(maxWebhooks - 1)))
    const full = judgeCount(maxWebhooks)
    assert.strictEqual(Result.isFailure(full) && full.failure._tag, "TooManyWebhooks")
  })

  it("WEBHOOK-07 an address that the sender refuses is a problem of the field", () => {
    const codeOf = (refusal: "INVALID_URL" | "HTTPS_REQUIRED" | "ADDRESS_FORBIDDEN" | undefined) =>
      Result.getOrElse(Result.flip(judgeUrl("https://x", () => refusal)), () => null)
    assert.deepStrictEqual(codeOf("INVALID_URL"), {
      field: "url",
      code: "INVALID_FORMAT",
      params: { expected: "absolute URL such as https://example.com/path, without user, password and fragment" }
    })
    assert.deepStrictEqual(codeOf("HTTPS_REQUIRED"), { field: "url", code: "HTTPS_REQUIRED" })
    assert.deepStrictEqual(codeOf("ADDRESS_FORBIDDEN"), { field: "url", code: "ADDRESS_FORBIDDEN" })
    assert.isNull(codeOf(undefined))
    assert.isTrue(Result.isSuccess(judgeUrl(5, () => "INVALID_URL")))
    const isRefused = (url: string) => Result.isFailure(judgeUrl(url, () => undefined))
    for (const part of ["me@x", "me:word@x:8443/a", "x/a#part", "x/a b", "x?a\nb", "x#"]) {
      assert.isTrue(isRefused(`https://${part}`), part)
    }
    for (const part of ["x", "x:8443/a@b", "x?to=me@x", "x/%20%23", "[2606:4700::1111]"]) {
      assert.isFalse(isRefused(` https://${part} `), part)
    }
  })

  it("a webhook lists at most 50 types", () => {
    const listed = (count: number) => patchWebhook(webhook(), { types: Array<string>(count).fill("user.*") }, at)
    assert.isTrue(Result.isSuccess(listed(50)))
    const refused = listed(51)
    assert.deepStrictEqual(Result.isFailure(refused) && refused.failure.problems, [
      { field: "types", code: "TOO_LONG", params: { max_items: 50 } }
    ])
  })

  it("WEBHOOK-08 a caller pauses and resumes; only a 410 answer disables; the partner is immutable", () => {
    const paused = Result.getOrThrow(patchWebhook(webhook(), { status: "PAUSED" }, at)).next
    assert.deepStrictEqual([paused.status, paused.stop_reason, paused.version, paused.updated_at], [
      "PAUSED",
      "CALLER",
      4,
      at
    ])
    for (
      const stop of [{ status: "PAUSED", stop_reason: "RETRIES_EXHAUSTED" }, {
        status: "DISABLED",
        stop_reason: "GONE"
      }] as const
    ) {
      const { next } = Result.getOrThrow(patchWebhook(webhook(stop), { status: "ACTIVE" }, at))
      assert.deepStrictEqual([next.status, next.stop_reason], ["ACTIVE", null])
      const renamed = Result.getOrThrow(patchWebhook(webhook(stop), { description: "x", status: stop.status }, at)).next
      assert.deepStrictEqual([renamed.status, renamed.stop_reason], [stop.status, stop.stop_reason])
    }
    assert.deepStrictEqual(problemsOf(patchWebhook(webhook(), { status: "DISABLED" }, at)), ["status UNKNOWN_VALUE"])
    assert.deepStrictEqual(
      problemsOf(patchWebhook(webhook(), { partner_id: "0197f3a2-5b1c-7d3e-8f4a-9b0c1d2e3f41", secret: "x" }, at)),
      ["partner_id IMMUTABLE", "secret UNKNOWN_FIELD"]
    )
    assert.deepStrictEqual(
      patchWebhook(webhook(), { partner_id: webhook().partner_id, types: [] }, at),
      Result.succeed({
        changed: false,
        next: webhook()
      })
    )
    assert.deepStrictEqual(problemsOf(patchWebhook(webhook(), { types: ["proposal.lost"] }, at)), [
      "types[0] UNKNOWN_VALUE"
    ])
  })

  it("WEBHOOK-09 both secrets sign for 24 hours after a rotation", () => {
    const valid_until = overlapEnd(at)
    assert.strictEqual(valid_until, "2026-02-02T00:00:00.000Z")
    const secrets = { current: "b", previous: { secret: "a", valid_until } }
    assert.deepStrictEqual(signingSecrets(secrets, "2026-02-01T23:59:59.999Z" as Timestamp), ["b", "a"])
    assert.deepStrictEqual(signingSecrets(secrets, valid_until), ["b"])
    assert.deepStrictEqual(signingSecrets({ current: "b", previous: null }, at), ["b"])
  })

  it("WEBHOOK-10 a replay begins with the given event and never leaves out one", () => {
    fc.assert(fc.property(fc.nat(), fc.integer({ min: 1 }), (cursor, from) => {
      const after = replayCursor(cursor, from)
      assert.isAtMost(after, cursor)
      assert.isBelow(after, from)
      assert.isTrue(after === cursor || after === from - 1)
    }))
  })
})
