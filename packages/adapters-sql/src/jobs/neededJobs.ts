/**
 * Selects the kind and the id of each job that an unfinished application needs (rule JOB-02, `jobOf`): the job of its
 * contract, or the job of its pending quote if no offer is accepted.
 */
export const neededJobs = `
  select 'quote' as kind, quote.id
  from application join quote on quote.application_id = application.id and quote.outcome = 'PENDING'
  where application.unfinished and not exists (select from proposal where proposal.application_id = application.id)
  union all
  select 'contract', proposal.id
  from application join proposal on proposal.application_id = application.id
  where application.unfinished`

/** An SQL condition that is true if a row of {@link neededJobs} has no job. The alias of the row must be `needed`. */
export const isMissing = "not exists (select from job where job.kind = needed.kind and job.id = needed.id)"
