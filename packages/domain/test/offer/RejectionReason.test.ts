import { assert, describe, it } from "@effect/vitest"
import { Result, Schema } from "effect"
import * as fc from "fast-check"
import {
  isRetryable,
  readRejection,
  rejectionCodes,
  RejectionReason,
  rejectionReason
} from "../../src/offer/RejectionReason.ts"
import { addMillis, noon } from "../loan/examples.ts"

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
  NO_BALANCE: ["FINAL", false],
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
  it("FGTS-01 the code alone determines actor and retryability; only temporary refusals carry a retry time", () => {
    assert.sameMembers([...rejectionCodes], Object.keys(facts))
    for (const code of rejectionCodes) {
      const [kind, retryable] = facts[code] ?? []
      const expected = { kind, retryable, code, message: "Não." }
      assert.deepStrictEqual<unknown>(rejectionReason(code, "Não."), { ...expected, retry_at: null })
      assert.deepStrictEqual<unknown>(rejectionReason(code, "Não.", noon), {
        ...expected,
        retry_at: kind === "TEMPORARY" ? noon : null
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
        const reason = rejectionReason(code, "", by === null ? null : addMillis(by))
        assert.strictEqual(isRetryable(reason, noon), reason.retryable && (reason.retry_at === null || (by ?? 0) <= 0))
      })
    )
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
      assert.isFalse(isRetryable(temporary, addMillis(-1)))
    }))
  })
})
