import { assert, describe, it } from "@effect/vitest"
import { TooManyAttempts, Unauthenticated } from "@lastro/domain/identity"
import {
  ApplicationNotQuotable,
  KycIncomplete,
  KycLocked,
  OfferNotAvailable,
  QuoteInProgress
} from "@lastro/domain/loan"
import { PartnerHasDependents } from "@lastro/domain/partner"
import { Busy } from "@lastro/domain/ports"
import { describeRefusal } from "../../src/errors/describeRefusal.ts"
import { encodeOAuth2Refusal, encodeRefusal } from "../../src/errors/encodeRefusal.ts"
import { InternalFailure, OutcomeUnknown, ServiceUnavailable } from "../../src/errors/HttpRefusals.ts"

describe("describeRefusal", () => {
  it("lists the remaining dependents of a partner with their counts", () => {
    const refusal = new PartnerHasDependents({ children: 2, users: 0, applications: 1, has_commissions: true })
    assert.deepStrictEqual(describeRefusal(refusal).details, [
      { field: "partner_id", code: "HAS_CHILDREN", params: { count: 2 } },
      { field: "partner_id", code: "HAS_APPLICATIONS", params: { count: 1 } },
      { field: "partner_id", code: "HAS_COMMISSIONS" }
    ])
    const { body } = encodeRefusal(refusal, "pt-BR", "r")
    assert.deepInclude(Object(body).error.details[0], {
      message: "Este parceiro ainda tem 2 subparceiros.",
      params: { count: 2 }
    })
  })

  it("gives the reason for an unavailable offer and lists the missing KYC fields", () => {
    for (const reason of ["EXPIRED", "SUPERSEDED", "DECLINED", "EXISTING_CONTRACT", "POLICY_CHANGED"] as const) {
      assert.deepStrictEqual(describeRefusal(new OfferNotAvailable({ reason })), {
        code: "OFFER_NOT_AVAILABLE",
        details: [{ field: "offer_id", code: reason }]
      })
    }
    assert.deepStrictEqual(describeRefusal(new KycIncomplete({ missing: ["name", "address.uf"] })), {
      code: "KYC_INCOMPLETE",
      details: [{ field: "name", code: "REQUIRED" }, { field: "address.uf", code: "REQUIRED" }]
    })
  })

  it("refuses state conflicts with 409", () => {
    const encoded = [new QuoteInProgress(), new ApplicationNotQuotable(), new KycLocked({ locked: [] })].map(
      (refusal) => {
        const { body, status } = encodeRefusal(refusal, "en", "r")
        return [status, Object(body).error.code]
      }
    )
    assert.deepStrictEqual(encoded, [
      [409, "QUOTE_IN_PROGRESS"],
      [409, "APPLICATION_NOT_QUOTABLE"],
      [409, "KYC_LOCKED"]
    ])
  })

  it("sets Retry-After to at least one second", () => {
    const retry = [
      new Busy({ retry_after_seconds: 5 }),
      new Busy({ retry_after_seconds: 0 }),
      new TooManyAttempts({ retry_after_seconds: 900 }),
      new ServiceUnavailable(),
      new OutcomeUnknown()
    ].map((refusal) => describeRefusal(refusal).headers?.["retry-after"])
    assert.deepStrictEqual(retry, ["5", "1", "900", "1", "1"])
  })

  it("challenges every invalid token alike, without the reason", () => {
    const challenge = (reason: Unauthenticated["reason"]) =>
      describeRefusal(new Unauthenticated({ reason })).headers?.["www-authenticate"]
    assert.strictEqual(challenge("missing"), "Bearer realm=\"lastro\"")
    const others = (["malformed", "signature", "expired", "claims", "unknown", "inactive", "stale"] as const).map(
      challenge
    )
    assert.strictEqual(new Set(others).size, 1)
    assert.match(others[0] ?? "", /^Bearer realm="lastro", error="invalid_token", /)
  })
})

describe("encodeOAuth2Refusal", () => {
  it("maps refusals to OAuth 2 error codes and keeps the status", () => {
    const encoded = [
      new InternalFailure(),
      new ServiceUnavailable(),
      new OutcomeUnknown(),
      new TooManyAttempts({ retry_after_seconds: 9 })
    ].map((refusal) => {
      const { body, headers, status } = encodeOAuth2Refusal(refusal)
      return [status, Object(body).error, headers["retry-after"]]
    })
    assert.deepStrictEqual(encoded, [
      [500, "server_error", undefined],
      [503, "temporarily_unavailable", "1"],
      [503, "temporarily_unavailable", "1"],
      [429, "temporarily_unavailable", "9"]
    ])
  })
})
