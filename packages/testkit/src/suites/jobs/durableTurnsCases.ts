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

/** Returns the partners of the requests of these applications, in the order of the requests. */
const orderOf = (applications: ReadonlyArray<Application>) =>
  Effect.map(ScriptedLender.use((lender) => lender.calls), (calls) =>
    calls.flatMap((call) => {
      if (call._tag !== "Quote") return []
      const { application_id } = call.request
      return applications.filter((application) => application.application_id === application_id).map(({ partner_id }) =>
        partner_id
      )
    }))

/** Lets a worker in this process notice the jobs that were started before. */
const noticed = Effect.sleep("50 millis")

/** Contract cases for DurableWork: a store whose worker runs one job of each kind at a time. Requires the scripted lender. */
export const durableTurnsCases: ContractCases<DurableWorkPorts> = (it) => {
  it("TURN-01 jobs run in turns by root partner and then by partner, and the job of a root with none waiting is the next", function*() {
    const [busy, child, other, late] = yield* storeForest([null, 0, null, null])
    const [first, rest] = [Latch.makeUnsafe(), Latch.makeUnsafe()]
    yield* setQuoteAnswers(held(first, offerAnswer), held(rest, offerAnswer), offerAnswer)
    const many = yield* startMany(busy, 5)
    while ((yield* orderOf(many)).length < 1) yield* Effect.sleep("10 millis")
    const applications = [...many, ...(yield* startMany(child, 2)), ...(yield* startMany(other, 3))]
    yield* noticed
    yield* first.open
    while ((yield* orderOf(applications)).length < 2) yield* Effect.sleep("10 millis")
    const [application] = yield* startMany(late, 1)
    yield* noticed
    yield* rest.open
    if (application !== undefined) yield* awaitRequests(application, 1)
    yield* Effect.forEach(applications, awaitAnswer, { discard: true })
    const names = new Map([busy, child, other, late].map(({ partner_id }, index) => [
      partner_id,
      ["busy", "child", "other", "late"][index]
    ]))
    const order = yield* orderOf([...applications, ...(application === undefined ? [] : [application])])
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
