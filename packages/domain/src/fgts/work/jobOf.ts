import { type Application, latestQuote } from "../application/Application.ts"
import { isUnfinished } from "../application/ApplicationStatus.ts"
import { type Job } from "./Job.ts"

/**
 * An unfinished application has one job: the job of its contract, or the job of its latest quote if no offer is accepted. A finished
 * application has none.
 * @rule JOB-02
 */
export const jobOf = (application: Application): Job | null =>
  !isUnfinished(application)
    ? null
    : application.proposal === null
    ? { kind: "quote", id: latestQuote(application).quote_id }
    : { kind: "contract", id: application.proposal.proposal_id }
