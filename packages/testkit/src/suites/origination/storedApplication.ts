import { asOperator } from "@lastro/domain/hierarchy"
import { type Application } from "@lastro/domain/loan"
import { ApplicationRepository, type ContractedApplication, isContracted } from "@lastro/domain/origination"
import { type PartnerDetail } from "@lastro/domain/partner"
import { type ProposalId } from "@lastro/domain/values"
import { Effect } from "effect"
import { type History } from "../../arbitraries/histories.ts"
import { recordContractStatus } from "../../builders/applicationStages.ts"
import { freshHistory } from "../../builders/Fresh.ts"
import { saveApplication, storeApplication, storeContractedApplication } from "../../builders/storedRecords.ts"
import { recordOrRefusal, requireInScope, scopeOfPartner } from "../suite/queries.ts"

/** Reads an application as a caller who belongs to the partner `caller`. */
export const readApplication = (caller: PartnerDetail, { application_id }: Application) =>
  Effect.gen(function*() {
    return recordOrRefusal(yield* (yield* ApplicationRepository).find(scopeOfPartner(caller), application_id))
  })

/** Finds an application for update, as a caller who belongs to the partner `caller`. */
export const findApplicationForUpdate = (caller: PartnerDetail, { application_id }: Application) =>
  Effect.gen(function*() {
    return yield* requireInScope((yield* ApplicationRepository).findForUpdate(scopeOfPartner(caller), application_id))
  })

/** Stores an application of a partner, saves the state after each step of a history, and returns the last state. */
export const storeHistory = Effect.fnUntraced(function*(partner: PartnerDetail, history: History) {
  const { opening: { _tag, partner_id: _, ...opening }, steps } = yield* freshHistory(history, partner.partner_id)
  let state = yield* storeApplication(partner, opening)
  for (const { after } of steps) state = yield* saveApplication(state, after)
  return state
})

/** Increments the version of an application. Between the read and the write, yields to other fibers, so that a missing lock shows. */
export const incrementVersion = Effect.fnUntraced(function*(caller: PartnerDetail, application: Application) {
  const before = yield* findApplicationForUpdate(caller, application)
  yield* Effect.yieldNow
  const after = { ...before.record, version: before.record.version + 1 }
  yield* (yield* ApplicationRepository).save(asOperator.inScope(before.record), after)
})

/** Returns an application that has a proposal. Throws if it has none. */
export const requireContracted = (application: Application): ContractedApplication => {
  if (!isContracted(application)) throw new Error("The application has no proposal.")
  return application
}

/** Returns the id of the proposal of an application. */
export const proposalIdOf = (application: Application): ProposalId =>
  requireContracted(application).proposal.proposal_id

/** Stores an application with a paid contract, and returns it. */
export const storePaid = Effect.fnUntraced(function*(partner: PartnerDetail) {
  const contract = yield* storeContractedApplication(partner)
  return yield* saveApplication(contract, recordContractStatus(contract, "PAID"))
})
