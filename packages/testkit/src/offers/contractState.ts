import { type LenderContract } from "@lastro/domain/loan"
import { type RejectionReason, rejectionReason } from "@lastro/domain/offer"

const reasons: { readonly [Status in LenderContract["status"]]?: RejectionReason } = {
  DISBURSEMENT_FAILED: rejectionReason("DISBURSEMENT_FAILED", "Conta inexistente."),
  CANCELLED: rejectionReason("SIGNATURE_EXPIRED", "Prazo de assinatura vencido."),
  REJECTED: rejectionReason("KYC_REJECTED", "Cadastro recusado."),
  REFUNDED: rejectionReason("CUSTOMER_CANCELLED", "Valor devolvido pelo cliente.")
}

/**
 * Returns a contract status with the fields that belong to it: `signature_url` while the contract is unsigned,
 * `rejection` after a failure.
 */
export const contractState = (
  status: LenderContract["status"]
): Pick<LenderContract, "rejection" | "signature_url" | "status"> => ({
  status,
  signature_url: status === "AWAITING_SIGNATURE" ? "https://lender.example/sign" : null,
  rejection: reasons[status] ?? null
})
