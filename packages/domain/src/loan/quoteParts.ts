import { type KycRequirements, unionOfRequirements } from "../kyc/KycRequirements.ts"
import { emptyKyc } from "../kyc/KycValues.ts"
import { missingFields } from "../kyc/missingFields.ts"
import { type Offer } from "../offer/Offer.ts"
import { isExpired } from "../offer/offerExpiry.ts"
import { type Quote } from "../offer/Quote.ts"
import { type LenderName, type QuotedLender, type QuotePart, type QuoteRouting } from "../offer/QuotePart.ts"
import { type Timestamp } from "../values/Timestamp.ts"
import { type Application, latestQuote } from "./Application.ts"
import { isCancelledEarly } from "./ApplicationStatus.ts"

/** The lender of a stored quote that has no offer and names no lender. */
const unknownLender: LenderName = { code: "", label: "" }

/**
 * A quote has one part for each of its lenders. In an installation with one lender, a quote has one part, with the
 * outcome of the quote. The same holds for quotes that were stored before parts existed.
 * @rule QUOTE-01
 */
export const partsOf = (quote: Quote): ReadonlyArray<QuotePart> => {
  const { completed_at, created_at, offers, outcome, parts, rejection, routing } = quote
  if (parts !== undefined && routing !== undefined) return parts
  const code = offers[0]?.lender
  const [stored] = parts ?? []
  const lender = stored?.lender ?? (code === undefined ? unknownLender : { code, label: code })
  return [{ ...stored, lender, outcome, rejection, asked_at: created_at, completed_at }]
}

/** Returns the part of a quote at a lender. If the quote has only one part, returns that part. */
export const partAt = (quote: Quote, code: string | undefined): QuotePart | undefined => {
  const parts = partsOf(quote)
  return quote.routing === undefined ? parts[0] : parts.find(({ lender }) => lender.code === code)
}

/** Returns the name of the lender of an offer. Null if the offer was stored before offers named it. */
export const lenderOfOffer = (quote: Quote, { lender: code }: Pick<Offer, "lender">): LenderName | null => {
  if (code === undefined) return null
  return partAt(quote, code)?.lender ?? { code, label: code }
}

/** Builds the parts of a new quote. With FIRST, only the first lender is requested at once. */
export const newParts = (
  lenders: ReadonlyArray<QuotedLender>,
  routing: QuoteRouting | undefined,
  at: Timestamp
): ReadonlyArray<QuotePart> =>
  lenders.map(({ lender, requirements }, index) => {
    const isAsked = routing?.strategy !== "FIRST" || index === 0
    return {
      lender,
      outcome: isAsked ? "PENDING" : "WAITING",
      rejection: null,
      asked_at: isAsked ? at : null,
      completed_at: null,
      requirements
    }
  })

/** Returns the quote with a changed part. */
export const withPart = (quote: Quote, code: string, change: Partial<QuotePart>): Quote => ({
  ...quote,
  parts: partsOf(quote).map((part) => part.lender.code === code ? { ...part, ...change } : part)
})

/** Returns the parts of an ended quote, without held offers. Parts whose outcome is in `skipped` become SKIPPED. */
export const skipParts = (
  { parts, routing }: Quote,
  skipped: ReadonlyArray<QuotePart["outcome"]>,
  at: Timestamp
): Pick<Quote, "parts"> => {
  if (parts === undefined || routing === undefined) return {}
  const ended = parts.map(({ held: _, ...part }): QuotePart =>
    skipped.includes(part.outcome) ? { ...part, outcome: "SKIPPED", completed_at: at } : part
  )
  return { parts: ended }
}

/** Returns the number of lenders that have not answered, or have not been requested yet. */
export const openParts = (quote: Quote): number =>
  partsOf(quote).filter(({ outcome }) => outcome === "PENDING" || outcome === "WAITING").length

/** Returns whether a part of a quote has this outcome. */
export const hasPart = (quote: Quote, outcome: QuotePart["outcome"]): boolean =>
  partsOf(quote).some((part) => part.outcome === outcome)

/**
 * The offers of several lenders are ordered by net amount, greatest first, then by monthly CET, then by the order of
 * the routing, then by the code of their fee table. A commission is never compared.
 * @rule QUOTE-02
 */
export const mergeOffers = (quote: Quote, offers: ReadonlyArray<Offer>): ReadonlyArray<Offer> => {
  const codes = partsOf(quote).map(({ lender }) => lender.code)
  const routingIndex = ({ lender = "" }: Offer): number => codes.indexOf(lender)
  return offers.toSorted((a, b) =>
    b.terms.net_amount - a.terms.net_amount ||
    a.terms.monthly_cet - b.terms.monthly_cet ||
    routingIndex(a) - routingIndex(b) ||
    (a.table.code < b.table.code ? -1 : 1)
  )
}

/**
 * An offer needs the KYC fields that its own lender requires.
 * @rule QUOTE-03
 */
export const requirementsOfOffer = (
  { requirements }: Pick<Application, "requirements">,
  quote: Quote,
  offer: Pick<Offer, "lender">
): KycRequirements =>
  quote.routing === undefined ? requirements : partAt(quote, offer.lender)?.requirements ?? requirements

/** Returns the KYC fields that are still missing for an offer. */
export const missingForOffer = (
  application: Pick<Application, "kyc" | "requirements">,
  quote: Quote,
  offer: Pick<Offer, "lender">
): ReadonlyArray<string> => missingFields(application.kyc ?? emptyKyc, requirementsOfOffer(application, quote, offer))

/**
 * An application needs the KYC fields of the lenders that have available offers. While no offer is available, it needs
 * those of all lenders that were requested.
 * @rule QUOTE-04
 */
export const requirementsOfQuote = (quote: Quote, at: Timestamp, stored: KycRequirements): KycRequirements => {
  if (quote.routing === undefined) return stored
  const requested = partsOf(quote).flatMap(({ asked_at, lender, requirements }) =>
    requirements === undefined || asked_at === null ? [] : [{ code: lender.code, requirements }]
  )
  const available = quote.offers.filter((offer) => !isExpired(offer, at))
  const offering = requested.filter(({ code }) => available.some(({ lender }) => lender === code))
  const counted = offering.length > 0 ? offering : requested
  return counted.length === 0 ? stored : unionOfRequirements(counted.map(({ requirements }) => requirements))
}

/**
 * Returns an application with the KYC requirements of a time. They change when an offer expires (QUOTE-04), until an
 * offer is accepted or the application is cancelled.
 */
export const withRequirementsAt = (application: Application, at: Timestamp): Application =>
  application.proposal !== null || isCancelledEarly(application) ? application : {
    ...application,
    requirements: requirementsOfQuote(latestQuote(application), at, application.requirements)
  }

/** Returns whether the latest quote has an available offer with a complete KYC. */
export const hasCompleteOffer = (application: Application, at: Timestamp): boolean => {
  const quote = latestQuote(application)
  return quote.offers.some((offer) => !isExpired(offer, at) && missingForOffer(application, quote, offer).length === 0)
}
