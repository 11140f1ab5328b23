import { callerColumns, run, statement } from "./callers.ts"
import { Refusal } from "./Refusal.ts"
import { isUuid, type Token } from "./tokens.ts"

/** The facts of a quote that determine the status. */
interface Quote {
  readonly number: number
  readonly outcome: "PENDING" | "COMPLETED" | "REJECTED" | "FAILED"
  readonly offers: ReadonlyArray<{ readonly expires_at: string }>
  readonly rejection: { readonly retryable: boolean; readonly retry_at: string | null } | null
}

type Kyc = Readonly<Record<string, unknown>>

/** An application with the facts that determine its status. */
interface Row {
  readonly application_id: string | null
  readonly inside: boolean
  readonly kyc: Kyc | null
  readonly version: number
  readonly updated_at: string
  readonly quotes: ReadonlyArray<Quote>
  readonly proposal_id: string | null
  readonly proposal_status: string | null
  readonly signature_url: string | null
  readonly is_cancelled: boolean
}

const prepared = statement(
  "application status",
  `select ${callerColumns}, item.id as application_id, item.kyc, item.version, item.updated_at,
    item.cancellation is not null as is_cancelled,
    (select json_agg(facts order by number) from quote where quote.application_id = item.id) as quotes,
    proposal.id as proposal_id, proposal.status as proposal_status, proposal.facts->>'signature_url' as signature_url,
    exists (select from subtree_region part where part.top_id = $2 and part.region_id = owner.region_id)
      or exists (select from subtree_partner part where part.top_id = $2 and part.partner_id = owner.id) as inside
  from caller left join (
    application item join partner owner on owner.id = item.partner_id
      left join proposal on proposal.application_id = item.id
  ) on item.id = $4`
)

const final = new Set(["CANCELLED", "REJECTED", "REFUNDED"])

/** The required KYC fields. The key is the name of a nested object, or "" for the top level. */
const required: Readonly<Record<string, ReadonlyArray<string>>> = {
  "": "name cpf birth_date gender civil_status mother_name nationality email phone is_pep disbursement_method"
    .split(" "),
  document: ["type", "number", "issuer", "uf", "issued_at"],
  address: ["zipcode", "uf", "city", "neighborhood", "street", "number"],
  pix: ["type", "key"],
  bank: ["bank_code", "account_type", "agency", "account_number"]
}

const has = (values: unknown, group: string): boolean =>
  typeof values === "object" && values !== null &&
  (required[group] ?? []).every((field) => (values as Kyc)[field] !== null && (values as Kyc)[field] !== undefined)

const isComplete = (kyc: Kyc | null): boolean =>
  kyc !== null && has(kyc, "") && has(kyc["document"], "document") && has(kyc["address"], "address") &&
  (kyc["disbursement_method"] === "PIX" ? has(kyc["pix"], "pix") : has(kyc["bank"], "bank"))

const statusOf = (proposal: string | null, isCancelled: boolean, quote: Quote, at: string): string => {
  if (proposal !== null) {
    if (final.has(proposal)) return "CANCELLED"
    if (proposal === "PAID") return "CONTRACTED"
    if (proposal === "REFUND_PENDING") return "REFUNDING"
    return "CONTRACTING"
  }
  if (isCancelled) return "CANCELLED"
  switch (quote.outcome) {
    case "PENDING":
      return "QUOTING"
    case "REJECTED":
      return "REJECTED"
    case "FAILED":
      return "QUOTE_FAILED"
    case "COMPLETED":
      return quote.offers.every(({ expires_at }) => expires_at <= at) ? "EXPIRED" : "QUOTED"
  }
}

const isQuotable = (status: string, { number, rejection }: Quote, at: string): boolean =>
  number < 100 && (status !== "REJECTED" ||
    (rejection !== null && rejection.retryable && (rejection.retry_at === null || rejection.retry_at <= at)))

/** The next action while a contract waits for the customer, by the status of the proposal. */
const contracting: ReadonlyMap<string | null, string> = new Map([
  ["AWAITING_SIGNATURE", "SIGN"],
  ["DISBURSEMENT_FAILED", "FIX_DISBURSEMENT"],
  ["CORRECTION_NEEDED", "FIX_KYC"]
])

const actionOf = (status: string, proposal: string | null, quote: Quote, complete: boolean, at: string): string => {
  switch (status) {
    case "QUOTING":
    case "REFUNDING":
      return "WAIT"
    case "QUOTED":
      return complete ? "ACCEPT_OFFER" : "SUBMIT_KYC"
    case "EXPIRED":
    case "QUOTE_FAILED":
    case "REJECTED":
      if (isQuotable(status, quote, at)) return "REQUOTE"
      return isQuotable(status, quote, quote.rejection?.retry_at ?? at) ? "RETRY_LATER" : "NONE"
    case "CONTRACTING":
      return contracting.get(proposal) ?? "WAIT"
    default:
      return "NONE"
  }
}

/**
 * Returns the times at which the status of a quote changes without an event: an offer expires, or a rejected quote may
 * be requested again.
 */
const timesOf = ({ offers, rejection }: Quote): ReadonlySet<string> => {
  const times = new Set(offers.map(({ expires_at }) => expires_at))
  if (rejection !== null && rejection.retry_at !== null) times.add(rejection.retry_at)
  return times
}

/** Reads the status of an application. */
export const getStatus = async (token: Token, id: string) => {
  const [row] = await run<Row>(prepared, token, "fgts:read", [isUuid(id) ? id : null])
  if (row === undefined || row.application_id === null) throw new Refusal("NOT_FOUND")
  if (!row.inside) throw new Refusal("OUTSIDE_HIERARCHY")
  const { application_id, proposal_id, proposal_status, quotes } = row
  const now = new Date().toISOString()
  const at = now < row.updated_at ? row.updated_at : now
  const latest = quotes.at(-1)
  if (latest === undefined) throw new Error("An application has no quote")
  let { updated_at, version } = row
  for (const quote of quotes) {
    const isSettled = quote !== latest || proposal_status !== null
    for (const time of timesOf(quote)) {
      if (!isSettled && time > at) continue
      version += 1
      if (!isSettled && time > updated_at) updated_at = time
    }
  }
  const kyc_complete = proposal_status !== "CORRECTION_NEEDED" && isComplete(row.kyc)
  const status = statusOf(proposal_status, row.is_cancelled, latest, at)
  const next_action = actionOf(status, proposal_status, latest, kyc_complete, at)
  const retry_at = status === "REJECTED" ? latest.rejection?.retry_at ?? null : null
  const signature_url = next_action === "SIGN" ? row.signature_url : null
  const quote_status = latest.outcome
  return {
    application_id,
    status,
    quote_status,
    kyc_complete,
    next_action,
    retry_at,
    proposal_id,
    signature_url,
    version,
    updated_at
  }
}
