import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import * as fc from "fast-check"
import { parseAcceptance as parse } from "../../src/origination/AcceptOffer.ts"
import { expectProblems } from "../input/problems.ts"
import { msAfter, noon } from "../loan/examples.ts"

const minutes = 60_000
const made_at = msAfter(-120 * minutes)

const parseAcceptance = (body: unknown) => parse(body, { made_at, at: noon })

describe("parseAcceptance", () => {
  it("FGTS-24 terms_accepted must be true", () => {
    expectProblems(parseAcceptance({}), ["terms_accepted REQUIRED"])
    expectProblems(parseAcceptance({ terms_accepted: false }), ["terms_accepted UNKNOWN_VALUE"])
    expectProblems(parseAcceptance({ terms_accepted: null }), ["terms_accepted REQUIRED"])
    expectProblems(parseAcceptance({ terms_accepted: "true" }), ["terms_accepted INVALID_TYPE"])
    for (const body of [undefined, null, true, [], "true"]) {
      assert.isTrue(Result.isFailure(parseAcceptance(body)))
    }
  })

  it("FGTS-24 accepted_at is after the offer and not in the future, with five minutes of clock tolerance", () => {
    const at = (accepted_at: string) => parseAcceptance({ terms_accepted: true, accepted_at })
    for (const by of [-125 * minutes, -120 * minutes, 0, 1, 5 * minutes]) {
      const accepted_at = msAfter(by)
      assert.deepStrictEqual(at(accepted_at), Result.succeed({ accepted_at, ip: null, user_agent: null }))
    }
    for (const by of [-1e12, -125 * minutes - 1, 5 * minutes + 1, 1e10]) {
      expectProblems(at(msAfter(by)), ["accepted_at OUT_OF_RANGE"])
    }
    fc.assert(
      fc.property(
        fc.integer({ min: -130 * minutes, max: 10 * minutes }),
        (by) => assert.strictEqual(Result.isSuccess(at(msAfter(by))), by >= -125 * minutes && by <= 5 * minutes)
      )
    )
  })

  it("FGTS-24 accepted_at defaults to now and is stored in UTC", () => {
    for (const absent of [{}, { accepted_at: null }]) {
      assert.strictEqual(
        Result.getOrThrow(parseAcceptance({ terms_accepted: true, ...absent })).accepted_at,
        noon
      )
    }
    assert.deepStrictEqual<unknown>(
      parseAcceptance(
        { terms_accepted: true, accepted_at: "2026-01-31T08:59:59-03:00", ip: " 2001:DB8::1 ", user_agent: "Mozilla" }
      ),
      Result.succeed({ accepted_at: "2026-01-31T11:59:59.000Z", ip: "2001:db8::1", user_agent: "Mozilla" })
    )
  })

  it("FGTS-24 reports all problems at once", () => {
    expectProblems(
      parseAcceptance(
        { accepted_at: "yesterday", ip: "10.0.0.256", user_agent: "a\u0000b", proposal_id: "mine" }
      ),
      [
        "terms_accepted REQUIRED",
        "accepted_at INVALID_FORMAT",
        "ip INVALID_FORMAT",
        "user_agent INVALID_FORMAT",
        "proposal_id UNKNOWN_FIELD"
      ]
    )
  })
})
