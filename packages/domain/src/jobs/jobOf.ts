import { type Application, latestQuote } from "../loan/Application.ts"
import { isUnfinished } from "../loan/ApplicationStatus.ts"
import { type Job } from "./Job.ts"

/**
 * An unfinished application has one job: the job of its contract, or the job of its latest quote if no offer is accepted. If the
 * KYC of a contract must be corrected, its job waits until the proposal expires, and then ends the proposal (FGTS-54). A finished
 * application needs no job. The job of a paid contract still polls the contract for ten days (PROP-13), and then ends.
 * @rule JOB-02
 */
export const jobOf = (application: Application): Job | null => {
  const { proposal } = application
  if (!isUnfinished(application)) return null
  return proposal === null
    ? { kind: "quote", id: latestQuote(application).quote_id }
    : { kind: "contract", id: proposal.proposal_id }
}
