import { Effect, MutableRef, Option, Result } from "effect"
import { asOperator, judgeFound } from "../hierarchy/Scope.ts"
import { type Application, recordingTime } from "../loan/Application.ts"
import { type ApplicationEvent } from "../loan/ApplicationEvent.ts"
import { decideConflict, decideRecordContract, isReferenceTaken, type RecordContract } from "../loan/decideContract.ts"
import { type LenderContract } from "../loan/LenderContract.ts"
import { ApplicationRepository } from "../origination/ApplicationRepository.ts"
import { saveDecision } from "../origination/saveDecision.ts"
import { StatusWatch } from "../origination/StatusWatch.ts"
import { UnitOfWork } from "../ports/UnitOfWork.ts"
import { type ProposalId } from "../values/ids.ts"
import { currentTimestamp, type Timestamp } from "../values/Timestamp.ts"
import { countOutcomes } from "./outcomeMetrics.ts"

/**
 * Finds another proposal that already has the reference of this contract (FGTS-27). Returns none if this application's proposal
 * can take the reference. Call it in the transaction that records the contract.
 */
const findOtherHolder = Effect.fnUntraced(function*({ proposal }: Application, contract: LenderContract) {
  if (proposal === null || proposal.reference === contract.reference) return Option.none()
  const holder = yield* (yield* ApplicationRepository).holderOfReference(contract.reference)
  return isReferenceTaken(proposal, contract, holder) ? holder : Option.none()
})

/** Logs that the lender returned the reference of another proposal's contract, which is a fault of the lender. */
export const alarmTakenReference = ({ proposal }: Application, other: ProposalId) =>
  Effect.annotateLogs(
    Effect.logError(
      "the lender returned the reference of another proposal's contract; the contract is not recorded, and the proposal is not submitted again. " +
        "Ask the lender which of the two proposals has the contract, and cancel the application of the other."
    ),
    { proposal_id: proposal?.proposal_id, other_proposal_id: other }
  )

/**
 * Returns whether the withdrawal and the link request are the same as when the lender was called. If they are not, the
 * lender's answer does not answer the current request.
 */
const isSameRequest = ({ proposal: called }: Application, { proposal: present }: Application): boolean =>
  called?.withdrawal?.requested_at === present?.withdrawal?.requested_at &&
  (called?.link_requested_at ?? null) === (present?.link_requested_at ?? null)

/**
 * Records the state of a contract at the lender. Returns the application afterwards. If the state changes nothing, no
 * transaction is started. A contract with the reference of another proposal is not recorded, but logged as an error.
 */
export const recordContract = Effect.fnUntraced(function*(
  application: Application,
  contract: LenderContract,
  answers?: RecordContract["answers"]
) {
  const command = (present: Application, at: Timestamp): RecordContract => ({
    _tag: "RecordContract",
    at,
    contract,
    ...(answers === undefined || !isSameRequest(application, present) ? {} : { answers })
  })
  const changes = decideRecordContract(application, command(application, application.updated_at))
  if (changes.length === 0) return application
  const taken = MutableRef.make(Option.none<ProposalId>())
  const after = yield* recordDecision(
    application,
    "application.contract",
    (present, at) =>
      Effect.map(findOtherHolder(present, contract), (other) => {
        MutableRef.set(taken, other)
        return Option.isSome(other)
          ? decideConflict(present, contract, at)
          : decideRecordContract(present, command(present, at))
      })
  )
  const other = MutableRef.get(taken)
  if (Option.isSome(other)) yield* alarmTakenReference(application, other.value)
  return after
})

/** The actor of the audit entries for the lender's answers. */
const lender = { subject: "lender" } as const

/**
 * Applies the lender's answer to the current state of an application, in one transaction. Then ends the waiting long polls on the
 * application. For durable jobs only.
 */
export const recordFromLender = (
  application: Application,
  action: string,
  decide: (present: Application, at: Timestamp) => ReadonlyArray<ApplicationEvent>
) => recordDecision(application, action, (present, at) => Effect.succeed(decide(present, at)))

/** Like {@link recordFromLender}, for a decision that reads other applications. */
const recordDecision = Effect.fnUntraced(function*<R>(
  { application_id, partner_id }: Application,
  action: string,
  decide: (present: Application, at: Timestamp) => Effect.Effect<ReadonlyArray<ApplicationEvent>, never, R>
) {
  const applications = yield* ApplicationRepository
  const recorded = MutableRef.make<Effect.Effect<void>>(Effect.void)
  const record = Effect.gen(function*() {
    const found = yield* applications.findForUpdate(asOperator.scope(partner_id), application_id)
    const present = yield* Effect.orDie(Effect.fromResult(judgeFound(found)))
    const at = recordingTime(present.record, yield* currentTimestamp)
    const events = yield* decide(present.record, at)
    MutableRef.set(recorded, countOutcomes(present.record, events))
    return yield* saveDecision(present, Result.succeed(events), { at, caller: lender, action })
  })
  const after = yield* (yield* UnitOfWork).atomically(record)
  yield* MutableRef.get(recorded)
  yield* (yield* StatusWatch).changed(application_id)
  return after
})
