import { type Application, type KycValues, type Offer, type OfferId, type Quote, type Timestamp } from "@lastro/domain"

/*
 * The rules of origination once more, in the plainest way: what the domain decides is held against them. Nothing here is taken
 * from the domain but its records.
 */

const hourMs = 3_600_000

/** São Paulo has had no summer time since 2019: three hours behind UTC. */
const dayOf = (at: Timestamp): string => new Date(Date.parse(at) - 3 * hourMs).toISOString().slice(0, 10)

interface NaivePolicy {
  readonly from: string
  readonly count: number
  readonly least: number
  readonly most: number
}

const policies: ReadonlyArray<NaivePolicy> = [
  { from: "2026-11-01", count: 3, least: 100_00, most: 500_00 },
  { from: "2025-11-01", count: 5, least: 100_00, most: 500_00 },
  { from: "0000-01-01", count: 10, least: 1, most: Number.POSITIVE_INFINITY }
]

/** The midnights in São Paulo, as instants in UTC, at which a policy ends. */
const ends: ReadonlyArray<string> = ["2025-11-01T03:00:00.000Z", "2026-11-01T03:00:00.000Z"]

/** Whether the law of an instant's day allows an offer's instalments. */
export const lawfulOn = (at: Timestamp, { terms }: Offer): boolean => {
  const policy = policies.find(({ from }) => from <= dayOf(at))
  return policy !== undefined && terms.installments.length > 0 && terms.installments.length <= policy.count &&
    terms.installments.every(({ amount }) => amount >= policy.least && amount <= policy.most)
}

/** The latest instant at which an offer of a quote may expire. */
export const lastExpiry = ({ completed_at, created_at }: Quote): string => {
  const dayAfter = new Date(Date.parse(completed_at ?? created_at) + 24 * hourMs).toISOString()
  const end = ends.find((one) => one > created_at)
  return end !== undefined && end < dayAfter ? end : dayAfter
}

/** The last quote of an application. */
export const lastQuote = ({ quotes }: Application): Quote => quotes.at(-1) ?? quotes[0]

/** What asking for another quote comes to. */
export const requoteOutcome = (application: Application, at: Timestamp): string => {
  const { outcome, rejection } = lastQuote(application)
  if (application.proposal !== null) return "ApplicationNotQuotable"
  if (outcome === "PENDING") return "QuoteInProgress"
  if (outcome !== "REJECTED") return "done"
  const again = rejection?.retryable === true && (rejection.retry_at === null || rejection.retry_at <= at)
  return again ? "done" : "ApplicationNotQuotable"
}

const personal = [
  "name",
  "cpf",
  "birth_date",
  "gender",
  "civil_status",
  "mother_name",
  "nationality",
  "email",
  "phone",
  "is_pep"
] as const

const isTold = (group: object | null, ...fields: ReadonlyArray<string>): boolean =>
  group !== null && fields.every((field) => (Reflect.get(group, field) ?? null) !== null)

const canBePaid = ({ bank, disbursement_method, pix }: KycValues): boolean =>
  disbursement_method === "PIX"
    ? isTold(pix, "type", "key")
    : disbursement_method === "BANK_TRANSFER" &&
      isTold(bank, "bank_code", "account_type", "agency", "account_number")

/** Whether everything is known of a customer that has to be. */
const isAllKnown = (kyc: KycValues | null): boolean =>
  kyc !== null && isTold(kyc, ...personal) &&
  isTold(kyc.document, "type", "number", "issuer", "uf", "issued_at") &&
  isTold(kyc.address, "zipcode", "uf", "city", "neighborhood", "street", "number") &&
  canBePaid(kyc)

/** What accepting an offer, with its terms accepted, comes to. */
export const acceptOutcome = (application: Application, offer_id: OfferId, at: Timestamp): string => {
  const { kyc, proposal, quotes } = application
  const offers = quotes.flatMap(({ offers }) => offers)
  if (!offers.some((offer) => offer.offer_id === offer_id)) return "NotFound"
  if (proposal !== null) return proposal.offer_id === offer_id ? "done" : "OfferNotAvailable"
  const offer = lastQuote(application).offers.find((offer) => offer.offer_id === offer_id)
  if (offer === undefined || offer.expires_at <= at || !lawfulOn(at, offer)) return "OfferNotAvailable"
  return isAllKnown(kyc) ? "done" : "KycIncomplete"
}
