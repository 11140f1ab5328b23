import { type SandboxQuoteRequest } from "@lastro/domain/adapters"
import { type LenderCallback } from "@lastro/domain/lender"
import { type LenderContract } from "@lastro/domain/loan"
import { type FinalQuotation, type RejectionReason } from "@lastro/domain/offer"
import {
  calendarDate,
  type Centavos,
  centavos,
  type Cpf,
  percent,
  reaisOf,
  type Timestamp
} from "@lastro/domain/values"
import { createHmac } from "node:crypto"

type Json = Readonly<Record<string, unknown>>

/** The fields of `POST /quotes` that the sandbox rules use. */
interface QuoteBody {
  readonly number: number
  readonly attempt: number
  readonly requested_at: string
  readonly released_on: string
  readonly customer: { readonly cpf: string; readonly birth_date: string }
  readonly policy: {
    readonly version: string
    readonly max_installments: number
    readonly min_installment: number | null
    readonly max_installment: number | null
    readonly max_monthly_rate: number
  }
  readonly max_installments: number | null
  readonly desired_amount: number | null
  readonly lender_state?: string
}

const centavosOf = (reais: number | null): Centavos | null => reais === null ? null : centavos(Math.round(reais * 100))

/**
 * Reads a quote request. This code does not use the HTTP adapter that writes the request, so that each tests the other.
 */
export const readQuoteBody = (body: unknown): SandboxQuoteRequest & { readonly lender_state: string | null } => {
  const {
    attempt,
    customer,
    desired_amount,
    lender_state = null,
    max_installments,
    number,
    policy,
    released_on,
    requested_at
  } = body as QuoteBody
  return {
    lender_state,
    number,
    attempt,
    requested_at: requested_at as Timestamp,
    released_on: calendarDate(released_on),
    customer: { cpf: customer.cpf as Cpf, birth_date: calendarDate(customer.birth_date) },
    policy: {
      version: policy.version,
      from: calendarDate(released_on),
      max_installments: policy.max_installments,
      min_installment: centavosOf(policy.min_installment),
      max_installment: centavosOf(policy.max_installment),
      next_only: released_on >= "2025-11-01",
      max_monthly_rate: percent(policy.max_monthly_rate)
    },
    wish: { max_installments, desired_amount: centavosOf(desired_amount) }
  }
}

const refusalBody = ({ code, message, retry_at }: RejectionReason): Json => ({ code, message, retry_at })

/** Converts every field whose name ends in `amount` from centavos to reais. */
const inReais = (record: object): Json =>
  Object.fromEntries(
    Object.entries(record).map(([name, value]: readonly [string, unknown]) =>
      [name, name.endsWith("amount") ? reaisOf(value as Centavos) : value] as const
    )
  )

/** The `lender_ref` of an offer. */
export const lenderRefOf = ({ code }: { readonly code: string }): string => `ref:${code}`

/** Returns the response body of a quote. The offers of version 2 have a `lender_ref`. */
export const quotationBody = (quotation: FinalQuotation, version: 1 | 2): Json =>
  quotation.kind === "REFUSED"
    ? { kind: "REFUSED", rejection: refusalBody(quotation.rejection) }
    : {
      kind: "PRICED",
      offers: quotation.offers.map(({ table, terms, valid_until }) => ({
        table,
        ...inReais(terms),
        installments: terms.installments.map(inReais),
        valid_until,
        ...(version === 2 ? { lender_ref: lenderRefOf(table) } : {})
      })),
      unpriced: quotation.unpriced.map(({ rejection, table }) => ({ table, rejection: refusalBody(rejection) }))
    }

/** The statuses of version 1 that replace statuses of version 2. */
const statusesV1: { readonly [Status in LenderContract["status"]]?: LenderContract["status"] } = {
  IN_ANALYSIS: "AWAITING_SIGNATURE",
  REFUNDED: "CANCELLED",
  SETTLED: "PAID"
}

/** Returns the response body of a contract in version 1. It has no refunds, so a reversed contract is CANCELLED. */
export const contractBodyV1 = (contract: LenderContract): Json => {
  const { disbursement_attempt, reference, rejection, signature_url, status } = contract
  return {
    reference,
    status: statusesV1[status] ?? status,
    signature_url,
    disbursement_attempt,
    rejection: rejection === null ? null : refusalBody(rejection)
  }
}

/** Returns the response body of a contract in version 2. */
export const contractBody = ({ paid = null, refund = null, terms: _, ...contract }: LenderContract): Json => ({
  ...contract,
  rejection: contract.rejection === null ? null : refusalBody(contract.rejection),
  paid: paid === null ? null : inReais(paid),
  refund: refund === null ? null : inReais(refund)
})

/** A callback secret for tests. */
export const exampleCallbackSecret = `whsec_${Buffer.from("a secret of 24 to 64 bytes").toString("base64")}`

/**
 * Makes a callback of the lender protocol, signed with a secret as in Standard Webhooks 1.0. This code does not use the
 * HTTP adapter, so that each tests the other.
 */
export const signedCallback = (
  secret: string,
  content: unknown,
  { at_ms = Date.now(), id = "msg_1" }: { readonly id?: string; readonly at_ms?: number } = {}
): LenderCallback => {
  const body = Buffer.from(JSON.stringify(content))
  const timestamp = String(Math.floor(at_ms / 1_000))
  const key = Buffer.from(secret.slice("whsec_".length), "base64")
  const signature = createHmac("sha256", key).update(`${id}.${timestamp}.${body.toString("utf8")}`).digest("base64")
  return {
    method: "POST",
    path: "/api/v1/lender-callbacks/http",
    headers: {
      "content-type": "application/json",
      "webhook-id": id,
      "webhook-timestamp": timestamp,
      "webhook-signature": `v1,${signature}`
    },
    body
  }
}
