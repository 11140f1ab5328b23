import { randomUUID } from "node:crypto"
import { type Financial, type LoanData, simulateLoan } from "./simulatorPricing.ts"

/** A debt of the simulator. */
export interface SimulatedDebt {
  readonly key: string
  readonly requester_identifier_key: string | null
  readonly contract_number: string
  readonly borrower: Readonly<Record<string, unknown>>
  readonly data: LoanData
  /** The time at which the debt was issued, in milliseconds. */
  readonly issued_at: number
  status: string
  cancel_reason: string | null
  accounts: ReadonlyArray<unknown>
  disbursement_date: string
  /** The number of requests for the payment. */
  presented: number
  /** The number of payments to the customer. More than one is a fault of the client. */
  paid: number
  refund:
    | { status: string; readonly amount: string; readonly expiration_date: string; readonly reversal_key: string }
    | null
  /** The time of the newest request for a refund, in milliseconds. */
  refund_requested_at: number
  /** The number of requests for a refund. */
  reversed: number
}

/** The body of the answer to a request for a debt, and of a webhook about the debt. */
export const issuedBody = (debt: SimulatedDebt) => ({
  key: debt.key,
  status: debt.status,
  data: {
    ...debt.data,
    requester_identifier_key: debt.requester_identifier_key,
    borrower: { name: debt.borrower["name"], document_number: debt.borrower["individual_document_number"] },
    contract: {
      number: debt.contract_number,
      urls: [],
      signature_information: [{ signature_url: `https://sign.example/${debt.key}` }]
    }
  }
})

/** A debt as `GET /v2/credit_operation` shows it. It contains no reason for a cancellation. */
export const operationBody = (debt: SimulatedDebt) => ({
  credit_operation_key: debt.key,
  issue_amount: debt.data.issue_amount,
  total_iof: debt.data.total_iof,
  requester_identifier_key: debt.requester_identifier_key,
  contract_number: debt.contract_number,
  credit_operation_status_enumerator: debt.status,
  operation_type_enumerator: "structured_operation",
  disbursement_date: debt.disbursement_date,
  issuer_name: debt.borrower["name"],
  issuer_document_number: debt.borrower["individual_document_number"],
  installments: debt.data.installments,
  external_contract_fees: []
})

/** The fields of a request for a debt that the simulator reads. */
export interface IssueBody {
  readonly borrower?: Readonly<Record<string, unknown>>
  readonly collaterals?: ReadonlyArray<Readonly<Record<string, unknown>>>
  readonly financial?: Financial
  readonly disbursement_bank_accounts?: ReadonlyArray<unknown>
  readonly requester_identifier_key?: string
}

/** The fields of a borrower that the page "Criação da operação" marks as required, except those that can be null. */
const requiredOfBorrower = [
  "person_type",
  "name",
  "mother_name",
  "birth_date",
  "profession",
  "nationality",
  "marital_status",
  "is_pep",
  "individual_document_number",
  "document_identification"
]

/** Returns the names of the missing fields in a request for a debt. */
export const missingOfIssue = (
  { borrower, collaterals, disbursement_bank_accounts, financial }: IssueBody
): ReadonlyArray<string> => [
  ...requiredOfBorrower.filter((name) => borrower?.[name] === undefined || borrower[name] === null),
  ...["wedding_certificate", "spouse"].filter((name) => borrower?.[name] === undefined),
  ...(collaterals === undefined || collaterals.length === 0 ? ["collaterals"] : []),
  ...(disbursement_bank_accounts === undefined || disbursement_bank_accounts.length === 0
    ? ["disbursement_bank_accounts"]
    : []),
  ...(financial === undefined ? ["financial"] : [])
]

/** A request for a debt without missing fields. */
export type CompleteIssueBody = Required<Omit<IssueBody, "requester_identifier_key">> & IssueBody

/** Creates a debt. */
export const createDebt = (
  body: CompleteIssueBody,
  number: number,
  issued_at: number
): SimulatedDebt => ({
  key: randomUUID(),
  requester_identifier_key: body.requester_identifier_key ?? null,
  contract_number: `${String(number).padStart(10, "0")}/LST`,
  borrower: body.borrower,
  data: simulateLoan(body.financial),
  status: "waiting_signature",
  cancel_reason: null,
  accounts: body.disbursement_bank_accounts,
  disbursement_date: body.financial.disbursement_date,
  presented: 1,
  paid: 0,
  issued_at,
  refund: null,
  refund_requested_at: 0,
  reversed: 0
})
