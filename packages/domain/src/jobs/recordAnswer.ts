import { Effect, Equal, Option } from "effect"
import { type Actor } from "../event/recordChange.ts"
import { asOperator, type InScope, judgeFound } from "../hierarchy/Scope.ts"
import { Lender } from "../lender/Lender.ts"
import { type ExitRefused, type LenderUnsupported, type SubmissionInvalid } from "../lender/LenderFailures.ts"
import { type Application, recordingTime } from "../loan/Application.ts"
import { changedAmounts } from "../loan/changedAmounts.ts"
import { decide } from "../loan/decide.ts"
import { type LenderContract } from "../loan/LenderContract.ts"
import {
  type ExpireProposal,
  type PassPatience,
  type RecordContract,
  type RecordExitRefused,
  type RecordInvalid,
  type RecordNoContract,
  type RecordNotReceived,
  type RecordQuote,
  type StartSubmission
} from "../loan/LoanCommand.ts"
import { type OpenRequest, openRequestOf, type Proposal, referenceOf } from "../loan/Proposal.ts"
import { deniesPayment } from "../loan/proposalSteps.ts"
import { isReferenceTaken } from "../loan/referenceConflict.ts"
import { signatureLink } from "../loan/signatureLink.ts"
import { ApplicationRepository } from "../origination/ApplicationRepository.ts"
import { saveDecision } from "../origination/saveDecision.ts"
import { startNextJobs } from "../origination/startJobs.ts"
import { StatusWatch } from "../ports/StatusWatch.ts"
import { UnitOfWork } from "../ports/UnitOfWork.ts"
import { type ProposalId } from "../values/ids.ts"
import { currentTimestamp, type Timestamp } from "../values/Timestamp.ts"
import { logUnlawfulOffers } from "./logUnavailable.ts"
import { countOutcomes } from "./outcomeMetrics.ts"

/** A command with which a durable job records the lender's answer, or its own action. */
type JobCommand =
  | ExpireProposal
  | PassPatience
  | RecordContract
  | RecordExitRefused
  | RecordInvalid
  | RecordNoContract
  | RecordNotReceived
  | RecordQuote
  | StartSubmission

/** Returns the actor of a command: Lastro if a time has passed, otherwise the lender. */
const actorOf = ({ _tag }: JobCommand): Actor =>
  _tag === "ExpireProposal" || _tag === "PassPatience"
    ? { subject: "lastro", kind: "system" }
    : { subject: "lender", kind: "lender" }

/**
 * Executes a command on the current state of an application, in one transaction, and then ends the long polls on it.
 * Returns the application before and afterwards, the command and its events. For durable jobs only.
 */
export const carryOut = Effect.fnUntraced(function*<C extends JobCommand, R>(
  { application_id, partner_id }: Application,
  action: string,
  commandFor: (present: InScope<Application>, at: Timestamp) => Effect.Effect<C, never, R>
) {
  const applications = yield* ApplicationRepository
  const transaction = Effect.gen(function*() {
    const found = yield* applications.findForUpdate(asOperator.scope(partner_id), application_id)
    const before = yield* Effect.orDie(Effect.fromResult(judgeFound(found)))
    const at = recordingTime(before.record, yield* currentTimestamp)
    const command = yield* commandFor(before, at)
    const decided = decide<JobCommand>(command, before.record)
    const events = yield* Effect.fromResult(decided)
    const after = yield* saveDecision(before, decided, { at, caller: actorOf(command), action })
    yield* startNextJobs(after, events)
    return { before: before.record, command, events, after }
  })
  const recorded = yield* (yield* UnitOfWork).atomically(transaction)
  const { before, command, events } = recorded
  yield* countOutcomes(before, events, command._tag === "RecordQuote" ? command.lender : undefined)
  yield* logUnlawfulOffers(before, events)
  yield* (yield* StatusWatch).changed(application_id)
  return recorded
})

/**
 * Records the lender's answer, or an action of the job. The command is built from facts that are read in the same
 * transaction. Returns the changed application. For durable jobs only.
 */
export const recordWithFacts = <R>(
  application: Application,
  action: string,
  commandFor: (present: InScope<Application>, at: Timestamp) => Effect.Effect<JobCommand, never, R>
) => Effect.map(carryOut(application, action, commandFor), ({ after }) => after)

/** Records the lender's answer, or an action of the job. Returns the changed application. For durable jobs only. */
export const record = (
  application: Application,
  action: string,
  commandFor: (present: Application, at: Timestamp) => JobCommand
) => recordWithFacts(application, action, (present, at) => Effect.succeed(commandFor(present.record, at)))

const contractAction = "application.contract"

/**
 * Records the contract that the lender returned. Returns the application afterwards. Starts no transaction if nothing
 * is new. If the reference belongs to another proposal, the contract is logged as an error and not recorded.
 */
export const recordContract = Effect.fnUntraced(function*(
  application: Application,
  contract: LenderContract,
  answers?: RecordContract["answers"]
) {
  const commandOn = (present: Application, at: Timestamp, reference_holder: ProposalId | null): RecordContract => ({
    _tag: "RecordContract",
    at,
    contract,
    reference_holder,
    called_for: application.proposal,
    ...(answers === undefined || !isSameRequest(application, present) ? {} : { answers })
  })
  // Decided without a transaction, because most answers contain nothing new.
  const preview = decide(commandOn(application, application.updated_at, null), application)
  if ((yield* Effect.fromResult(preview)).length === 0) {
    if (application.proposal !== null && deniesPayment(application.proposal, contract)) {
      yield* alarmDeniedPayment(application.proposal)
    }
    return application
  }
  const { after, before, command } = yield* carryOut(
    application,
    contractAction,
    ({ record: present }, at) =>
      Effect.map(holderOfReference(contract, present), (holder) => commandOn(present, at, holder))
  )
  yield* logContractFaults(before.proposal, contract, command.reference_holder ?? null)
  yield* warnOfChangedAmounts(before, after)
  return after
})

/** Returns the proposal that has a new reference at this lender. Null if none has it, or if the reference is not new. */
const holderOfReference = Effect.fnUntraced(function*({ reference }: LenderContract, { proposal }: Application) {
  if (proposal === null || referenceOf(proposal) === reference) return null
  const { requirements: { name: lender } } = yield* Lender
  return Option.getOrNull(yield* (yield* ApplicationRepository).holderOfReference(reference, lender))
})

/** Logs the faults of a contract: a reference of another proposal, and an unsafe signature link. */
const logContractFaults = Effect.fnUntraced(function*(
  proposal: Proposal | null,
  contract: LenderContract,
  reference_holder: ProposalId | null
) {
  if (proposal !== null && reference_holder !== null && isReferenceTaken(proposal, contract, reference_holder)) {
    yield* alarmTakenReference(proposal, reference_holder)
  }
  if (contract.signature_url !== null && signatureLink(contract.signature_url) === null) {
    yield* Effect.annotateLogs(
      Effect.logWarning(
        "the lender sent an unsafe signature link; it is withheld from the customer. Ask the lender for an https link without user information."
      ),
      { proposal_id: proposal?.proposal_id }
    )
  }
})

/** Logs as a warning that the final terms have other amounts than the accepted offer (FGTS-80). Logs no amounts. */
const warnOfChangedAmounts = (before: Application, after: Application): Effect.Effect<void> => {
  const changed = changedAmounts(before, after)
  return changed.length === 0 ? Effect.void : Effect.annotateLogs(
    Effect.logWarning(
      "the final terms of a contract have other amounts than the accepted offer; they are recorded. " +
        "Ask the lender whether the customer agreed to them."
    ),
    { proposal_id: after.proposal?.proposal_id, changed }
  )
}

/**
 * Returns whether the open request is still the one for which the lender was called. If not, the lender's answer
 * belongs to an earlier request.
 */
const isSameRequest = (called: Application, present: Application): boolean =>
  Equal.equals(requestIn(called), requestIn(present))

const requestIn = ({ proposal }: Application): OpenRequest | null => proposal === null ? null : openRequestOf(proposal)

/** Logs as an error that the lender returned a reference that belongs to another proposal, the holder. */
export const alarmTakenReference = ({ proposal_id }: Pick<Proposal, "proposal_id">, holder: ProposalId) =>
  Effect.annotateLogs(
    Effect.logError(
      "the lender returned the reference of another proposal's contract; the contract is not recorded, and the proposal is not submitted again. " +
        "Ask the lender which of the two proposals has the contract, and cancel the application of the other."
    ),
    { proposal_id, other_proposal_id: holder }
  )

/** Logs as an error that the lender denies a payment that it reported before (FGTS-79). */
const alarmDeniedPayment = ({ proposal_id }: Pick<Proposal, "proposal_id">) =>
  Effect.annotateLogs(
    Effect.logError(
      "the lender reports a failed payment of a contract that it reported as paid; the proposal stays PAID. " +
        "Ask the lender whether the customer has the money."
    ),
    { proposal_id }
  )

/** Records that the lender refuses the data of a submission. Logs the fields and the lender's codes, but no values. */
export const recordInvalid = Effect.fnUntraced(function*(application: Application, { fields }: SubmissionInvalid) {
  const { proposal } = application
  yield* Effect.annotateLogs(
    Effect.logWarning(
      "the lender refuses the data of a contract; the KYC must be corrected or the application cancelled"
    ),
    { proposal_id: proposal?.proposal_id, fields: fields.map(({ code, field }) => `${field}: ${code}`) }
  )
  return yield* record(application, contractAction, (_, at) => ({
    _tag: "RecordInvalid",
    at,
    fields: fields.map(({ field }) => field),
    submitted_at: proposal?.submitted_at ?? null
  }))
})

/** Records that the lender provably did not receive a submission that was started. */
export const recordNotReceived = Effect.fnUntraced(function*(application: Application, began_at: Timestamp) {
  const submitted_at = application.proposal?.submitted_at ?? null
  return submitted_at === null
    ? application
    : yield* record(application, contractAction, (_, at) => ({ _tag: "RecordNotReceived", at, submitted_at, began_at }))
})

/** Records that the lender has no contract of a proposal, and will create none. */
export const recordNoContract = (application: Application) =>
  record(application, contractAction, (_, at) => ({ _tag: "RecordNoContract", at }))

/**
 * Records that the lender refuses or does not support the requested cancellation, refund or signature link. Logs an
 * error for the operator.
 */
export const recordExitRefused = Effect.fnUntraced(function*(
  application: Application,
  failure: ExitRefused | LenderUnsupported
) {
  const isRefused = failure._tag === "ExitRefused"
  const request = requestIn(application)
  yield* Effect.annotateLogs(
    Effect.logError(
      `the lender ${isRefused ? "refuses" : "does not offer"} a requested cancellation, refund or signature link; ` +
        "the contract is unchanged. Arrange the request with the lender."
    ),
    {
      proposal_id: application.proposal?.proposal_id,
      status: application.proposal?.status,
      request: request?.kind,
      ...(isRefused ? { detail: failure.detail } : {})
    }
  )
  const cause = isRefused ? "REFUSED" : "UNSUPPORTED"
  return request === null
    ? application
    : yield* record(application, contractAction, (_, at) => ({ _tag: "RecordExitRefused", at, cause, request }))
})
