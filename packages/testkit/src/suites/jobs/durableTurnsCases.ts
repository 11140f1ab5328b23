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
import { awaitAnswer, type DurableWorkPorts, offerAnswer, setQuoteAnswers, startQuote } from "./observedWork.ts"

/** Starts the quote jobs of new applications of a partner, in one transaction. */
const startMany = (partner: PartnerDetail, count: number) =>
  atomically(Effect.gen(function*() {
    const at = yield* currentTimestamp
    const applications: Array<Application> = []
    for (let index = 0; index < count; index++) applications.push(yield* storeApplication(partner, { at }))
    for (const application of applications) yield* startQuote(application)
    return applications
  }))

/** Returns the partner of each quote request for these applications, in order. */
const partnersInOrder = (applications: ReadonlyArray<Application>) => {
  const partners = new Map(applications.map(({ application_id, partner_id }) => [application_id, partner_id]))
  return Effect.map(ScriptedLender.use((lender) => lender.calls), (calls) =>
    calls.flatMap((call) => {
      const partner_id = call._tag === "Quote" ? partners.get(call.request.application_id) : undefined
      return partner_id === undefined ? [] : [partner_id]
    }))
}

/** Waits until at least this number of quote requests for these applications have been made. */
const awaitCount = Effect.fnUntraced(function*(applications: ReadonlyArray<Application>, count: number) {
  while ((yield* partnersInOrder(applications)).length < count) yield* Effect.sleep("10 millis")
})

/**
 * Waits 50 ms of real time, in which a worker in this process finds the jobs that were started before. No port shows
 * which jobs a worker has found.
 */
const awaitPoll = Effect.sleep("50 millis")

/** Contract cases for DurableWork with a worker that runs one job of each kind at a time, and the scripted lender. */
export const durableTurnsCases: ContractCases<DurableWorkPorts> = (it) => {
  it("TURN-01 jobs run in turns by root partner and then by partner, and the job of a root with none waiting is the next", function*() {
    const [busy, child, other, late] = yield* storeForest([null, 0, null, null])
    const [first, second] = [Latch.makeUnsafe(), Latch.makeUnsafe()]
    yield* setQuoteAnswers(held(first, offerAnswer), held(second, offerAnswer), offerAnswer)
    const ofBusy = yield* startMany(busy, 5)
    yield* awaitCount(ofBusy, 1)
    const applications = [...ofBusy, ...(yield* startMany(child, 2)), ...(yield* startMany(other, 3))]
    yield* awaitPoll
    yield* first.open
    yield* awaitCount(applications, 2)
    const ofLate = yield* startMany(late, 1)
    yield* awaitPoll
    yield* second.open
    yield* awaitCount(ofLate, 1)
    yield* Effect.forEach(applications, awaitAnswer, { discard: true })
    const expected = [busy, other, late, child, other, busy, other, child, busy, busy, busy]
    assert.deepStrictEqual(
      yield* partnersInOrder([...applications, ...ofLate]),
      expected.map(({ partner_id }) => partner_id)
    )
  })
}
