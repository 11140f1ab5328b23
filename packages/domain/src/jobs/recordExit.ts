import { Effect } from "effect"
import { type ExitRefused, type LenderUnsupported, type SubmissionInvalid } from "../lender/LenderFailures.ts"
import { type Application } from "../loan/Application.ts"
import { decideRecordExitRefused, decideRecordInvalid, decideRecordNoContract } from "../loan/decideExitAnswer.ts"
import { recordFromLender } from "./recordFromLender.ts"

const action = "application.contract"

/**
 * Records that the lender refuses the data of a submission. The log contains the fields and the codes of the lender,
 * but no values.
 */
export const recordInvalid = Effect.fnUntraced(function*(application: Application, { fields }: SubmissionInvalid) {
  yield* Effect.annotateLogs(
    Effect.logWarning(
      "the lender refuses the data of a contract; the KYC must be corrected or the application cancelled"
    ),
    {
      proposal_id: application.proposal?.proposal_id,
      fields: fields.map(({ code, field }) => `${field}: ${code}`)
    }
  )
  const named = fields.map(({ field }) => field)
  const asked_at = application.proposal?.asked_at
  return yield* recordFromLender(
    application,
    action,
    (present, at) =>
      decideRecordInvalid(present, {
        _tag: "RecordInvalid",
        at,
        fields: named,
        ...(asked_at === undefined ? {} : { asked_at })
      })
  )
})

/** Records that the lender has no contract of a proposal, and will create none. */
export const recordNoContract = (application: Application) =>
  recordFromLender(
    application,
    action,
    (present, at) => decideRecordNoContract(present, { _tag: "RecordNoContract", at })
  )

/**
 * Records that the lender does not offer the requested cancellation, refund or signature link, or refuses it for this
 * contract. Logs an error for the operator.
 */
export const recordExitRefused = Effect.fnUntraced(function*(
  application: Application,
  failure: ExitRefused | LenderUnsupported
) {
  const refused = failure._tag === "ExitRefused"
  yield* Effect.annotateLogs(
    Effect.logError(
      `the lender ${refused ? "refuses" : "does not offer"} a requested cancellation, refund or signature link; ` +
        "the contract is unchanged. Arrange the request with the lender."
    ),
    {
      proposal_id: application.proposal?.proposal_id,
      status: application.proposal?.status,
      ...(refused ? { detail: failure.detail } : {})
    }
  )
  const cause = refused ? "REFUSED" : "UNSUPPORTED"
  return yield* recordFromLender(
    application,
    action,
    (present, at) => decideRecordExitRefused(present, { _tag: "RecordExitRefused", at, cause })
  )
})
