import { assert, describe, it } from "@effect/vitest"
import {
  answerWithOffers,
  PendingWork,
  saveApplication,
  ScriptedLender,
  storeApplication,
  submitExampleKyc
} from "@lastro/testkit"
import { Effect } from "effect"
import { latestQuote } from "../../../src/fgts/application/Application.ts"
import { acceptOffer } from "../../../src/fgts/origination/AcceptOffer.ts"
import { getApplication } from "../../../src/fgts/origination/GetApplication.ts"
import { requoteApplication } from "../../../src/fgts/origination/RequoteApplication.ts"
import { deletePartner } from "../../../src/partner/DeletePartner.ts"
import { currentTimestamp } from "../../../src/time/Timestamp.ts"
import { callerOf, loadApplication, permit, runWithoutWorkers, storeTwoTrees } from "../../fixtures.ts"

/** Stores an application with offers and a complete KYC, deletes its partner, and returns an ancestor's administrator. */
const setUp = Effect.gen(function*() {
  const { aa, aAdmin } = yield* storeTwoTrees
  const caller = yield* callerOf(aAdmin)
  const application = yield* storeApplication(aa, { at: yield* currentTimestamp })
  const offered = yield* saveApplication(application, yield* answerWithOffers(application))
  const submitted = yield* saveApplication(offered, submitExampleKyc(offered))
  yield* deletePartner(yield* permit(caller, "partners:write"), aa.partner_id)
  return {
    application: submitted,
    reading: yield* permit(caller, "fgts:read"),
    writing: yield* permit(caller, "fgts:write")
  }
})

describe("the application of a deleted partner", () => {
  it.effect("T14 can be read and re-quoted by ancestors", () =>
    runWithoutWorkers(Effect.gen(function*() {
      const { application, reading, writing } = yield* setUp
      assert.strictEqual((yield* getApplication(reading, application.application_id, {})).status, "QUOTED")
      const again = yield* requoteApplication(writing, application.application_id, {})
      assert.strictEqual(again.status, "QUOTING")
      yield* (yield* PendingWork).finish
      assert.strictEqual((yield* getApplication(reading, application.application_id, {})).status, "QUOTED")
    })))

  it.effect("T14 can be accepted by ancestors, contracted and paid", () =>
    runWithoutWorkers(Effect.gen(function*() {
      const { application, writing } = yield* setUp
      yield* (yield* ScriptedLender).setContractStatus("PAID")
      const offer = latestQuote(application).offers[0]!.offer_id
      yield* acceptOffer(writing, application.application_id, offer, { terms_accepted: true })
      yield* (yield* PendingWork).finish
      assert.strictEqual((yield* loadApplication(application)).proposal?.status, "PAID")
    })))
})
