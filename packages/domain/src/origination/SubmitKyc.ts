import { Effect, Result } from "effect"
import { type Allowed } from "../access/Authorization.ts"
import { personalDataView } from "../access/PersonalDataView.ts"
import { PersonalDataHasher } from "../audit/PersonalDataHasher.ts"
import { type InScope } from "../hierarchy/Scope.ts"
import { type SentKey } from "../idempotency/runOnce.ts"
import { judgePrecondition, type Precondition } from "../input/Precondition.ts"
import { pathsInBody } from "../kyc/corrections.ts"
import { maskKyc } from "../kyc/FgtsKyc.ts"
import { emptyKyc, type KycValues } from "../kyc/KycValues.ts"
import { hasDisbursementFields, judgeCpfSubmission, patchKyc } from "../kyc/patchKyc.ts"
import { type Application } from "../loan/Application.ts"
import { decide } from "../loan/decide.ts"
import { withRequirementsAt } from "../loan/quoteParts.ts"
import { saoPauloDate } from "../values/CalendarDate.ts"
import { type ApplicationId } from "../values/ids.ts"
import { type Timestamp } from "../values/Timestamp.ts"
import { changeForCaller, type ChangeTarget } from "./changeForCaller.ts"
import { type FgtsKycAnswer, kycAnswer, suggestKyc } from "./GetKyc.ts"
import { saveDecision } from "./saveDecision.ts"
import { startContractJob } from "./startJobs.ts"

/** Lists the disbursement data in a fixed order, so that equal accounts have equal hashes. */
const disbursementValues = ({ bank, disbursement_method, pix }: KycValues) => [
  disbursement_method,
  pix?.type,
  pix?.key,
  bank?.bank_code,
  bank?.account_type,
  bank?.agency,
  bank?.agency_digit,
  bank?.account_number,
  bank?.account_digit
]

/** Submits KYC if `judge` accepts the KYC that was submitted before, in the form that `getKyc` returns. */
const submitJudged = Effect.fnUntraced(function*<E>(
  allowed: Allowed<"fgts:write">,
  { application_id, key }: ChangeTarget<void>,
  body: unknown,
  judge: (current: FgtsKycAnswer) => Result.Result<void, E>
) {
  const { caller } = allowed
  const hasher = yield* PersonalDataHasher
  /**
   * The audit entry has a hash of the disbursement data. It shows a change of the account without storing the account.
   */
  const details = ({ kyc, proposal }: Application) =>
    proposal === null
      ? Effect.succeed({})
      : Effect.map(
        hasher.hash(JSON.stringify(disbursementValues(kyc ?? emptyKyc))),
        (disbursement_hash) => ({ disbursement_hash })
      )
  const submit = Effect.fnUntraced(function*(application: InScope<Application>, at: Timestamp) {
    yield* Effect.fromResult(judgeCpfSubmission(caller, application.record, body))
    yield* Effect.fromResult(judge(kycAnswer(application.record, emptyKyc, at)))
    const kyc = yield* Effect.fromResult(patchKyc(withRequirementsAt(application.record, at), body, saoPauloDate(at)))
    const decided = decide({
      _tag: "SubmitKyc",
      at,
      kyc,
      has_disbursement_data: hasDisbursementFields(body),
      submitted: pathsInBody(body)
    }, application.record)
    const after = yield* saveDecision(application, decided, { at, caller, action: "application.kyc", details })
    const { proposal } = after
    const isNew = after !== application.record
    // A correction that is still incomplete submits nothing.
    if (isNew && proposal !== null && proposal.status !== "CORRECTION_NEEDED") yield* startContractJob(proposal)
    // After the first submission, nothing is suggested.
    return kycAnswer(after, after.kyc === null ? yield* suggestKyc(application) : emptyKyc, at)
  })
  return yield* changeForCaller(allowed, { application_id, key }, submit, maskKyc(personalDataView(caller)))
})

/**
 * Submits KYC, in full or in part, until an offer is accepted. After a failed payment, it accepts only disbursement
 * data, and retries the payment. After a refused submission, it accepts corrections of the refused fields, and submits
 * the contract again. The body is untrusted.
 */
export const submitKyc = (
  allowed: Allowed<"fgts:write">,
  application_id: ApplicationId,
  body: unknown,
  key?: SentKey
) => submitJudged(allowed, { application_id, key }, body, () => Result.void)

/** Submits KYC like `submitKyc`, but only if the KYC that was submitted before meets the precondition. */
export const submitKycIf = (
  allowed: Allowed<"fgts:write">,
  application_id: ApplicationId,
  body: unknown,
  expected: Precondition<FgtsKycAnswer>,
  key?: SentKey
) => submitJudged(allowed, { application_id, key }, body, (current) => judgePrecondition(current, expected))
