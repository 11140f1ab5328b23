import { assert, describe, it } from "@effect/vitest"
import { Result, Schema } from "effect"
import * as fc from "fast-check"
import {
  isRetryable,
  readRejection,
  rejectionCodes,
  RejectionReason,
  rejectionReason,
  withRetryTime
} from "../../src/offer/RejectionReason.ts"
import { millisOf, type Timestamp } from "../../src/values/Timestamp.ts"
import { msAfter, noon } from "../loan/examples.ts"

/** Actor and retryability of each code, as in the domain facts. */
const facts: Readonly<Record<string, readonly [kind: string, retryable: boolean]>> = {
  NO_AUTHORIZATION: ["CUSTOMER_ACTION", true],
  NOT_OPTED_IN: ["CUSTOMER_ACTION", true],
  OPT_OUT_IN_PROGRESS: ["CUSTOMER_ACTION", true],
  BIRTH_DATE_MISMATCH: ["FINAL", false],
  OPT_IN_WAITING_PERIOD: ["TEMPORARY", true],
  BIRTHDAY_WINDOW: ["TEMPORARY", true],
  OPERATION_IN_PROGRESS: ["TEMPORARY", true],
  ACCOUNT_CHANGES_PENDING: ["TEMPORARY", true],
  EXISTING_CONTRACT: ["FINAL", false],
  NO_FGTS_ACCOUNT: ["FINAL", false],
  NO_BALANCE: ["TEMPORARY", true],
  BELOW_MINIMUM_INSTALLMENT: ["FINAL", false],
  BELOW_MINIMUM_AMOUNT: ["FINAL", false],
  FEES_EXCEED_PRINCIPAL: ["FINAL", false],
  LENDER_POLICY: ["FINAL", false],
  LENDER_TEMPORARY: ["TEMPORARY", true],
  FRAUD_SUSPECTED: ["FINAL", false],
  UPSTREAM_UNAVAILABLE: ["UPSTREAM", true],
  KYC_REJECTED: ["FINAL", false],
  SIGNATURE_EXPIRED: ["FINAL", false],
  CUSTOMER_CANCELLED: ["FINAL", false],
  CANCELLED_BY_PARTNER: ["FINAL", false],
  CORRECTION_EXPIRED: ["FINAL", false],
  CONTRACT_CONFLICT: ["FINAL", false],
  OFFER_EXPIRED: ["FINAL", false],
  DISBURSEMENT_FAILED: ["CUSTOMER_ACTION", true]
}

describe("RejectionReason", () => {
  it("FGTS-01 the code determines actor and retryability, and an existing contract with a retry time is temporary", () => {
    assert.sameMembers([...rejectionCodes], Object.keys(facts))
    for (const code of rejectionCodes) {
      const [kind, retryable] = facts[code] ?? []
      const expected = { kind, retryable, code, message: "Não." }
      assert.deepStrictEqual<unknown>(rejectionReason(code, "Não."), { ...expected, retry_at: null })
      const isTemporary = kind === "TEMPORARY" || code === "EXISTING_CONTRACT"
      assert.deepStrictEqual<unknown>(rejectionReason(code, "Não.", noon), {
        ...expected,
        ...(isTemporary ? { kind: "TEMPORARY", retryable: true } : {}),
        retry_at: isTemporary ? noon : null
      })
    }
  })

  it("FGTS-01 constructed reasons satisfy the schema of answers", () => {
    const encode = Schema.encodeResult(RejectionReason)
    for (const code of rejectionCodes) {
      const reason = rejectionReason(code, "Operação não permitida antes de 03/02/2026.", noon)
      assert.deepStrictEqual<unknown>(encode(reason), Result.succeed(reason))
    }
  })

  it("FGTS-02 a retryable refusal may be retried at once, or from its retry time on", () => {
    fc.assert(
      fc.property(fc.constantFrom(...rejectionCodes), fc.option(fc.integer({ min: -2, max: 2 })), (code, by) => {
        const reason = rejectionReason(code, "", by === null ? null : msAfter(by))
        assert.strictEqual(isRetryable(reason, noon), reason.retryable && (reason.retry_at === null || (by ?? 0) <= 0))
      })
    )
  })
})

describe("withRetryTime", () => {
  const at = (text: string) => text as Timestamp

  it("FGTS-59 NO_BALANCE is retryable from the next 21st, 00:00 in São Paulo, unless the lender states another time", () => {
    const retry = (now: string, stated: Timestamp | null = null) =>
      withRetryTime(rejectionReason("NO_BALANCE", "Sem saldo.", stated), at(now)).retry_at
    assert.strictEqual(retry("2026-11-01T03:00:00.000Z"), "2026-11-21T03:00:00.000Z")
    assert.strictEqual(retry("2026-11-21T02:59:59.999Z"), "2026-11-21T03:00:00.000Z")
    assert.strictEqual(retry("2026-11-21T03:00:00.000Z"), "2026-12-21T03:00:00.000Z")
    assert.strictEqual(retry("2026-12-31T12:00:00.000Z"), "2027-01-21T03:00:00.000Z")
    for (const by of [-1, 0, 1]) assert.strictEqual(retry(noon, msAfter(by)), msAfter(by))
    const days = fc.integer({ min: 0, max: 4 * 366 * 24 })
    fc.assert(fc.property(days, (hours) => {
      const now = msAfter(hours * 3_600_000, at("2025-01-01T00:00:00.000Z"))
      const { kind, retry_at, retryable } = withRetryTime(rejectionReason("NO_BALANCE", "Sem saldo."), now)
      assert.deepStrictEqual([kind, retryable], ["TEMPORARY", true])
      // São Paulo has been at UTC-3 all year since 2019.
      assert.match(retry_at ?? "", /-21T03:00:00\.000Z$/)
      assert.isAbove(millisOf(retry_at ?? noon), millisOf(now))
      assert.isAtMost(millisOf(retry_at ?? noon) - millisOf(now), 31 * 86_400_000)
    }))
  })

  it("FGTS-59 a retry time of BIRTHDAY_WINDOW that has come becomes the next midnight in São Paulo", () => {
    const retry = (stated: Timestamp | null, now: Timestamp = noon) =>
      withRetryTime(rejectionReason("BIRTHDAY_WINDOW", "Não.", stated), now).retry_at
    assert.isNull(retry(null))
    assert.strictEqual(retry(msAfter(1)), msAfter(1))
    for (const by of [0, -1, -86_400_000]) assert.strictEqual(retry(msAfter(by)), "2026-02-01T03:00:00.000Z")
    assert.strictEqual(retry(noon, at("2026-02-01T02:59:59.999Z")), "2026-02-01T03:00:00.000Z")
    assert.strictEqual(retry(noon, at("2026-02-01T03:00:00.000Z")), "2026-02-02T03:00:00.000Z")
  })

  it("FGTS-59 any other rejection stays as the lender states it", () => {
    for (const code of rejectionCodes) {
      if (code === "NO_BALANCE" || code === "BIRTHDAY_WINDOW") continue
      for (const stated of [null, noon]) {
        const rejection = rejectionReason(code, "Não.", stated)
        assert.strictEqual(withRetryTime(rejection, msAfter(1)), rejection)
      }
    }
  })
})

describe("readRejection", () => {
  it("LENDER-04 known codes are kept", () => {
    for (const code of rejectionCodes) {
      assert.deepStrictEqual(readRejection(code, "Não.", noon), rejectionReason(code, "Não.", noon))
    }
  })

  it("LENDER-04 any other code is LENDER_POLICY, or LENDER_TEMPORARY with a retry time; the message is kept", () => {
    const foreign = fc.oneof(fc.string(), fc.constantFrom("toString", "__proto__", "constructor", "no_balance", ""))
      .filter((code) => !rejectionCodes.some((known) => known === code))
    fc.assert(fc.property(foreign, fc.string(), (code, message) => {
      const read = readRejection(code, message, null)
      assert.deepStrictEqual(read, rejectionReason("LENDER_POLICY", message))
      assert.isFalse(read.retryable)
      const temporary = readRejection(code, message, noon)
      assert.deepStrictEqual(temporary, rejectionReason("LENDER_TEMPORARY", message, noon))
      assert.isTrue(isRetryable(temporary, noon))
      assert.isFalse(isRetryable(temporary, msAfter(-1)))
    }))
  })
})
