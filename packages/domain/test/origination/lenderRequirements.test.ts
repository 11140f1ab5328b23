import { assert, describe, it } from "@effect/vitest"
import { aCompleteKyc, aCustomer, PendingWork, ScriptedLender } from "@lastro/testkit"
import { Effect, Option } from "effect"
import { asOperator, judgeFound } from "../../src/hierarchy/Scope.ts"
import { type KycRequirements } from "../../src/kyc/KycRequirements.ts"
import { Lender } from "../../src/lender/Lender.ts"
import { latestQuote } from "../../src/loan/Application.ts"
import { ApplicationRepository } from "../../src/origination/ApplicationRepository.ts"
import { getApplicationStatus } from "../../src/origination/GetApplicationStatus.ts"
import { getKyc } from "../../src/origination/GetKyc.ts"
import { type ApplicationId } from "../../src/values/ids.ts"
import { acceptOffer, createApplication, requoteApplication, submitKyc } from "../commands.ts"
import { auditEntriesOf, callerOf, permit, runWithoutWorkers, storeTwoTrees } from "../fixtures.ts"

const demanding: KycRequirements = {
  kyc_fields: ["profession", "monthly_income", "spouse_name", "documents"],
  disbursement_methods: ["PIX"]
}

/** Runs use cases while the lender has these requirements. */
const whileRequiring = (required: KycRequirements) => <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.flatMap(
    Lender,
    (lender) =>
      Effect.provideService(effect, Lender, { ...lender, requirements: { ...lender.requirements, ...required } })
  )

const setUp = Effect.gen(function*() {
  const { aAdmin, a } = yield* storeTwoTrees
  const caller = yield* callerOf(aAdmin)
  const applications = yield* ApplicationRepository
  const load = (id: ApplicationId) =>
    Effect.flatMap(
      applications.find(asOperator.scope(a.partner_id), id),
      (found) => Effect.map(Effect.fromResult(judgeFound(found)), ({ record }) => record)
    )
  return {
    load,
    customer: yield* aCustomer(),
    kycReading: yield* permit(caller, "kyc:read"),
    reading: yield* permit(caller, "fgts:read"),
    writing: yield* permit(caller, "fgts:write")
  }
})

describe("the lender's requirements", () => {
  it.effect("FGTS-49 are recorded at the opening, apply to KYC, status and acceptance, and reach the lender", () =>
    runWithoutWorkers(Effect.gen(function*() {
      const { customer, kycReading, load, reading, writing } = yield* setUp
      const opened = yield* whileRequiring(demanding)(createApplication(writing, { external_id: "loan-1", customer }))
      const id = opened.application_id
      yield* (yield* PendingWork).finish
      assert.deepStrictEqual((yield* load(id)).requirements, demanding)
      const basic = aCompleteKyc().for(customer).build()
      const first = yield* submitKyc(writing, id, basic)
      assert.deepStrictEqual(first.missing_fields, ["profession", "monthly_income", "spouse_name", "documents"])
      assert.isNull(first.documents)
      assert.isFalse(Object.hasOwn(first, "education"))
      const next = Effect.map(
        getApplicationStatus(reading, id, {}, () => Option.none()),
        ({ status }) => [status.kyc_complete, status.next_action]
      )
      assert.deepStrictEqual(yield* next, [false, "SUBMIT_KYC"])
      const offer = latestQuote(yield* load(id)).offers[0]!.offer_id
      const refused = yield* Effect.flip(acceptOffer(writing, id, offer, { terms_accepted: true }))
      assert.deepInclude(refused, {
        _tag: "KycIncomplete",
        missing: ["profession", "monthly_income", "spouse_name", "documents"]
      })
      const whole = aCompleteKyc().for(customer).requiring(...demanding.kyc_fields, "education").build()
      const { education: _ignored, ...stored } = whole
      yield* submitKyc(writing, id, whole)
      assert.deepStrictEqual<unknown>((yield* load(id)).kyc, stored)
      assert.deepStrictEqual(yield* next, [true, "ACCEPT_OFFER"])
      assert.isTrue((yield* getKyc(kycReading, id)).complete)
      yield* acceptOffer(writing, id, offer, { terms_accepted: true })
      yield* (yield* PendingWork).finish
      const submissions = (yield* (yield* ScriptedLender).calls).filter((call) => call._tag === "Submit")
      assert.deepStrictEqual(submissions.map(({ submission }) => submission.kyc), [stored])
      const audited = JSON.stringify(yield* auditEntriesOf(id))
      for (const secret of ["Professora", "3500.5", "Paulo Exemplo", "identity-front", "0".repeat(64)]) {
        assert.notInclude(audited, secret)
      }
    })))

  it.effect("FGTS-49 of a newer quote replace those of the application; a value that is no longer required is hidden", () =>
    runWithoutWorkers(Effect.gen(function*() {
      const { customer, kycReading, load, writing } = yield* setUp
      const { application_id: id } = yield* createApplication(writing, { external_id: "loan-1", customer })
      yield* (yield* PendingWork).finish
      assert.deepStrictEqual((yield* load(id)).requirements?.kyc_fields, [])
      // A lender that changes its requirements changes nothing before the next quote.
      yield* whileRequiring(demanding)(submitKyc(writing, id, aCompleteKyc().for(customer).build()))
      assert.isTrue((yield* getKyc(kycReading, id)).complete)
      yield* whileRequiring(demanding)(requoteApplication(writing, id, undefined))
      yield* (yield* PendingWork).finish
      assert.deepStrictEqual((yield* load(id)).requirements, demanding)
      assert.strictEqual((yield* getKyc(kycReading, id)).missing_fields.length, 4)
      yield* submitKyc(writing, id, aCompleteKyc().for(customer).requiring(...demanding.kyc_fields).build())
      assert.strictEqual((yield* getKyc(kycReading, id)).profession, "Professora")
      yield* requoteApplication(writing, id, undefined)
      yield* (yield* PendingWork).finish
      const hidden = yield* getKyc(kycReading, id)
      assert.isTrue(hidden.complete)
      assert.isFalse(Object.hasOwn(hidden, "profession"))
      const offer = latestQuote(yield* load(id)).offers[0]!.offer_id
      yield* acceptOffer(writing, id, offer, { terms_accepted: true })
      yield* (yield* PendingWork).finish
      const submitted = (yield* (yield* ScriptedLender).calls).find((call) => call._tag === "Submit")
      assert.deepStrictEqual<unknown>(submitted?.submission.kyc, aCompleteKyc().for(customer).build())
    })))
})
