import { type Allowed, authorize, type Permission } from "@lastro/domain/access"
import { asOperator, judgeFound } from "@lastro/domain/hierarchy"
import { runQuote } from "@lastro/domain/jobs"
import { type Application, latestQuote } from "@lastro/domain/loan"
import { ApplicationRepository, submitKyc } from "@lastro/domain/origination"
import { type PartnerDetail } from "@lastro/domain/partner"
import { type ApplicationId, centavos, type OfferId } from "@lastro/domain/values"
import { aCaller, aCompleteKyc, aCustomer, offering, ScriptedLender, storeForest } from "@lastro/testkit"
import { Effect, Result } from "effect"
import { createAndLog } from "./AnswerLog.ts"

/** Makes an API client of a partner in the tree of `root`. Returns the function that authorizes it. */
export const makeAuthorizer = (partner: PartnerDetail, root: PartnerDetail) =>
  Effect.map(
    aCaller().at(partner, root).asClient(),
    (caller) => <P extends Permission>(permission: P): Allowed<P> => Result.getOrThrow(authorize(caller, permission))
  )

const authorizeWriter = (partner: PartnerDetail, root: PartnerDetail) =>
  Effect.map(makeAuthorizer(partner, root), (authorizeFor) => authorizeFor("fgts:write"))

/** Makes a partner below a root, and two authorized writers of each. */
export const makeWriters = Effect.gen(function*() {
  const [root, partner] = yield* storeForest([null, 0])
  const writers = yield* Effect.all([
    authorizeWriter(partner, root),
    authorizeWriter(root, root),
    authorizeWriter(partner, root),
    authorizeWriter(root, root)
  ])
  return { root, partner, writers }
})

/** Reads an application outside of any race. */
export const readStored = (application_id: ApplicationId, { partner_id }: PartnerDetail) =>
  Effect.flatMap(ApplicationRepository, (applications) =>
    Effect.map(
      applications.find(asOperator.scope(partner_id), application_id),
      (found): Application => Result.getOrThrow(judgeFound(found)).record
    ))

/** Returns the ids of the three offers of the latest quote. */
export const offerIdsOf = (application: Application): readonly [OfferId, OfferId, OfferId] => {
  const [best, second, third] = latestQuote(application).offers
  if (best === undefined || second === undefined || third === undefined) {
    throw new RangeError("The latest quote has fewer than three offers")
  }
  return [best.offer_id, second.offer_id, third.offer_id]
}

/** Makes an application with a pending quote, opened by a writer of its partner. */
export const makeOpenedApplication = Effect.gen(function*() {
  yield* (yield* ScriptedLender).setQuoteAnswers(offering(centavos(900_00), centavos(700_00), centavos(500_00)))
  const { partner, root, writers } = yield* makeWriters
  const customer = yield* aCustomer()
  const opened = yield* createAndLog(writers[0], { external_id: "loan-1", customer, partner_id: partner.partner_id })
  const { application_id, quote: { quote_id } } = opened
  return {
    root,
    partner,
    writers,
    customer,
    application_id,
    quote_id,
    readApplication: readStored(application_id, partner)
  }
})

/** Makes an application with three offers. */
export const makeQuotedApplication = Effect.gen(function*() {
  const opened = yield* makeOpenedApplication
  yield* runQuote(opened.quote_id)
  return { ...opened, offers: offerIdsOf(yield* opened.readApplication) }
})

/** Makes an application with three offers and a complete KYC. */
export const makeAcceptableApplication = Effect.gen(function*() {
  const quoted = yield* makeQuotedApplication
  const kyc = aCompleteKyc().for(quoted.customer).build()
  yield* submitKyc(quoted.writers[0], quoted.application_id, kyc)
  return { ...quoted, kyc }
})
