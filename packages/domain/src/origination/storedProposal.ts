import {
  type ContractPayment,
  type ContractRefund,
  type FrozenCommission,
  type RequiredAction,
  type SubmissionOrigin
} from "../loan/ContractFacts.ts"
import {
  type Cancellable,
  type Cancellation,
  type ContractAtLender,
  contractOf,
  paymentOf,
  type Proposal,
  type ProposalFacts,
  type ProposalState,
  type ProposalStatus,
  rejectionOf,
  type Withdrawal
} from "../loan/Proposal.ts"
import { signatureLink } from "../loan/signatureLink.ts"
import { type PricedOffer } from "../offer/PricedOffer.ts"
import { type LenderName } from "../offer/QuotePart.ts"
import { rejectionByLastro } from "../offer/rejectionByLastro.ts"
import { type RejectionReason } from "../offer/RejectionReason.ts"
import { type Timestamp } from "../values/Timestamp.ts"

/**
 * The stored form of a proposal: one record with the fields of all statuses. During a rolling upgrade, nodes of several
 * versions read and write it, so fields are only ever added. A field that an earlier version did not have is optional.
 */
export interface StoredProposal
  extends Omit<ProposalFacts, "commission" | "invisible_events" | "lender" | "origin" | "submitted_at">
{
  readonly status: ProposalStatus
  readonly origin?: SubmissionOrigin | null
  readonly lender?: LenderName | null
  /** Stored in a place of its own, because an earlier version that saves a proposal would remove it. */
  readonly commission?: FrozenCommission | null
  /**
   * The `submitted_at` of a proposal. If absent, the proposal was stored before this field existed, and the lender may
   * have a contract.
   */
  readonly asked_at?: Timestamp | null
  /** `invisible_events` of a proposal. */
  readonly submissions?: number
  readonly reference: string | null
  readonly signature_url: string | null
  readonly rejection: RejectionReason | null
  readonly correction?: { readonly fields: ReadonlyArray<string> } | null
  readonly conflicting_reference?: string | null
  readonly cancellation?: Cancellation & { readonly from: ProposalStatus } | null
  readonly withdrawal?: Withdrawal | null
  readonly link_requested_at?: Timestamp | null
  readonly paid?: ContractPayment | null
  readonly terms?: PricedOffer | null
  readonly required_action?: RequiredAction | null
  readonly refund?: ContractRefund | null
  /**
   * Present if the contract is settled. Earlier versions do not know the status SETTLED, so they read PAID from
   * `status` and from the end of `status_history`. `recorded_at` is the time of the status SETTLED. It is null if the
   * history is abridged.
   */
  readonly settlement?: { readonly settled_at: Timestamp; readonly recorded_at: Timestamp | null } | null
}

/** A stored proposal lacks a field that its status requires. */
export class ProposalUnreadable extends Error {
  override readonly name = "ProposalUnreadable"
  constructor({ proposal_id, status }: Pick<StoredProposal, "proposal_id" | "status">) {
    super(`The stored proposal ${proposal_id} is ${status} but has no reference of a contract.`)
  }
}

/**
 * Reads a stored proposal of this or any earlier version. Throws ProposalUnreadable if its status requires a contract
 * but it has none.
 */
export const readProposal = (stored: StoredProposal): Proposal => ({
  proposal_id: stored.proposal_id,
  number: stored.number,
  offer_id: stored.offer_id,
  created_by: stored.created_by,
  created_at: stored.created_at,
  updated_at: stored.updated_at,
  acceptance: stored.acceptance,
  origin: stored.origin ?? null,
  commission: stored.commission ?? null,
  lender: stored.lender ?? null,
  customer: stored.customer,
  status_history: historyOf(stored),
  submitted_at: stored.asked_at === undefined ? stored.created_at : stored.asked_at,
  invisible_events: stored.submissions ?? 0,
  disbursement: stored.disbursement,
  disbursement_attempt: stored.disbursement_attempt,
  ...stateOf(stored)
})

const historyOf = ({ settlement, status_history }: StoredProposal): Proposal["status_history"] => {
  const at = settlement?.recorded_at ?? null
  return at === null ? status_history : [...status_history, { status: "SETTLED", at, reason: null }]
}

const stateOf = (stored: StoredProposal): ProposalState => {
  const { paid = null, refund = null, withdrawal = null } = stored
  const { status } = stored
  switch (status) {
    case "CORRECTION_NEEDED":
      return { status, refused_fields: stored.correction?.fields ?? [] }
    case "PAID": {
      const { settlement = null } = stored
      return settlement === null
        ? { status, contract: requireContract(stored), paid }
        : { status: "SETTLED", contract: requireContract(stored), paid, settled_at: settlement.settled_at }
    }
    case "CANCELLING": {
      const { from = "SUBMITTING", reason = "OTHER", requested_at = stored.updated_at } = stored.cancellation ?? {}
      const before = cancellableOf(stored, from)
      return { status, contract: readContract(stored), cancellation: { reason, requested_at }, before }
    }
    case "CANCELLED": {
      const { reason, requested_at } = stored.cancellation ?? {}
      const cancellation = reason === undefined || requested_at === undefined ? null : { reason, requested_at }
      const rejection = stored.rejection ?? rejectionByLastro("CONTRACT_CANCELLED")
      return { status, contract: readContract(stored), cancellation, rejection }
    }
    case "REJECTED":
      return {
        status,
        contract: requireContract(stored),
        rejection: stored.rejection ?? rejectionByLastro("CONTRACT_REFUSED")
      }
    case "REFUND_PENDING":
      return { status, contract: requireContract(stored), paid, withdrawal, refund }
    case "REFUNDED": {
      const rejection = stored.rejection ?? rejectionByLastro("CONTRACT_REFUNDED")
      return { status, contract: requireContract(stored), paid, withdrawal, rejection }
    }
    default:
      return cancellableOf(stored, status)
  }
}

/** Reads the cancellable state with this status. For a CANCELLING proposal, it is the state before the cancellation. */
const cancellableOf = (stored: StoredProposal, status: ProposalStatus): Cancellable => {
  switch (status) {
    case "AWAITING_SIGNATURE": {
      const { link_requested_at = null, signature_url } = stored
      // Versions before FGTS-70 stored every link, so the link is checked again.
      return {
        status,
        contract: requireContract(stored),
        signature_url: signatureLink(signature_url),
        link_requested_at
      }
    }
    case "GUARANTEE_PENDING":
    case "DISBURSING":
      return { status, contract: requireContract(stored) }
    case "DISBURSEMENT_FAILED":
      return {
        status,
        contract: requireContract(stored),
        rejection: stored.rejection ?? rejectionByLastro("PAYMENT_FAILED")
      }
    default:
      return {
        status: "SUBMITTING",
        contract: readContract(stored),
        conflicting_reference: stored.conflicting_reference ?? null
      }
  }
}

const readContract = (
  { reference, required_action = null, terms = null }: StoredProposal
): ContractAtLender | null => reference === null ? null : { reference, terms, required_action }

const requireContract = (stored: StoredProposal): ContractAtLender => {
  const contract = readContract(stored)
  if (contract === null) throw new ProposalUnreadable(stored)
  return contract
}

/** Returns the stored form of a proposal. This and earlier versions can read it. */
export const storeProposal = (proposal: Proposal): StoredProposal => {
  const contract = contractOf(proposal)
  return {
    proposal_id: proposal.proposal_id,
    number: proposal.number,
    offer_id: proposal.offer_id,
    created_by: proposal.created_by,
    created_at: proposal.created_at,
    updated_at: proposal.updated_at,
    acceptance: proposal.acceptance,
    ...withoutNulls({ origin: proposal.origin, lender: proposal.lender }),
    customer: proposal.customer,
    status: proposal.status === "SETTLED" ? "PAID" : proposal.status,
    status_history: proposal.status_history.filter(({ status }) => status !== "SETTLED"),
    reference: contract?.reference ?? null,
    signature_url: signatureUrlOf(proposal),
    rejection: rejectionOf(proposal),
    disbursement: proposal.disbursement,
    disbursement_attempt: proposal.disbursement_attempt,
    asked_at: proposal.submitted_at,
    submissions: proposal.invisible_events,
    ...withoutNulls({
      terms: contract?.terms ?? null,
      required_action: contract?.required_action ?? null,
      paid: paymentOf(proposal)
    }),
    ...ofStatus(proposal)
  }
}

const signatureUrlOf = (state: ProposalState): string | null => {
  if (state.status === "AWAITING_SIGNATURE") return state.signature_url
  return state.status === "CANCELLING" ? signatureUrlOf(state.before) : null
}

/** Returns the stored fields that exist only in some statuses. */
const ofStatus = (proposal: Proposal): Partial<StoredProposal> => {
  switch (proposal.status) {
    case "SUBMITTING":
      return withoutNulls({ conflicting_reference: proposal.conflicting_reference })
    case "CORRECTION_NEEDED":
      return { correction: { fields: proposal.refused_fields } }
    case "AWAITING_SIGNATURE":
      return withoutNulls({ link_requested_at: proposal.link_requested_at })
    case "CANCELLING":
      return { cancellation: { ...proposal.cancellation, from: proposal.before.status } }
    case "CANCELLED":
      // `from` is read only for CANCELLING proposals, so any status will do.
      return proposal.cancellation === null ? {} : { cancellation: { ...proposal.cancellation, from: "SUBMITTING" } }
    case "REFUND_PENDING":
      return withoutNulls({ withdrawal: proposal.withdrawal, refund: proposal.refund })
    case "REFUNDED":
      return withoutNulls({ withdrawal: proposal.withdrawal })
    case "SETTLED": {
      const recorded_at = proposal.status_history.at(-1)?.at ?? null
      return { settlement: { settled_at: proposal.settled_at, recorded_at } }
    }
    default:
      return {}
  }
}

/** Returns the fields that are not null. */
const withoutNulls = <Fields extends object>(
  fields: Fields
): { readonly [Key in keyof Fields]?: NonNullable<Fields[Key]> } =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null)) as never
