import { Result } from "effect"
import { rejectionByLastro } from "../offer/rejectionByLastro.ts"
import { type ProposalId, type QuoteId } from "../values/ids.ts"
import { type Timestamp } from "../values/Timestamp.ts"
import { type Application, latestQuote } from "./Application.ts"
import { type ApplicationEvent } from "./ApplicationEvent.ts"
import { JobNotCancellable } from "./ApplicationRefusals.ts"
import { isUnknownToLender } from "./decideCancel.ts"
import { cancelledByLastro } from "./decideExpire.ts"
import { isSettled } from "./Proposal.ts"

/** The operator's command to cancel the durable job of a quote or of a contract. */
export interface CancelJob {
  readonly _tag: "CancelJob"
  readonly at: Timestamp
  readonly job:
    | { readonly kind: "quote"; readonly id: QuoteId }
    | { readonly kind: "contract"; readonly id: ProposalId }
}

/**
 * The operator can cancel the job of a quote, and the job of a contract if the lender provably has no contract
 * (FGTS-30). A cancelled quote is FAILED with NO_ANSWER. A cancelled proposal is CANCELLED with CANCELLED_BY_PARTNER. A
 * job that the application no longer needs is cancelled without an event. In any other case the command is refused,
 * because no job would poll the contract at the lender any more. The operator then cancels the application instead.
 * @rule JOB-07
 */
export const decideCancelJob = (
  application: Application,
  { at, job }: CancelJob
): Result.Result<ReadonlyArray<ApplicationEvent>, JobNotCancellable> => {
  const { proposal } = application
  if (job.kind === "quote") {
    const { outcome, quote_id } = latestQuote(application)
    return quote_id !== job.id || outcome !== "PENDING"
      ? Result.succeed([])
      : Result.succeed([
        { _tag: "QuoteRefused", at, outcome: "FAILED", rejection: rejectionByLastro("NO_ANSWER"), unpriced: [] }
      ])
  }
  if (proposal?.proposal_id !== job.id) return Result.succeed([])
  if (isSettled(proposal) || proposal.status === "REFUND_PENDING") {
    return Result.fail(new JobNotCancellable({ reason: "ENDED" }))
  }
  return isUnknownToLender(proposal)
    ? Result.succeed(cancelledByLastro(at, "CANCELLED_BY_PARTNER"))
    : Result.fail(new JobNotCancellable({ reason: "LENDER_MAY_HAVE_CONTRACT" }))
}
