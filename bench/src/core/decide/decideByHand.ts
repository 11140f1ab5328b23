import { type Application, type ApplicationCommand, type ApplicationEvent, type KycValues } from "@lastro/domain"
import { accepted, type Answer, refused } from "../Answer.ts"

/** Why a command is refused, as JSON. */
type Refusal = { readonly reason: string; readonly details?: unknown }

type Decided = Answer<ReadonlyArray<ApplicationEvent>, Refusal>

/** A command by its name. */
type Command<Tag extends ApplicationCommand["_tag"]> = ApplicationCommand & { readonly _tag: Tag }

type Quote = Application["quotes"][number]
type Status = NonNullable<Application["proposal"]>["status"]

const nothing: Decided = accepted([])

const latest = ({ quotes }: Application): Quote => quotes[quotes.length - 1] ?? quotes[0]

const final: ReadonlySet<Status> = new Set(["PAID", "CANCELLED", "REJECTED"] as const)

/** Brasília time, three hours behind UTC since 2019: what is older is not asked about here. */
const dayOf = (at: string): string => new Date(Date.parse(at) - 3 * 3_600_000).toISOString().slice(0, 10)

const policies = [
  { from: "2026-11-01", version: "CCFGTS-1130/2025-2", most: 3, least: 100_00, greatest: 500_00, ends: null },
  {
    from: "2025-11-01",
    version: "CCFGTS-1130/2025-1",
    most: 5,
    least: 100_00,
    greatest: 500_00,
    ends: "2026-11-01T03:00:00.000Z"
  },
  { from: "", version: "CCFGTS-958/2020", most: 10, least: 1, greatest: Infinity, ends: "2025-11-01T03:00:00.000Z" }
]

const policyOf = (at: string) => {
  const day = dayOf(at)
  return policies.find(({ from }) => from <= day)
}

type Policy = ReturnType<typeof policyOf>

const isLawful = (policy: Policy, installments: ReadonlyArray<{ readonly amount: number }>): boolean =>
  policy !== undefined && installments.length > 0 && installments.length <= policy.most &&
  installments.every(({ amount }) => amount >= policy.least && amount <= policy.greatest)

const isQuotable = (application: Application, at: string): boolean => {
  const { number, outcome, rejection } = latest(application)
  if (number >= 100 || application.proposal !== null) return false
  if (outcome !== "REJECTED") return true
  return rejection !== null && rejection.retryable && (rejection.retry_at === null || rejection.retry_at <= at)
}

const requestQuote = (application: Application, { at, quote_id, wish }: Command<"RequestQuote">): Decided => {
  if (application.proposal === null && latest(application).outcome === "PENDING") {
    return refused({ reason: "QuoteInProgress" })
  }
  return isQuotable(application, at)
    ? accepted([{ _tag: "QuoteRequested", at, quote_id, wish }])
    : refused({ reason: "ApplicationNotQuotable" })
}

const sum = (amounts: ReadonlyArray<number>): number => amounts.reduce((one, other) => one + other, 0)

type Terms = Quote["offers"][number]["terms"]

const addsUp = ({ installments, ...terms }: Terms): boolean =>
  sum(installments.map(({ amount }) => amount)) === terms.gross_amount &&
  sum(installments.map(({ principal_amount }) => principal_amount)) === terms.principal_amount &&
  installments.every(({ amount, interest_amount, principal_amount }) =>
    principal_amount >= 0 && principal_amount + interest_amount === amount
  ) &&
  terms.iof_daily_amount + terms.iof_additional_amount === terms.iof_amount &&
  terms.net_amount + terms.iof_amount + terms.fee_amount === terms.principal_amount &&
  Math.min(terms.iof_daily_amount, terms.iof_additional_amount, terms.fee_amount) >= 0 &&
  terms.principal_amount <= terms.gross_amount

const why = (code: "FEES_EXCEED_PRINCIPAL" | "LENDER_POLICY", message: string) =>
  ({ kind: "FINAL", retryable: false, code, message, retry_at: null }) as const

const recordQuote = (
  application: Application,
  { at, offer_ids, quote_id, result }: Command<"RecordQuote">
): Decided => {
  const quote = latest(application)
  if (quote.quote_id !== quote_id || quote.outcome !== "PENDING") return nothing
  if (result.kind !== "PRICED") {
    const outcome = result.kind === "FAILED" ? "FAILED" : "REJECTED"
    return accepted([{ _tag: "QuoteRefused", at, outcome, rejection: result.rejection, unpriced: [] }])
  }
  const policy = policyOf(quote.created_at)
  const most = quote.wish.max_installments ?? policy?.most ?? 0
  const tomorrow = new Date(Date.parse(at) + 24 * 3_600_000).toISOString()
  const unpriced = [...result.unpriced]
  const offers: Array<Quote["offers"][number]> = []
  const best = result.offers.toSorted((one, other) =>
    other.terms.net_amount - one.terms.net_amount || (one.table.code < other.table.code ? -1 : 1)
  )
  for (const [index, { table, terms, valid_until }] of best.entries()) {
    const offer_id = offer_ids[index]
    if (terms.net_amount <= 0) {
      unpriced.push({ table, rejection: why("FEES_EXCEED_PRINCIPAL", "Costs exceed the financed value.") })
    } else if (!isLawful(policy, terms.installments) || terms.installments.length > most || !addsUp(terms)) {
      unpriced.push({ table, rejection: why("LENDER_POLICY", "The lender's offer does not obey the rules in force.") })
    } else if (offer_id !== undefined) {
      let expires_at = tomorrow
      const ends = policy?.ends ?? tomorrow
      if (ends < expires_at) expires_at = ends
      if (valid_until !== null && valid_until < expires_at) expires_at = valid_until
      offers.push({
        offer_id,
        table,
        terms,
        policy: policy?.version ?? "",
        expires_at: expires_at as Quote["offers"][number]["expires_at"]
      })
    }
  }
  if (offers.length > 0) return accepted([{ _tag: "QuoteCompleted", at, offers, unpriced }])
  const rejection = unpriced[0]?.rejection ?? why("LENDER_POLICY", "The lender has no table for this customer.")
  return accepted([{ _tag: "QuoteRefused", at, outcome: "REJECTED", rejection, unpriced }])
}

const isSame = (one: unknown, other: unknown): boolean => {
  if (one === other) return true
  if (typeof one !== "object" || typeof other !== "object" || one === null || other === null) return false
  const [here, there] = [Object.entries(one), Object.entries(other)]
  return here.length === there.length &&
    here.every(([key, value]) => isSame(value, (other as Readonly<Record<string, unknown>>)[key]))
}

const alone = [
  "name",
  "cpf",
  "birth_date",
  "gender",
  "civil_status",
  "mother_name",
  "nationality",
  "email",
  "phone",
  "is_pep",
  "disbursement_method"
] as const

const groups = {
  document: ["type", "number", "issuer", "uf", "issued_at"],
  address: ["zipcode", "uf", "city", "neighborhood", "street", "number"],
  pix: ["type", "key"],
  bank: ["bank_code", "account_type", "agency", "account_number"]
} as const

const missingOf = (kyc: KycValues | null): ReadonlyArray<string> => {
  const missing: Array<string> = []
  for (const field of alone) if ((kyc?.[field] ?? null) === null) missing.push(field)
  const inGroup = (group: keyof typeof groups): void => {
    const values = kyc?.[group] as Readonly<Record<string, unknown>> | null | undefined
    for (const field of groups[group]) if ((values?.[field] ?? null) === null) missing.push(`${group}.${field}`)
  }
  inGroup("document")
  inGroup("address")
  if (kyc?.disbursement_method === "PIX") inGroup("pix")
  if (kyc?.disbursement_method === "BANK_TRANSFER") inGroup("bank")
  return missing
}

const person = ({ bank: _bank, disbursement_method: _method, pix: _pix, ...rest }: KycValues) => rest

const submitKyc = ({ kyc: before, proposal }: Application, command: Command<"SubmitKyc">): Decided => {
  const { at, kyc, says_where_to_pay } = command
  if (proposal === null) return isSame(before, kyc) ? nothing : accepted([{ _tag: "KycSubmitted", at, kyc }])
  const isPersonSame = before !== null && isSame(person(before), person(kyc))
  if (proposal.status !== "DISBURSEMENT_FAILED" || !isPersonSame) return refused({ reason: "KycLocked" })
  if (!says_where_to_pay) return nothing
  const missing = missingOf(kyc)
  return missing.length > 0
    ? refused({ reason: "KycIncomplete", details: missing })
    : accepted([{ _tag: "DisbursementResubmitted", at, kyc }])
}

const acceptOffer = (application: Application, { _tag, offer_id, ...facts }: Command<"AcceptOffer">): Decided => {
  for (const quote of application.quotes) {
    for (const offer of quote.offers) {
      if (offer.offer_id !== offer_id) continue
      if (application.proposal?.offer_id === offer_id) return nothing
      if (quote !== latest(application)) return refused({ reason: "OfferNotAvailable", details: "SUPERSEDED" })
      if (application.proposal !== null) return refused({ reason: "OfferNotAvailable", details: "DECLINED" })
      if (offer.expires_at <= facts.at || !isLawful(policyOf(facts.at), offer.terms.installments)) {
        return refused({ reason: "OfferNotAvailable", details: "EXPIRED" })
      }
      const missing = missingOf(application.kyc)
      return missing.length > 0
        ? refused({ reason: "KycIncomplete", details: missing })
        : accepted([{ _tag: "OfferAccepted", offer_id, ...facts }])
    }
  }
  return refused({ reason: "NotFound" })
}

const way: ReadonlyArray<Status> = ["SUBMITTING", "AWAITING_SIGNATURE", "GUARANTEE_PENDING", "DISBURSING", "PAID"]

const between = (from: Status, to: Status): ReadonlyArray<Status> =>
  way.slice(way.indexOf(from) + 1, way.indexOf(to) + 1)

const wayTo = (from: Status, to: Status): ReadonlyArray<Status> => {
  if (final.has(from) || from === to) return []
  if (to === "CANCELLED" || to === "REJECTED") return [to]
  if (to === "DISBURSEMENT_FAILED") return [...between(from, "DISBURSING"), to]
  if (from !== "DISBURSEMENT_FAILED") return between(from, to)
  return to === "DISBURSING" ? [to] : to === "PAID" ? ["DISBURSING", to] : []
}

/** Reasons are those of the lender; none of the contracts here ends without one. */
const recordContract = ({ proposal }: Application, { at, contract }: Command<"RecordContract">): Decided => {
  if (proposal === null) return nothing
  const { disbursement_attempt, reference, rejection, signature_url, status } = contract
  const isOfPayment = status === "DISBURSEMENT_FAILED" || status === "DISBURSING"
  if (isOfPayment && disbursement_attempt < proposal.disbursement_attempt) return nothing
  if (proposal.status === status && !final.has(status)) {
    const isNew = proposal.reference !== reference ||
      (signature_url !== null && proposal.signature_url !== signature_url)
    return isNew ? accepted([{ _tag: "ContractRetold", at, reference, signature_url }]) : nothing
  }
  return accepted(
    wayTo(proposal.status, status).map((step) => ({
      _tag: "ProposalMoved",
      at,
      status: step,
      reference,
      signature_url,
      rejection: step === "CANCELLED" || step === "REJECTED" || step === "DISBURSEMENT_FAILED" ? rejection : null
    }))
  )
}

/** What comes of a command as one would write it at first: one function for each, that looks at the fields and answers. */
export const decideByHand = (command: ApplicationCommand, application: Application): Decided => {
  switch (command._tag) {
    case "RequestQuote":
      return requestQuote(application, command)
    case "RecordQuote":
      return recordQuote(application, command)
    case "SubmitKyc":
      return submitKyc(application, command)
    case "AcceptOffer":
      return acceptOffer(application, command)
    case "RecordContract":
      return recordContract(application, command)
  }
}
