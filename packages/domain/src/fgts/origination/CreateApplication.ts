import { Effect } from "effect"
import { recordAudit } from "../../audit/recordAudit.ts"
import { findReferencedPartner } from "../../hierarchy/findReferencedPartner.ts"
import { PartnerTree } from "../../hierarchy/PartnerTree.ts"
import { scopeOf } from "../../hierarchy/Scope.ts"
import { IdGenerator } from "../../id/IdGenerator.ts"
import { type ApplicationId, type QuoteId } from "../../id/ids.ts"
import { runOnce } from "../../idempotency/runOnce.ts"
import { type Allowed } from "../../identity/Authorization.ts"
import { personalDataView } from "../../identity/PersonalDataView.ts"
import { saoPauloDate } from "../../time/CalendarDate.ts"
import { currentTimestamp } from "../../time/Timestamp.ts"
import { UnitOfWork } from "../../transaction/UnitOfWork.ts"
import { combineChecks } from "../../validation/combineChecks.ts"
import { auditedFacts } from "../application/auditedFacts.ts"
import { openApplication } from "../application/evolve.ts"
import { Lender } from "../lender/Lender.ts"
import { kycRequirementsOf } from "../lender/LenderRequirements.ts"
import { type FgtsApplication, fgtsApplication, maskApplication } from "../view/FgtsApplication.ts"
import { ApplicationRepository } from "./ApplicationRepository.ts"
import { DurableWork } from "./DurableWork.ts"
import { parseNewApplication } from "./parseNewApplication.ts"

/**
 * Opens an application for a partner in the caller's subtree (default: the caller's own partner) and starts its first
 * quote. The body is untrusted.
 */
export const createApplication = Effect.fnUntraced(function*(
  allowed: Allowed<"fgts:write">,
  body: unknown
) {
  const { caller } = allowed
  const applications = yield* ApplicationRepository
  const findOwner = Effect.gen(function*() {
    yield* (yield* PartnerTree).lock(caller.root_id, "shared")
    return yield* findReferencedPartner(scopeOf(allowed), body, ["partner_id"], caller.partner_id)
  })
  const create = Effect.fnUntraced(function*(found: Effect.Success<typeof findOwner>) {
    const at = yield* currentTimestamp
    const { owner, request } = yield* Effect.fromResult(combineChecks({
      request: parseNewApplication(body, saoPauloDate(at)),
      owner: found
    }))
    const ids = yield* IdGenerator
    const quote_id = (yield* ids.next) as QuoteId
    const application = openApplication({
      _tag: "ApplicationOpened",
      at,
      application_id: (yield* ids.next) as ApplicationId,
      external_id: request.external_id,
      partner_id: owner.record,
      created_by: caller.subject,
      customer: request.customer,
      metadata: request.metadata,
      quote_id,
      wish: request.wish,
      requirements: kycRequirementsOf((yield* Lender).requirements)
    })
    yield* applications.insert(owner, application)
    yield* (yield* DurableWork).startQuote(quote_id)
    yield* recordAudit({
      at,
      caller,
      action: "application.create",
      subject_id: application.application_id,
      partner_id: application.partner_id,
      after: auditedFacts(application)
    })
    return fgtsApplication(application, at, "full")
  })
  const replayed = runOnce(allowed, {
    present: ({ application_id }: Partial<FgtsApplication>) =>
      application_id === undefined ? Effect.succeedNone : applications.find(scopeOf(allowed), application_id),
    owner: ({ partner_id }: FgtsApplication) => partner_id,
    record: ({ application_id }) => application_id,
    shown: maskApplication(personalDataView(caller))
  }, findOwner)
  return yield* (yield* UnitOfWork).atomically(replayed(create))
})
