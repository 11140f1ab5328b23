import { type Application, latestQuote } from "../application/Application.ts"
import { isUnfinished } from "../application/ApplicationStatus.ts"
import { type Job } from "./Job.ts"

/**
 * An unfinished application has one job: the job of its contract, or the job of its latest quote if no offer is accepted. An application
 * whose KYC must be corrected needs none until then. A finished application needs none either; the job of a contract that was paid
 * observes it, and then ends.
 * @rule JOB-02
 */
export const jobOf = (application: Application): Job | null => {
  const { proposal } = application
  if (!isUnfinished(application) || proposal?.status === "CORRECTION_NEEDED") return null
  return proposal === null
    ? { kind: "quote", id: latestQuote(application).quote_id }
    : { kind: "contract", id: proposal.proposal_id }
}
