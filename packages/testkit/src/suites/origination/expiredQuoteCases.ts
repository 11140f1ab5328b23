import { EventLog } from "@lastro/domain/event"
import { latestQuote } from "@lastro/domain/loan"
import { ApplicationRepository } from "@lastro/domain/origination"
import { type PartnerRepository } from "@lastro/domain/partner"
import { type UnitOfWork } from "@lastro/domain/ports"
import { addMillis, type OfferId, type Timestamp } from "@lastro/domain/values"
import { assert } from "chai"
import { Effect, Option } from "effect"
import { answerWithOffers } from "../../builders/applicationStages.ts"
import { freshId } from "../../builders/Fresh.ts"
import { saveApplication, storeApplication, storeRootPartner } from "../../builders/storedRecords.ts"
import { type ContractCases } from "../suite/ContractSuite.ts"
import { storeQuoted } from "../suite/storedRecords.ts"
import { atomically, repeatInParallel, rollBack } from "../suite/transactions.ts"

const take = (at: Timestamp) => ApplicationRepository.use((applications) => applications.takeExpired(at))

/** Contract cases for `ApplicationRepository.takeExpired`. */
export const expiredQuoteCases: ContractCases<ApplicationRepository | PartnerRepository | UnitOfWork> = (it) => {
  it("`takeExpired` takes a quote once, when its last offer has expired, and again after a rollback", function*() {
    const partner = yield* storeRootPartner()
    const { expiry, quoted } = yield* storeQuoted(partner)
    /** Takes all expired quotes. Returns how often the quote of this case was taken. */
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
    assert.strictEqual(yield* takeAll(addMillis(expiry, -1)), 0)
    yield* rollBack(take(expiry))
    const counts = yield* repeatInParallel(4, takeAll(expiry))
    assert.strictEqual(counts.reduce((sum, count) => sum + count), 1)
    assert.strictEqual(yield* takeAll(addMillis(expiry, 1)), 0)
  })

  it("EVENT-08 `takeExpired` takes a quote again after offers that joined it later have expired", function*() {
    const { expiry, quoted } = yield* storeQuoted(yield* storeRootPartner())
    const quote = latestQuote(quoted)
    const [offer] = quote.offers
    assert(offer !== undefined)
    /** Takes all expired quotes. Returns whether the quote of this case was one of them. */
    const isTaken = Effect.fnUntraced(function*(at: Timestamp) {
      let result = false
      for (;;) {
        const taken = yield* atomically(take(at))
        if (Option.isNone(taken)) return result
        if (taken.value.quote_id === quote.quote_id) result = true
      }
    })
    assert.isTrue(yield* isTaken(expiry))
    const late = { ...offer, offer_id: (yield* freshId) as OfferId, expires_at: addMillis(expiry, 1_000) }
    const offers = [...quote.offers, late]
    yield* saveApplication(quoted, { ...quoted, quotes: [{ ...quote, offers }], version: quoted.version + 1 })
    assert.isFalse(yield* isTaken(addMillis(expiry, 999)))
    assert.isTrue(yield* isTaken(addMillis(expiry, 1_000)))
    assert.isFalse(yield* isTaken(addMillis(expiry, 1_000)))
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
