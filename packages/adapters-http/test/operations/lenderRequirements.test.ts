import { assert, describe, it } from "@effect/vitest"
import { Lender } from "@lastro/domain/lender"
import { aCompleteKyc, storeRootPartner } from "@lastro/testkit"
import { Effect, Layer } from "effect"
import { at, codeOf, problemsOf } from "../client.ts"
import { withServer } from "../harness.ts"
import { finish, givenOpened, givenVoice, offersOf } from "../origination.ts"

/** A lender that requires additional fields and pays by PIX only. */
const instead = Layer.effect(
  Lender,
  Effect.map(Lender, (lender) => ({
    ...lender,
    requirements: {
      ...lender.requirements,
      kyc_fields: ["monthly_income", "documents"] as const,
      disbursement_methods: ["PIX"] as const
    }
  }))
)

describe("KYC of a lender with requirements", () => {
  it.effect("KYC-13 lists additional fields as missing, and is complete with them", () =>
    withServer(
      Effect.gen(function*() {
        const voice = yield* givenVoice(yield* storeRootPartner())
        const { customer, id, kyc } = yield* givenOpened(voice)
        yield* finish
        const read = yield* voice.kyc(id)
        assert.deepStrictEqual([at(read, "monthly_income"), at(read, "documents")], [null, null])
        assert.notInclude(Object.keys(read.body as object), "profession")
        const partial = yield* voice.submit(id, kyc)
        assert.deepStrictEqual(at(partial, "missing_fields"), ["monthly_income", "documents"])
        const [offer = ""] = offersOf(yield* voice.read(id))
        const early = yield* voice.accept(id, offer)
        assert.deepStrictEqual([codeOf(early), ...problemsOf(early)], [
          "KYC_INCOMPLETE",
          "documents REQUIRED",
          "monthly_income REQUIRED"
        ])
        const { documents, monthly_income } = aCompleteKyc().for(customer).requiring("monthly_income", "documents")
          .build()
        const whole = yield* voice.submit(id, { monthly_income, documents, profession: "Ignorada" })
        assert.deepStrictEqual(
          [whole.status, at(whole, "status"), at(whole, "monthly_income"), at(whole, "documents")],
          [200, "COMPLETE", monthly_income, documents]
        )
        const again = yield* voice.kyc(id)
        const same = yield* voice.submit(id, again.body)
        assert.deepStrictEqual(same.body, again.body, "a response can be sent back")
        assert.strictEqual(at(yield* voice.read(id), "kyc_complete"), true)
        assert.strictEqual((yield* voice.accept(id, offer)).status, 202)
      }),
      { instead }
    ))

  it.effect("KYC-15 refuses a disbursement method that the lender does not support", () =>
    withServer(
      Effect.gen(function*() {
        const voice = yield* givenVoice(yield* storeRootPartner())
        const { id } = yield* givenOpened(voice)
        const refused = yield* voice.submit(id, { disbursement_method: "BANK_TRANSFER" })
        assert.deepStrictEqual([refused.status, ...problemsOf(refused)], [422, "disbursement_method UNKNOWN_VALUE"])
        assert.include(refused.text, "The value must be one of: PIX.")
      }),
      { instead }
    ))
})
