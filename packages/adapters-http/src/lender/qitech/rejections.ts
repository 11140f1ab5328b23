import { type RejectionCode, type RejectionReason, rejectionReason } from "@lastro/domain/offer"

/**
 * The rejection for each code (`enumerator`) of a rejected balance request. Source: QI Tech, "Webhooks de Consulta de
 * Saldo".
 */
const balanceRejections: ReadonlyMap<string, { readonly code: RejectionCode; readonly message: string }> = new Map([
  ["ongoing_operation", { code: "OPERATION_IN_PROGRESS", message: "Existe uma operação fiduciária em andamento." }],
  ["unauthorized_institution", {
    code: "NO_AUTHORIZATION",
    message: "O trabalhador não autorizou, no aplicativo da CAIXA, a QI Tech a consultar o FGTS."
  }],
  ["inexistent_anniversary_membership", {
    code: "NOT_OPTED_IN",
    message: "O trabalhador não aderiu ao saque-aniversário."
  }],
  ["on_locked_date_range", { code: "BIRTHDAY_WINDOW", message: "Operação não permitida na data corrente." }],
  ["anniversary_membership_egress", {
    code: "OPT_OUT_IN_PROGRESS",
    message: "O trabalhador pediu o retorno ao saque-rescisão."
  }],
  ["processing_pending_changes", {
    code: "ACCOUNT_CHANGES_PENDING",
    message: "Mudanças na conta do FGTS ainda estão em processamento."
  }]
])

/** The code of a balance request that CAIXA could not process. It means an outage, not a rejection. */
export const caixaError = "caixa_error"

/**
 * Returns the rejection for the code (`enumerator`) of a rejected balance request. LENDER_POLICY for an unknown code.
 */
export const balanceRejection = (enumerator: string): RejectionReason => {
  const { code, message } = balanceRejections.get(enumerator) ??
    { code: "LENDER_POLICY", message: "A instituição recusou a consulta do saldo." }
  return rejectionReason(code, message)
}
