import {
  type Allowed,
  type Application,
  type ApplicationId,
  ApplicationRepository,
  asOperator,
  authorize,
  centavos,
  judge,
  latestQuote,
  type OfferId,
  type PartnerDetail,
  type Permission,
  runQuote,
  submitKyc
} from "@lastro/domain"
import { aCaller, aCompleteKyc, aCustomer, givenForest, offering, ScriptedLender } from "@lastro/testkit"
import { Effect, Result } from "effect"
import { opens } from "./AnswerLog.ts"

/** Somebody of this partner, in the tree of that root, and what they may do. */
export const somebody = (partner: PartnerDetail, root: PartnerDetail) =>
  Effect.map(
    aCaller().at(partner, root).asClient(),
    (caller) => <P extends Permission>(permission: P): Allowed<P> => Result.getOrThrow(authorize(caller, permission))
  )

const aWriter = (partner: PartnerDetail, root: PartnerDetail) =>
  Effect.map(somebody(partner, root), (may) => may("fgts:write"))

/** A partner below another, with two writers of each. */
export const givenWriters = Effect.gen(function*() {
  const [root, partner] = yield* givenForest([null, 0])
  const writers = yield* Effect.all([
    aWriter(partner, root),
    aWriter(root, root),
    aWriter(partner, root),
    aWriter(root, root)
  ])
  return { root, partner, writers }
})

/** What is kept of an application, read outside of any race. */
const kept = (application_id: ApplicationId, { partner_id }: PartnerDetail) =>
  Effect.flatMap(ApplicationRepository, (applications) =>
    Effect.map(
      applications.find(asOperator.scope(partner_id), application_id),
      (found): Application => Result.getOrThrow(judge(found)).record
    ))

/** The three offers of the latest quote. */
export const offersOf = (application: Application): readonly [OfferId, OfferId, OfferId] => {
  const [best, second, third] = latestQuote(application).offers
  if (best === undefined || second === undefined || third === undefined) {
    throw new RangeError("there are not three offers")
  }
  return [best.offer_id, second.offer_id, third.offer_id]
}

/** An application that was just opened by its partner's writer. */
export const givenOpened = Effect.gen(function*() {
  yield* (yield* ScriptedLender).answersQuotes(offering(centavos(900_00), centavos(700_00), centavos(500_00)))
  const { partner, root, writers } = yield* givenWriters
  const customer = yield* aCustomer()
  const opened = yield* opens(writers[0], { external_id: "loan-1", customer, partner_id: partner.partner_id })
  const { application_id, quote: { quote_id } } = opened
  return { root, partner, writers, customer, application_id, quote_id, present: kept(application_id, partner) }
})

/** An application with three offers. */
export const givenQuoted = Effect.gen(function*() {
  const opened = yield* givenOpened
  yield* runQuote(opened.quote_id)
  return { ...opened, offers: offersOf(yield* opened.present) }
})

/** An application with three offers and a complete KYC. */
export const givenAcceptable = Effect.gen(function*() {
  const quoted = yield* givenQuoted
  const kyc = aCompleteKyc().for(quoted.customer).build()
  yield* submitKyc(quoted.writers[0], quoted.application_id, kyc)
  return { ...quoted, kyc }
})
