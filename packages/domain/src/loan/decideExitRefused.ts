import { Equal } from "effect"
import { type Timestamp } from "../values/Timestamp.ts"
import { type Application } from "./Application.ts"
import { type RecordExitRefused } from "./LoanCommand.ts"
import { type LoanEvent } from "./LoanEvent.ts"
import { type OpenRequest, openRequestOf } from "./Proposal.ts"
import { type RequestProblem } from "./ProposalEvent.ts"

/**
 * If the lender refuses a requested cancellation, refund or signature link, or does not support it, the proposal
 * returns to its status before the request. The history records the reason. The refusal of an earlier request changes
 * nothing: since then, the customer can have cancelled, or a later request can have been made.
 * @rule FGTS-36
 */
export const decideRecordExitRefused = (
  { at, cause, request }: RecordExitRefused,
  { proposal }: Application
): ReadonlyArray<LoanEvent> =>
  proposal !== null && Equal.equals(openRequestOf(proposal), request) ? refusedBy(request.kind, cause, at) : []

/** Returns the event of a request that the lender refuses or does not support. */
export const refusedBy = (
  kind: OpenRequest["kind"],
  cause: RequestProblem,
  at: Timestamp
): ReadonlyArray<LoanEvent> => [
  { _tag: refusals[kind], at, cause }
]

const refusals = {
  cancel: "CancellationRefused",
  refund: "WithdrawalRefused",
  signature_link: "SignatureLinkRefused"
} as const
