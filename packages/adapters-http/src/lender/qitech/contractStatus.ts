import { type LenderContractStatus } from "@lastro/domain/loan"
import { type RejectionReason, rejectionReason } from "@lastro/domain/offer"

/** The contract status for a debt's status, with a reason if the contract was rejected. */
export interface ContractStatus {
  readonly status: LenderContractStatus
  readonly rejection: RejectionReason | null
}

const plain = (status: LenderContractStatus): ContractStatus => ({ status, rejection: null })

/** The contract status for each status of a debt that is not cancelled. After the payment, a poll returns `opened`. */
const statuses: ReadonlyMap<string, ContractStatus> = new Map([
  ["waiting_signature", plain("AWAITING_SIGNATURE")],
  ["signature_received", plain("GUARANTEE_PENDING")],
  ["signature_finished", plain("GUARANTEE_PENDING")],
  ["signed", plain("GUARANTEE_PENDING")],
  ["collateral_constituted", plain("DISBURSING")],
  ["waiting_disbursement", plain("DISBURSING")],
  ["issued", plain("DISBURSING")],
  ["disbursing", plain("DISBURSING")],
  ["disbursed", plain("PAID")],
  ["opened", plain("PAID")],
  ["settled", plain("SETTLED")]
])

const refusedPayments: ReadonlySet<string> = new Set(["ted_refusal", "pix_refusal", "disbursing_error"])

/**
 * The reason of a cancellation because the payment came too late in the day. The payment can be sent again on another
 * day.
 */
const hourClosed = "disbursing_hour_closed"

/** The reason of a cancellation because the customer has paid the money back. */
export const amountRefunded = "disbursed_amount_refunded"

/** The rejection of a payment that failed because of the receiving account. */
export const paymentRefused = rejectionReason(
  "DISBURSEMENT_FAILED",
  "O pagamento foi recusado: verifique os dados da conta ou da chave PIX."
)

const cancelled = (reason: string): ContractStatus => {
  if (refusedPayments.has(reason)) {
    return { status: "DISBURSEMENT_FAILED", rejection: paymentRefused }
  }
  switch (reason) {
    case hourClosed:
      return plain("DISBURSING")
    case "waiting_signature":
      return {
        status: "CANCELLED",
        rejection: rejectionReason("SIGNATURE_EXPIRED", "O prazo para a assinatura do contrato expirou.")
      }
    case "manual":
      return {
        status: "CANCELLED",
        rejection: rejectionReason("CUSTOMER_CANCELLED", "O contrato foi cancelado.")
      }
    case amountRefunded:
      return {
        status: "REFUNDED",
        rejection: rejectionReason("CUSTOMER_CANCELLED", "O valor do contrato foi devolvido.")
      }
    case "not_collateral_constituted":
      return {
        status: "REJECTED",
        rejection: rejectionReason("LENDER_POLICY", "A garantia do FGTS não pôde ser constituída.")
      }
    default:
      return {
        status: "REJECTED",
        rejection: reason.includes("signature")
          ? rejectionReason("KYC_REJECTED", "A assinatura do contrato foi recusada.")
          : rejectionReason("LENDER_POLICY", "A instituição cancelou o contrato.")
      }
  }
}

/**
 * Converts the status of a debt to the status of its contract. For a cancelled debt, the reason decides: a rejected
 * payment can be sent again, and a refunded loan was paid before. Returns null for an unknown status, and for a
 * cancelled debt without a reason: the contract then keeps its status.
 */
export const contractStatus = (status: string, reason: string | null): ContractStatus | null => {
  if (status === "canceled") return reason === null ? null : cancelled(reason)
  if (status === "canceled_permanently") return cancelled(reason === amountRefunded ? amountRefunded : "manual")
  return statuses.get(status) ?? null
}
