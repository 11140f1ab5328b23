import { Effect, Option, type Schema } from "effect"
import { maskPersonalData } from "../audit/maskPersonalData.ts"
import { recordAudit } from "../audit/recordAudit.ts"
import { NotFound } from "../hierarchy/Scope.ts"
import { type Job, jobOfContract, queueOf } from "../jobs/Job.ts"
import { type JobKey, type StoredJob, StoredJobs } from "../jobs/StoredJobs.ts"
import { type Application } from "../loan/Application.ts"
import { type ApplicationStatus, applicationStatus } from "../loan/ApplicationStatus.ts"
import { type NextAction, nextAction } from "../loan/nextAction.ts"
import { partsOf } from "../loan/quoteParts.ts"
import { type Quote } from "../offer/Quote.ts"
import { applicationHistory, type HistoryEntry } from "../origination/applicationHistory.ts"
import { ApplicationRepository } from "../origination/ApplicationRepository.ts"
import { storeProposal } from "../origination/storedProposal.ts"
import { UnitOfWork } from "../ports/UnitOfWork.ts"
import { type ApplicationId, type PartnerId } from "../values/ids.ts"
import { currentTimestamp } from "../values/Timestamp.ts"
import { parseId } from "../values/Uuid.ts"

/** An application for the operator. Personal data is masked as in the audit, unless `personal_data` is true. */
export interface ApplicationDetail {
  readonly application_id: ApplicationId
  readonly partner_id: PartnerId
  readonly external_id: string
  readonly status: ApplicationStatus
  readonly next_action: NextAction
  readonly version: number
  readonly history: ReadonlyArray<HistoryEntry>
  /** The stored jobs of the quotes and of the proposal. */
  readonly jobs: ReadonlyArray<StoredJob>
  readonly proposal: Schema.Json
  readonly customer: Schema.Json
  /** The submitted KYC. */
  readonly kyc: Schema.Json
  readonly metadata: Schema.Json
}

/** Options of {@link showApplication}. */
export interface ShowOptions {
  /** True to return personal data in full, which stores an audit entry. Default: false. */
  readonly personal_data?: boolean | undefined
}

const possibleJobsOf = (quote: Quote): ReadonlyArray<Job> => {
  const { quote_id: id, routing } = quote
  if (routing === undefined) return [{ kind: "quote", id }]
  const parts = partsOf(quote).map(({ lender }): Job => ({ kind: "quote", id, lender: lender.code }))
  return [...parts, { kind: "patience", id }]
}

/** Returns the keys of the jobs that can be stored for an application. */
const keysOf = ({ proposal, quotes }: Application): ReadonlyArray<JobKey> =>
  [...quotes.flatMap(possibleJobsOf), ...(proposal === null ? [] : [jobOfContract(proposal)])]
    .map((job) => ({ kind: queueOf(job), id: job.id }))

/** Returns the proposal without its status history, which the application's history contains. */
const proposalJson = ({ proposal }: Application): Schema.JsonObject | null => {
  if (proposal === null) return null
  const { number, status_history: _history, ...facts } = storeProposal(proposal)
  return JSON.parse(JSON.stringify({ ...facts, proposal_number: number }))
}

const json = (value: object | null): Schema.Json => JSON.parse(JSON.stringify(value))

/** Returns the parts of an application that contain personal data. */
const personalOf = (application: Application) => ({
  proposal: proposalJson(application),
  customer: json(application.customer),
  kyc: json(application.kyc),
  metadata: application.metadata
})

/**
 * Masks personal data as in the audit. Also hides payment codes and links, which give access to the customer's contract
 * at the lender.
 */
const maskPersonal = ({ customer, kyc, metadata, proposal }: ReturnType<typeof personalOf>) => ({
  proposal: proposal === null ? null : maskPersonalData({
    ...proposal,
    ...(proposal["refund"] ? { refund: "***" } : {}),
    ...(proposal["required_action"] ? { required_action: "***" } : {})
  }),
  customer: maskPersonalData(customer),
  kyc: maskPersonalData(kyc),
  metadata: Object.fromEntries(Object.keys(metadata).map((name) => [name, "***"]))
})

/**
 * Returns an application with its history and its jobs. Personal data is masked as in the audit. With `personal_data`,
 * it is returned in full, and an audit entry is stored in the same transaction. For the operator only.
 */
export const showApplication = Effect.fn("showApplication")(function*(
  application_id: string,
  { personal_data = false }: ShowOptions = {}
) {
  const id = parseId<ApplicationId>(application_id)
  const show = Effect.gen(function*() {
    const found = Option.isNone(id) ? Option.none() : yield* (yield* ApplicationRepository).ofId(id.value)
    if (Option.isNone(found)) return yield* new NotFound()
    const application = found.value
    const at = yield* currentTimestamp
    const jobs = yield* Effect.forEach(keysOf(application), (yield* StoredJobs).find)
    const personal = personalOf(application)
    if (personal_data) {
      yield* recordAudit({
        at,
        caller: null,
        action: "application.read_personal_data",
        subject_id: application.application_id,
        partner_id: application.partner_id
      })
    }
    const detail: ApplicationDetail = {
      application_id: application.application_id,
      partner_id: application.partner_id,
      external_id: application.external_id,
      status: applicationStatus(application, at),
      next_action: nextAction(application, at),
      version: application.version,
      history: applicationHistory(application),
      jobs: jobs.flatMap((job) => Option.toArray(job)),
      ...(personal_data ? personal : maskPersonal(personal))
    }
    return detail
  })
  return yield* (yield* UnitOfWork).atomically(show)
})
