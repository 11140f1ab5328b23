import {
  type ApplicationOpened,
  applicationStatus,
  centavos,
  isComplete,
  isLawful,
  isQuotable,
  type KycValues,
  latestQuote,
  noKyc,
  type Offer,
  type OfferId,
  type ProposalId,
  type ProposalNumber,
  type QuoteId,
  type QuoteWish
} from "@lastro/domain"
import { finishContract } from "./contracting.ts"
import { Course } from "./Course.ts"
import { answerQuote } from "./quoting.ts"
import { type Randomness } from "./Randomness.ts"

/** What an application gives names to. */
export interface ApplicationNames {
  readonly quote: (number: number, at: number) => QuoteId
  readonly offer: (quote: number, index: number, at: number) => OfferId
  readonly proposal: (at: number) => ProposalId
  readonly number: () => ProposalNumber
}

/** Quotes that an application asks for at most. */
export const mostSeededQuotes = 4

const minute = 60_000

/** What a customer asks for: mostly as much as there is. */
export const wishOf = (random: Randomness): QuoteWish => ({
  max_installments: random.chance(0.5) ? 2 + random.below(6) : null,
  desired_amount: random.chance(0.15) ? centavos(300_00 + 50_00 * random.below(30)) : null
})

const partOf = ({ birth_date, cpf, email, name, phone }: KycValues): KycValues => ({
  ...noKyc,
  name,
  cpf,
  birth_date,
  email,
  phone
})

const submitKyc = (course: Course, kyc: KycValues, random: Randomness): void => {
  course.wait((2 + random.below(240)) * minute)
  const told = random.chance(0.85) ? kyc : partOf(kyc)
  course.ask({ _tag: "SubmitKyc", at: course.at, kyc: told, says_where_to_pay: told.disbursement_method !== null })
}

/** The offer that the customer takes, if one can be taken: mostly the best. */
const chosenOffer = ({ application, at }: Course, random: Randomness): Offer | undefined => {
  if (applicationStatus(application, at) !== "QUOTED" || !isComplete(application.kyc ?? noKyc)) return undefined
  const offers = latestQuote(application).offers.filter((offer) => isLawful(offer, at))
  return offers[random.chance(0.7) ? 0 : random.below(offers.length)]
}

const browsers = [
  "Mozilla/5.0 (Linux; Android 14) Chrome/126.0 Mobile",
  "Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) Safari/604.1",
  "Mozilla/5.0 (Windows NT 10.0; Win64; x64) Chrome/126.0"
] as const

const accept = (course: Course, offer: Offer, names: ApplicationNames, random: Randomness): void => {
  const { at } = course
  course.ask({
    _tag: "AcceptOffer",
    at,
    offer_id: offer.offer_id,
    proposal_id: names.proposal(Date.parse(at)),
    number: names.number(),
    created_by: course.application.created_by,
    acceptance: { accepted_at: at, ip: `203.0.113.${1 + random.below(254)}`, user_agent: random.oneOf(browsers) }
  })
}

/** What a customer does with offers; whether one was accepted. */
const considerOffers = (course: Course, kyc: KycValues, names: ApplicationNames, random: Randomness): boolean => {
  if (!random.chance(0.65)) return false
  submitKyc(course, kyc, random)
  course.wait((1 + random.below(180)) * minute)
  const offer = chosenOffer(course, random)
  if (offer === undefined || !random.chance(0.92)) return false
  accept(course, offer, names, random)
  return true
}

/**
 * Lets an application run its course: quoted, quoted again where that is allowed and wished for, its offers left to expire or one
 * of them accepted and contracted. It ends where only a caller can move it on, or nobody.
 */
export const growApplication = (
  opening: ApplicationOpened,
  kyc: KycValues,
  names: ApplicationNames,
  random: Randomness
): Course => {
  const course = new Course(opening)
  for (let number = 1;; number++) {
    answerQuote(course, (index, at) => names.offer(number, index, at), random)
    const hasOffers = latestQuote(course.application).offers.length > 0
    if (hasOffers && considerOffers(course, kyc, names, random)) {
      finishContract(course, random)
      return course
    }
    course.wait((60 + random.below(36 * 60)) * minute)
    const { application, at } = course
    if (number === mostSeededQuotes || !random.chance(0.4) || !isQuotable(application, at)) return course
    course.ask({ _tag: "RequestQuote", at, quote_id: names.quote(number + 1, Date.parse(at)), wish: wishOf(random) })
  }
}
