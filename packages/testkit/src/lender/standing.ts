import { type LenderContract, type RejectionReason, rejectionReason } from "@lastro/domain"

const reasons: { readonly [Status in LenderContract["status"]]?: RejectionReason } = {
  DISBURSEMENT_FAILED: rejectionReason("DISBURSEMENT_FAILED", "Conta inexistente."),
  CANCELLED: rejectionReason("SIGNATURE_EXPIRED", "Prazo de assinatura vencido."),
  REJECTED: rejectionReason("KYC_REJECTED", "Cadastro recusado.")
}

/** What a lender says of a contract by how it stands: where to sign while that is waited for, and why it is no success. */
export const standing = (
  status: LenderContract["status"]
): Pick<LenderContract, "rejection" | "signature_url" | "status"> => ({
  status,
  signature_url: status === "AWAITING_SIGNATURE" ? "https://lender.example/sign" : null,
  rejection: reasons[status] ?? null
})
