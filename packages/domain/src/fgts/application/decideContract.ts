import { type Timestamp } from "../../time/Timestamp.ts"
import { isFinal, type Proposal, type ProposalStatus } from "../contract/Proposal.ts"
import { proposalPath } from "../contract/proposalPath.ts"
import { type LenderContract } from "../lender/Lender.ts"
import { type RejectionReason, rejectionReason } from "../quote/RejectionReason.ts"
import { type Application } from "./Application.ts"
import { type ApplicationEvent } from "./ApplicationEvent.ts"

/** Brings how the contract stands with the lender. */
export interface RecordContract {
  readonly _tag: "RecordContract"
  readonly at: Timestamp
  readonly contract: LenderContract
}

/**
 * What ends a contract, or keeps it from being paid, has a reason: the lender's, or where it gives none, that the customer
 * cancelled, that the lender refused, or that paying failed.
 * @rule FGTS-23
 */
export const reasonOf = (
  status: ProposalStatus,
  { rejection }: Pick<LenderContract, "rejection">
): RejectionReason | null => {
  switch (status) {
    case "CANCELLED":
      return rejection ?? rejectionReason("CUSTOMER_CANCELLED", "The contract was cancelled.")
    case "REJECTED":
      return rejection ?? rejectionReason("LENDER_POLICY", "The lender refused the contract.")
    case "DISBURSEMENT_FAILED":
      return rejection ?? rejectionReason("DISBURSEMENT_FAILED", "The payment failed.")
    default:
      return null
  }
}

/**
 * How the contract stands with the lender moves the proposal there, step by step; what the proposal is past already, and what
 * tells of an earlier payment than the last one asked for, is dropped.
 * @rule FGTS-19
 */
export const decideRecordContract = (
  { proposal }: Application,
  { at, contract }: RecordContract
): ReadonlyArray<ApplicationEvent> => {
  if (proposal === null || isStale(proposal.disbursement_attempt, contract)) return []
  const { reference, signature_url } = contract
  if (isRetold(proposal, contract)) return [{ _tag: "ContractRetold", at, reference, signature_url }]
  return proposalPath(proposal.status, contract.status).map((status) => ({
    _tag: "ProposalMoved",
    at,
    status,
    reference,
    signature_url,
    rejection: reasonOf(status, contract)
  }))
}

/**
 * While a contract stands where it stood, what the lender calls it by now and where it is signed by now are news all the same;
 * of what is final there are none.
 * @rule FGTS-26
 */
export const isRetold = (proposal: Proposal, { reference, signature_url, status }: LenderContract): boolean =>
  proposal.status === status && !isFinal(proposal) &&
  (proposal.reference !== reference || (signature_url !== null && proposal.signature_url !== signature_url))

/** Only of a payment does it matter which: what ends a contract, or pays it, ends it whatever was asked for meanwhile. */
const isStale = (attempt: number, { disbursement_attempt, status }: LenderContract): boolean =>
  disbursement_attempt < attempt && (status === "DISBURSEMENT_FAILED" || status === "DISBURSING")
