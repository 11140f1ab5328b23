import { type KycValues } from "@lastro/domain/kyc"
import { type LenderQuotation, type LenderQuoteRequest } from "@lastro/domain/lender"
import { type ContractSubmission, type DisbursementResubmission, type LenderRefund } from "@lastro/domain/loan"
import { type ContractRequest } from "./LenderContracts.ts"
import { type Quotation, type QuotationV1, type QuoteRequest } from "./LenderQuotes.ts"

/**
 * The prefix of a stored `lender_ref` from an offer in protocol version 2. An offer is submitted with the version in
 * which it was made. So each retry sends the same body on every node, after a restart, and after an upgrade of the
 * lender.
 */
const prefix = "lastro-lender-2"

/** Adds the prefix to the `lender_ref` of an offer in protocol version 2. Offers in version 1 have no `lender_ref`. */
const storeLenderRef = (lender_ref: string | null): string => lender_ref === null ? prefix : `${prefix}:${lender_ref}`

/** The protocol version for the submission of an offer, and the lender's own `lender_ref`. */
interface StoredLenderRef {
  readonly version: 1 | 2
  readonly lender_ref: string | null
}

/** Reads a stored `lender_ref`. If another adapter stored it, returns protocol version 1. */
const readLenderRef = (stored: string | null | undefined): StoredLenderRef => {
  if (stored === prefix) return { version: 2, lender_ref: null }
  return stored?.startsWith(`${prefix}:`) === true
    ? { version: 2, lender_ref: stored.slice(prefix.length + 1) }
    : { version: 1, lender_ref: null }
}

/** Makes a quote request. It contains `lender_state` only after a PENDING answer, which only protocol version 2 has. */
export const toQuoteRequest = (
  { lender_state, policy, wish, ...request }: LenderQuoteRequest
): typeof QuoteRequest.Type => {
  const { max_installment, max_installments, max_monthly_rate, min_installment, version } = policy
  return {
    ...request,
    ...wish,
    policy: { version, max_installments, min_installment, max_installment, max_monthly_rate },
    ...(lender_state === null ? {} : { lender_state })
  }
}

/** Converts the response to a quote request. Offers have a `lender_ref` in protocol version 2 only. */
export const toQuotation = (quotation: typeof Quotation.Type | typeof QuotationV1.Type): LenderQuotation => {
  if (quotation.kind !== "PRICED") return quotation
  const { offers, unpriced } = quotation
  return {
    kind: "PRICED",
    offers: offers.map((offer) => {
      if (!("lender_ref" in offer)) {
        const { table, valid_until, ...terms } = offer
        return { table, terms, valid_until }
      }
      const { lender_ref, table, valid_until, ...terms } = offer
      return { table, terms, valid_until, lender_ref: storeLenderRef(lender_ref) }
    }),
    unpriced
  }
}

/** The KYC fields that protocol version 1 does not have. */
interface AdditionalFields {
  readonly profession?: string | null
  readonly monthly_income?: number | null
  readonly education?: string | null
  readonly spouse_name?: string | null
  readonly documents?:
    | ReadonlyArray<{ readonly kind: string; readonly reference: string; readonly sha256: string | null }>
    | null
}

/**
 * Makes the request that submits a contract. It contains the fields of protocol version 2 only if the offer was made
 * with version 2. It contains only the payment destination of the disbursement method. Equal submissions have equal
 * requests.
 */
export const toContractRequest = (submission: ContractSubmission): typeof ContractRequest.Type => {
  const { acceptance, accepted_at, application_id, disbursement, kyc, offer, origin, proposal_id } = submission
  const { bank: _bank, disbursement_method: _method, pix: _pix, ...customer }: KycValues & AdditionalFields = kyc
  const { documents: _documents, education: _education, monthly_income: _income, ...rest } = customer
  const { profession: _profession, spouse_name: _spouse, ...borrower } = rest
  const { offer_id, table, terms } = offer
  const requestV1 = {
    proposal_id,
    application_id,
    accepted_at,
    offer: { offer_id, table, ...terms },
    customer: borrower,
    disbursement
  }
  const { lender_ref, version } = readLenderRef(offer.lender_ref)
  return version === 1 ? requestV1 : {
    ...requestV1,
    offer: { ...requestV1.offer, ...(lender_ref === null ? {} : { lender_ref }) },
    customer,
    acceptance,
    origin
  }
}

export const toDisbursementRequest = ({ reference, ...payload }: DisbursementResubmission) => ({
  params: { reference },
  headers: { "idempotency-key": `${payload.proposal_id}/${payload.disbursement_attempt}` },
  payload
})

export const toRefundRequest = ({ reference, ...payload }: LenderRefund) => ({
  params: { reference },
  headers: { "idempotency-key": `${payload.proposal_id}/${payload.requested_at}` },
  payload
})
