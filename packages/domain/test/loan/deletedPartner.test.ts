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
import { TestClock } from "effect/testing"
import { latestQuote } from "../../src/loan/Application.ts"
import { hasPartner } from "../../src/loan/decideQuote.ts"
import { nextAction } from "../../src/loan/nextAction.ts"
import { fgtsApplicationStatus } from "../../src/origination/FgtsApplicationStatus.ts"
import { getApplication } from "../../src/origination/GetApplication.ts"
import { deletePartner } from "../../src/partner/DeletePartner.ts"
import { currentTimestamp } from "../../src/values/Timestamp.ts"
import { acceptOffer, requoteApplication } from "../commands.ts"
import { callerOf, expectRefusal, loadApplication, permit, runWithoutWorkers, storeTwoTrees } from "../fixtures.ts"

/** Stores an application with offers and a complete KYC, deletes its partner, and returns an ancestor's administrator. */
const setUp = Effect.gen(function*() {
  const { aa, aAdmin } = yield* storeTwoTrees
  const caller = yield* callerOf(aAdmin)
  const application = yield* storeApplication(aa, { at: yield* currentTimestamp })
  const offered = yield* saveApplication(application, yield* answerWithOffers(application))
  const submitted = yield* saveApplication(offered, submitExampleKyc(offered))
  const reading = yield* permit(caller, "fgts:read")
  const statusOf = Effect.flatMap(
    loadApplication(application),
    (one) => Effect.map(currentTimestamp, (at) => fgtsApplicationStatus(one, at))
  )
  const statusBefore = yield* statusOf
  yield* deletePartner(yield* permit(caller, "partners:write"), aa.partner_id)
  return {
    application: submitted,
    reading,
    statusBefore,
    statusOf,
    writing: yield* permit(caller, "fgts:write")
  }
})

describe("the application of a deleted partner", () => {
  it.effect("T14 FGTS-48 can be read by ancestors, but not quoted again", () =>
    runWithoutWorkers(Effect.gen(function*() {
      const { application, reading, writing } = yield* setUp
      const read = yield* getApplication(reading, application.application_id, {})
      assert.strictEqual(read.status, "QUOTED")
      yield* expectRefusal(requoteApplication(writing, application.application_id, {}), "ApplicationNotQuotable")
      assert.deepStrictEqual(yield* getApplication(reading, application.application_id, {}), read)
      assert.deepStrictEqual(yield* (yield* PendingWork).pending, [])
    })))

  it.effect("FGTS-48 has no next action once its offers have expired, and its version shows the deletion", () =>
    runWithoutWorkers(Effect.gen(function*() {
      const { application, statusBefore, statusOf } = yield* setUp
      const deleted = yield* statusOf
      assert.deepStrictEqual([deleted.status, deleted.next_action], ["QUOTED", "ACCEPT_OFFER"])
      assert.isAbove(deleted.version, statusBefore.version)
      assert.isTrue(deleted.updated_at >= statusBefore.updated_at)
      yield* TestClock.adjust("25 hours")
      const expired = yield* statusOf
      assert.deepStrictEqual([expired.status, expired.next_action], ["EXPIRED", "NONE"])
      assert.isAbove(expired.version, deleted.version)
      const alive = yield* loadApplication(application)
      assert.isFalse(hasPartner(alive))
      assert.isString(alive.partner_deleted_at)
      assert.strictEqual(nextAction({ ...alive, partner_deleted_at: null }, yield* currentTimestamp), "REQUOTE")
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
