import { assert, describe, it } from "@effect/vitest"
import { emptyKyc, missingFields } from "@lastro/domain/kyc"
import { type ApplicationNotQuotable, KycIncomplete, type LoanEvent, QuoteInProgress } from "@lastro/domain/loan"
import { type QuoteId, type Timestamp } from "@lastro/domain/values"
import { anApplication, freshId } from "@lastro/testkit"
import { given, specification } from "@lastro/testkit/scenarios"
import { Effect, Result } from "effect"

const opening = anApplication().opening

const messageOf = (run: () => void): string => {
  try {
    run()
    return ""
  } catch (error) {
    return error instanceof Error ? error.message : "no error"
  }
}

const at = "2026-02-01T00:00:00.000Z" as Timestamp

describe("given … when … then …", () => {
  it.effect("accepts exactly the expected events or refusal", () =>
    Effect.gen(function*() {
      const beginning = yield* opening
      const quote_id = (yield* freshId) as QuoteId
      const { wish } = beginning
      const failed: LoanEvent = {
        _tag: "QuoteFailed",
        at,
        rejection: {
          kind: "UPSTREAM",
          code: "UPSTREAM_UNAVAILABLE",
          message: "",
          retryable: true,
          retry_at: null
        }
      }
      const requote = { _tag: "RequestQuote", at, quote_id, wish } as const
      const requested = { ...requote, _tag: "QuoteRequested" } as const
      given(beginning, failed).when(requote).then([requested])
      given(beginning).when(requote).then(new QuoteInProgress())
      given(beginning, { _tag: "KycSubmitted", at, kyc: emptyKyc })
        .when({ _tag: "SubmitKyc", at, kyc: emptyKyc, has_disbursement_data: false, submitted: [] })
        .thenNothing()

      const wrong = [
        () => given(beginning, failed).when(requote).then([]),
        () => given(beginning, failed).when(requote).then([{ ...requested, at: beginning.at }]),
        () => given(beginning, failed).when(requote).then(new QuoteInProgress()),
        () => given(beginning).when(requote).then([requested]),
        () => given(beginning).when(requote).thenNothing(),
        () => given(beginning).when(requote).then(new KycIncomplete({ missing: missingFields(emptyKyc, undefined) }))
      ]
      for (const expectation of wrong) assert.throws(expectation, Error)
    }))

  it.effect("lists the differences by path", () =>
    Effect.gen(function*() {
      const beginning = yield* opening
      const requote = { _tag: "RequestQuote", at, quote_id: beginning.quote_id, wish: beginning.wish } as const
      const refused = given(beginning).when(requote)
      assert.include(messageOf(() => refused.thenNothing()), "refusal: expected nothing, actual")
      const message = messageOf(() => refused.then(new KycIncomplete({ missing: ["name"] })))
      assert.include(message, "refusal._tag: expected \"KycIncomplete\", actual \"QuoteInProgress\"")
      assert.include(message, "refusal.missing: expected [\"name\"], actual nothing")
    }))

  it("specifies any decider", () => {
    const counting = specification<number, "add" | "overflow", { readonly by: number }, ApplicationNotQuotable, number>(
      {
        begin: (count) => count,
        decide: (_, count) => Result.succeed(count < 2 ? [{ by: 1 }] : []),
        evolve: (count, { by }) => count + by
      }
    )
    counting(0, { by: 1 }).when("add").then([{ by: 1 }])
    counting(0, { by: 1 }, { by: 1 }).when("add").thenNothing()
    assert.include(
      messageOf(() => counting(2).when("add").then([{ by: 1 }])),
      "events[0]: expected {\"by\":1}, actual nothing"
    )
  })
})
