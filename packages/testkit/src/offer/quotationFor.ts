import { type LenderContract } from "@lastro/domain/loan"
import {
  availableInstallments,
  type FeeKind,
  type FinalQuotation,
  type LenderOffer,
  type LoanFee,
  priceOffer,
  reduceToDesired,
  type RejectionReason,
  rejectionReason,
  type Unpriced
} from "@lastro/domain/offer"
import { addMillis, type Centavos, percent, type Timestamp } from "@lastro/domain/values"
import { Result } from "effect"
import { type OfferedFor } from "./offerWithNet.ts"
import { type SpoiledOffer, spoilOffer } from "./spoilOffer.ts"

const reasons: { readonly [Status in LenderContract["status"]]?: RejectionReason } = {
  DISBURSEMENT_FAILED: rejectionReason("DISBURSEMENT_FAILED", "Conta inexistente."),
  CANCELLED: rejectionReason("SIGNATURE_EXPIRED", "Prazo de assinatura vencido."),
  REJECTED: rejectionReason("KYC_REJECTED", "Cadastro recusado."),
  REFUNDED: rejectionReason("CUSTOMER_CANCELLED", "Valor devolvido pelo cliente.")
}

/**
 * Returns the fields of a contract that depend on its status: `signature_url` is set until the signature, `rejection`
 * after a failure.
 */
export const contractState = (
  status: LenderContract["status"]
): Pick<LenderContract, "rejection" | "signature_url" | "status"> => ({
  status,
  signature_url: status === "AWAITING_SIGNATURE" ? "https://lender.example/sign" : null,
  rejection: reasons[status] ?? null
})

/** A fee table with which every request can be priced. */
export interface TableExample {
  readonly code: string
  /** In percent. */
  readonly monthly_rate: number
  readonly fee: LoanFee
  /** The kind of the fee that the lender states. Default: none. */
  readonly fee_kind?: FeeKind
  readonly balance: Centavos
  /** Milliseconds until the offers of this table expire. Null: they have no end of their own. */
  readonly valid_ms: number | null
  /** The fault of all offers of this table that can have it. Null: no fault. */
  readonly spoiled: SpoiledOffer | null
}

/** The answer of a lender to any quote request. */
export type QuotationExample =
  | { readonly kind: "PRICED"; readonly tables: ReadonlyArray<TableExample> }
  | { readonly kind: "REFUSED"; readonly code: RejectionReason["code"]; readonly retry_ms: number | null }

/** Prices a request with a fee table at a time. Returns the offer, or the reason why there is none. */
const priceTable = (
  { balance, fee, fee_kind, monthly_rate, ...table }: TableExample,
  offered: OfferedFor & { readonly wish: { readonly desired_amount?: Centavos | null } },
  at: Timestamp
): Result.Result<LenderOffer, Unpriced> => {
  const { customer, policy, released_on, wish } = offered
  const lenderTable = {
    code: table.code,
    label: `Tabela ${table.code}`,
    ...(fee_kind === undefined ? {} : { fee_kind })
  }
  const installments = availableInstallments({
    balance,
    birth_date: customer.birth_date,
    max_installments: table.spoiled === "TOO_MANY_INSTALLMENTS" ? null : wish.max_installments,
    policy,
    released_on
  })
  const terms = { released_on, monthly_rate: percent(monthly_rate), fee, installments }
  return Result.mapBoth(
    Result.flatMap(reduceToDesired(terms, wish.desired_amount ?? null, policy.min_installment), priceOffer),
    {
      onFailure: () => ({ table: lenderTable, rejection: rejectionReason("BELOW_MINIMUM_INSTALLMENT", "Sem oferta.") }),
      onSuccess: (offer) => ({
        table: lenderTable,
        terms: (table.spoiled && spoilOffer(table.spoiled, offer, offered)) ?? offer,
        valid_until: table.valid_ms === null ? null : addMillis(at, table.valid_ms)
      })
    }
  )
}

/** Builds the answer of a lender to a quote request at a time. */
export const quotationFor = (
  example: QuotationExample,
  offered: Parameters<typeof priceTable>[1],
  at: Timestamp
): FinalQuotation => {
  if (example.kind === "REFUSED") {
    const retry_at = example.retry_ms === null ? null : addMillis(at, example.retry_ms)
    return { kind: "REFUSED", rejection: rejectionReason(example.code, "Operação não permitida.", retry_at) }
  }
  const answers = example.tables.map((table) => priceTable(table, offered, at))
  return {
    kind: "PRICED",
    offers: answers.filter(Result.isSuccess).map(({ success }) => success),
    unpriced: answers.filter(Result.isFailure).map(({ failure }) => failure)
  }
}
