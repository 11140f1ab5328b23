import { Effect, Predicate, Result, Struct } from "effect"
import { type Allowed } from "../access/Authorization.ts"
import { personalDataView } from "../access/PersonalDataView.ts"
import { recordChange } from "../event/recordChange.ts"
import { judgeFound, scopeOf } from "../hierarchy/Scope.ts"
import { combineChecks } from "../input/combineChecks.ts"
import { fieldProblem, problem } from "../input/FieldProblem.ts"
import { makePatch } from "../input/Patch.ts"
import { anyState, judgePrecondition, type Precondition } from "../input/Precondition.ts"
import { type ValidationFailed } from "../input/ValidationFailed.ts"
import { valueAt } from "../input/valueAt.ts"
import { type Application } from "../loan/Application.ts"
import { PartnerTree } from "../ports/PartnerTree.ts"
import { UnitOfWork } from "../ports/UnitOfWork.ts"
import { type ApplicationId } from "../values/ids.ts"
import { patchMetadata } from "../values/parseMetadata.ts"
import { currentTimestamp } from "../values/Timestamp.ts"
import { ApplicationRepository } from "./ApplicationRepository.ts"
import { applicationUpdated } from "./eventsOfLoan.ts"
import { type FgtsApplication, fgtsApplication } from "./FgtsApplication.ts"
import { auditedFacts } from "./saveDecision.ts"

const noOtherField = makePatch({}, { immutable: [] })

/**
 * The metadata of an application can be patched in every status, but no other field. The patch changes neither the
 * status nor `updated_at`, and ends no long poll. After the erasure of the customer's personal data, the metadata is
 * IMMUTABLE. Otherwise it could contain personal data again, which no erasure would find: an erased application has no
 * CPF.
 * @rule META-07
 */
export const patchApplication = (
  { erased_at, metadata }: Pick<Application, "erased_at" | "metadata">,
  body: unknown
): Result.Result<Pick<Application, "metadata">, ValidationFailed> =>
  Result.map(
    combineChecks({
      metadata: Result.filterOrFail(
        patchMetadata(metadata, valueAt(body, ["metadata"])),
        (patched) => erased_at === null || patched === metadata,
        () => fieldProblem("metadata", problem("IMMUTABLE"))
      ),
      others: noOtherField.apply({}, Predicate.isReadonlyObject(body) ? Struct.omit(body, ["metadata"]) : body)
    }),
    ({ metadata }) => ({ metadata })
  )

/**
 * Patches the metadata of an application in the caller's subtree. The body is untrusted. `expected` is the
 * precondition, checked on the application as `getApplication` returns it to this caller.
 */
export const updateApplication = Effect.fnUntraced(function*(
  allowed: Allowed<"fgts:write">,
  application_id: ApplicationId,
  body: unknown,
  expected: Precondition<FgtsApplication> = anyState
) {
  const applications = yield* ApplicationRepository
  const { caller } = allowed
  const view = personalDataView(caller)
  const update = Effect.gen(function*() {
    yield* (yield* PartnerTree).lock(caller.root_id, "shared")
    const application = yield* Effect.fromResult(
      judgeFound(yield* applications.findForUpdate(scopeOf(allowed), application_id))
    )
    const before = application.record
    const at = yield* currentTimestamp
    yield* Effect.fromResult(judgePrecondition(fgtsApplication(before, at, view), expected))
    const { metadata } = yield* Effect.fromResult(patchApplication(before, body))
    if (metadata === before.metadata) return fgtsApplication(before, at, view)
    const after = { ...before, metadata }
    yield* applications.saveMetadata(application, metadata)
    yield* recordChange({
      events: [applicationUpdated(after, at)],
      at,
      caller,
      action: "application.update",
      subject_id: application_id,
      partner_id: before.partner_id,
      before: auditedFacts(before),
      after: auditedFacts(after)
    })
    return fgtsApplication(after, at, view)
  })
  return yield* (yield* UnitOfWork).atomically(update)
})
