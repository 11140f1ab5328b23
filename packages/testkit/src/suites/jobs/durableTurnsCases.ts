import { type Application } from "@lastro/domain/loan"
import { type PartnerDetail } from "@lastro/domain/partner"
import { currentTimestamp } from "@lastro/domain/values"
import { assert } from "chai"
import { Effect, Latch } from "effect"
import { storeApplication, storeForest } from "../../builders/storedRecords.ts"
import { held } from "../../lender/quoteAnswers.ts"
import { ScriptedLender } from "../../lender/ScriptedLender.ts"
import { type ContractCases } from "../suite/ContractSuite.ts"
import { atomically } from "../suite/transactions.ts"
import {
  awaitAnswer,
  awaitRequests,
  type DurableWorkPorts,
  offerAnswer,
  setQuoteAnswers,
  startQuote
} from "./observedWork.ts"

/** Starts the quote jobs of new applications of a partner, in one transaction. */
const startMany = (partner: PartnerDetail, count: number) =>
  atomically(Effect.gen(function*() {
    const at = yield* currentTimestamp
    const applications: Array<Application> = []
    for (let index = 0; index < count; index++) applications.push(yield* storeApplication(partner, { at }))
    for (const application of applications) yield* startQuote(application)
    return applications
  }))

/** Returns the partners of the requests for these applications, in order. */
const partnersInOrder = (applications: ReadonlyArray<Application>) =>
  Effect.map(ScriptedLender.use((lender) => lender.calls), (calls) =>
    calls.flatMap((call) => {
      if (call._tag !== "Quote") return []
      const { application_id } = call.request
      const requested = applications.find((application) => application.application_id === application_id)
      return requested === undefined ? [] : [requested.partner_id]
    }))

/**
 * Gives a worker in this process 50 ms of real time to find the jobs that were started before. No port shows which jobs a
 * worker has found.
 */
const awaitPoll = Effect.sleep("50 millis")

/**
 * Contract cases for DurableWork: a store whose worker runs one job of each kind at a time. Requires the scripted
 * lender.
 */
export const durableTurnsCases: ContractCases<DurableWorkPorts> = (it) => {
  it("TURN-01 jobs run in turns by root partner and then by partner, and the job of a root with none waiting is the next", function*() {
    const [busy, child, other, late] = yield* storeForest([null, 0, null, null])
    const [first, rest] = [Latch.makeUnsafe(), Latch.makeUnsafe()]
    yield* setQuoteAnswers(held(first, offerAnswer), held(rest, offerAnswer), offerAnswer)
    const ofBusy = yield* startMany(busy, 5)
    while ((yield* partnersInOrder(ofBusy)).length < 1) yield* Effect.sleep("10 millis")
    const applications = [...ofBusy, ...(yield* startMany(child, 2)), ...(yield* startMany(other, 3))]
    yield* awaitPoll
    yield* first.open
    while ((yield* partnersInOrder(applications)).length < 2) yield* Effect.sleep("10 millis")
    const ofLate = yield* startMany(late, 1)
    yield* awaitPoll
    yield* rest.open
    yield* Effect.forEach(ofLate, (application) => awaitRequests(application, 1), { discard: true })
    yield* Effect.forEach(applications, awaitAnswer, { discard: true })
    const names = new Map([busy, child, other, late].map(({ partner_id }, index) => [
      partner_id,
      ["busy", "child", "other", "late"][index]
    ]))
    const order = yield* partnersInOrder([...applications, ...ofLate])
    assert.deepStrictEqual(order.map((id) => names.get(id)), [
      "busy",
      "other",
      "late",
      "child",
      "other",
      "busy",
      "other",
      "child",
      "busy",
      "busy",
      "busy"
    ])
  })
}
