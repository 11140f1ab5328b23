import { Option } from "effect"
import { type ProposalId } from "../../id/ids.ts"
import { type Timestamp } from "../../time/Timestamp.ts"
import { isFinal, type Proposal, proposalPath, type ProposalStatus } from "../contract/Proposal.ts"
import { type LenderContract } from "../lender/LenderContract.ts"
import { rejectionByLastro } from "../quote/rejectionByLastro.ts"
import { type RejectionReason } from "../quote/RejectionReason.ts"
import { type Application } from "./Application.ts"
import { type ApplicationEvent } from "./ApplicationEvent.ts"

/** The command to record the status of the contract at the lender. */
export interface RecordContract {
  readonly _tag: "RecordContract"
  readonly at: Timestamp
  readonly contract: LenderContract
}

/**
 * A cancelled contract, a rejected contract and a failed payment have a rejection. If the lender gives none, the status determines its
 * code: CUSTOMER_CANCELLED, LENDER_POLICY or DISBURSEMENT_FAILED.
 * @rule FGTS-23
 */
export const rejectionOf = (
  status: ProposalStatus,
  { rejection }: Pick<LenderContract, "rejection">
): RejectionReason | null => {
  switch (status) {
    case "CANCELLED":
      return rejection ?? rejectionByLastro("CONTRACT_CANCELLED")
    case "REJECTED":
      return rejection ?? rejectionByLastro("CONTRACT_REFUSED")
    case "DISBURSEMENT_FAILED":
      return rejection ?? rejectionByLastro("PAYMENT_FAILED")
    default:
      return null
  }
}

/**
 * All statuses on the path to the status that the lender returns are recorded too. A status that the
 * proposal has already had is ignored. A DISBURSING or DISBURSEMENT_FAILED status of an earlier payment attempt is ignored too.
 * @rule FGTS-19
 */
export const decideRecordContract = (
  { proposal }: Application,
  { at, contract }: RecordContract
): ReadonlyArray<ApplicationEvent> => {
  if (proposal === null || isStale(proposal.disbursement_attempt, contract)) return []
  const { reference, signature_url } = contract
  if (isContractUpdate(proposal, contract)) return [{ _tag: "ContractUpdated", at, reference, signature_url }]
  return proposalPath(proposal.status, contract.status).map((status) => ({
    _tag: "ProposalMoved",
    at,
    status,
    reference,
    signature_url,
    rejection: rejectionOf(status, contract)
  }))
}

/**
 * A contract is not recorded if its reference is new to the proposal and another proposal has it. This is a fault of the lender: the two
 * proposals would be one loan, or one of them none. `holder` is the proposal that has the reference.
 * @rule FGTS-27
 */
export const isReferenceTaken = (
  { proposal_id, reference }: Pick<Proposal, "proposal_id" | "reference">,
  contract: Pick<LenderContract, "reference">,
  holder: Option.Option<ProposalId>
): boolean => contract.reference !== reference && Option.exists(holder, (other) => other !== proposal_id)

/**
 * A new reference or signature link is recorded even if the status is unchanged, unless the proposal is final.
 * @rule FGTS-26
 */
export const isContractUpdate = (proposal: Proposal, { reference, signature_url, status }: LenderContract): boolean =>
  proposal.status === status && !isFinal(proposal) &&
  (proposal.reference !== reference || (signature_url !== null && proposal.signature_url !== signature_url))

/**
 * Returns whether a status is outdated, because it belongs to an earlier payment attempt. Only DISBURSING and DISBURSEMENT_FAILED can be
 * outdated.
 */
const isStale = (attempt: number, { disbursement_attempt, status }: LenderContract): boolean =>
  disbursement_attempt < attempt && (status === "DISBURSEMENT_FAILED" || status === "DISBURSING")
