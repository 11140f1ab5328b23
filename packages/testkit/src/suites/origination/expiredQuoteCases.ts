import { EventLog } from "@lastro/domain/event"
import { latestQuote } from "@lastro/domain/loan"
import { ApplicationRepository } from "@lastro/domain/origination"
import { type PartnerRepository } from "@lastro/domain/partner"
import { type UnitOfWork } from "@lastro/domain/ports"
import { millisOf, type Timestamp, timestampOf } from "@lastro/domain/values"
import { assert } from "chai"
import { Effect, Option } from "effect"
import { answerWithOffers } from "../../builders/applicationStages.ts"
import { exampleInstant } from "../../builders/Fresh.ts"
import { saveApplication, storeApplication, storeRootPartner } from "../../builders/storedRecords.ts"
import { type ContractCases } from "../suite/ContractSuite.ts"
import { atomically, repeatInParallel, rollBack } from "../suite/transactions.ts"

const later = (at: Timestamp, ms: number): Timestamp => timestampOf(millisOf(at) + ms)

const take = (at: Timestamp) => ApplicationRepository.use((applications) => applications.takeExpired(at))

/** Contract cases for the expired quotes of ApplicationRepository. */
export const expiredQuoteCases: ContractCases<ApplicationRepository | PartnerRepository | UnitOfWork> = (it) => {
  it("`takeExpired` takes a quote once, when its last offer has expired, and again after a rollback", function*() {
    const partner = yield* storeRootPartner()
    const pending = yield* storeApplication(partner)
    const quoted = yield* saveApplication(pending, yield* answerWithOffers(pending))
    const end = latestQuote(quoted).offers.map(({ expires_at }) => expires_at).toSorted().at(-1) ?? exampleInstant
    /** Takes all expired quotes. Returns how often the one of this case was taken. */
    const takeAll = Effect.fnUntraced(function*(at: Timestamp) {
      let count = 0
      for (;;) {
        const taken = yield* atomically(take(at))
        if (Option.isNone(taken)) return count
        if (taken.value.quote_id !== latestQuote(quoted).quote_id) continue
        assert.deepStrictEqual(taken.value.application, quoted)
        count++
      }
    })
    assert.strictEqual(yield* takeAll(later(end, -1)), 0)
    yield* rollBack(take(end))
    const counts = yield* repeatInParallel(4, takeAll(end))
    assert.strictEqual(counts.reduce((sum, count) => sum + count), 1)
    assert.strictEqual(yield* takeAll(later(end, 1)), 0)
  })
}

/** Contract cases for a worker: it appends the events of expired applications. */
export const expiryWorkerCases: ContractCases<ApplicationRepository | EventLog | PartnerRepository | UnitOfWork> = (
  it
) => {
  it("EVENT-08 a worker appends `application.expired` within 30 seconds after the last offer has expired", function*() {
    const partner = yield* storeRootPartner()
    const { application_id } = yield* atomically(Effect.gen(function*() {
      const pending = yield* storeApplication(partner)
      return yield* saveApplication(pending, yield* answerWithOffers(pending))
    }))
    const log = yield* EventLog
    const { partner_id } = partner
    const expired = Effect.map(
      log.read(partner_id, partner_id, { limit: 10, types: ["application.expired"] }),
      ({ events }) => events.map(({ subject }) => subject.id)
    )
    while ((yield* expired).length === 0) yield* Effect.sleep("20 millis")
    assert.deepStrictEqual(yield* expired, [application_id])
  })
}
