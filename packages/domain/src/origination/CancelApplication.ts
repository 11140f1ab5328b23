import { Effect } from "effect"
import { type Allowed } from "../access/Authorization.ts"
import { personalDataView } from "../access/PersonalDataView.ts"
import { type InScope, judgeFound, scopeOf } from "../hierarchy/Scope.ts"
import { type SentKey } from "../idempotency/runOnce.ts"
import { decodeBody } from "../input/decode.ts"
import { type Application } from "../loan/Application.ts"
import { decide } from "../loan/decide.ts"
import { isUnknownToLender } from "../loan/decideCancel.ts"
import { type ApplicationId } from "../values/ids.ts"
import { type Timestamp } from "../values/Timestamp.ts"
import { ApplicationRepository } from "./ApplicationRepository.ts"
import { CancelFgtsApplicationRequest } from "./ApplicationRequests.ts"
import { changeForCaller } from "./changeForCaller.ts"
import { DurableWork } from "./DurableWork.ts"
import { exitsOfContract } from "./exitsOfLender.ts"
import { fgtsApplication, maskApplication } from "./FgtsApplication.ts"
import { saveDecision } from "./saveDecision.ts"
import { startContractJob } from "./startJobs.ts"

const decodeRequest = decodeBody(CancelFgtsApplicationRequest)

const defaultBody = { reason: "CUSTOMER_REQUEST" }

/**
 * Cancels an application in the caller's subtree. It is cancelled at once if the lender provably has no contract
 * (FGTS-30). Otherwise, the job of the contract cancels it at the lender. The body is untrusted. Without a body, the
 * reason is CUSTOMER_REQUEST.
 */
export const cancelApplication = Effect.fnUntraced(function*(
  allowed: Allowed<"fgts:write">,
  application_id: ApplicationId,
  body: unknown,
  key?: SentKey
) {
  const { caller } = allowed
  const found = yield* (yield* ApplicationRepository).find(scopeOf(allowed), application_id)
  const { record } = yield* Effect.fromResult(judgeFound(found))
  const exits = record.proposal === null || isUnknownToLender(record.proposal) ? null : yield* exitsOfContract(record)
  const cancel = Effect.fnUntraced(function*(application: InScope<Application>, at: Timestamp) {
    const { note = null, reason } = yield* Effect.fromResult(decodeRequest(body ?? defaultBody))
    const before = application.record
    const decided = decide({ _tag: "CancelApplication", at, reason, exits }, before)
    const details = ({ version }: Application) =>
      Effect.succeed(version === before.version ? {} : { cancellation_reason: reason, cancellation_note: note })
    const after = yield* saveDecision(application, decided, { at, caller, action: "application.cancel", details })
    if (after.proposal?.status === "CANCELLING") {
      const { makeDue } = yield* DurableWork
      const { lender, proposal_id } = after.proposal
      // A repeated request only makes the waiting job due.
      yield* after === before
        ? makeDue({ kind: "contract", id: proposal_id, lender: lender?.code })
        : startContractJob(after.proposal)
    }
    return fgtsApplication(after, at, "full")
  })
  return yield* changeForCaller(allowed, { application_id, key }, cancel, maskApplication(personalDataView(caller)))
})
