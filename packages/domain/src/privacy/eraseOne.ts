import { Effect } from "effect"
import { recordChange } from "../event/recordChange.ts"
import { asOperator } from "../hierarchy/Scope.ts"
import { type Application } from "../loan/Application.ts"
import { type CancellationReason } from "../loan/ContractFacts.ts"
import { decide } from "../loan/decide.ts"
import { referenceOf } from "../loan/Proposal.ts"
import { erasedExternalId } from "../origination/erasedExternalId.ts"
import { applicationUpdated } from "../origination/eventsOfLoan.ts"
import { saveDecision } from "../origination/saveDecision.ts"
import { type Cpf } from "../values/Cpf.ts"
import { type Timestamp } from "../values/Timestamp.ts"
import { eraseApplication, eraseSeller } from "./eraseApplication.ts"
import { eraseAuditEntry } from "./eraseAudit.ts"
import { PersonalDataStore } from "./PersonalDataStore.ts"

/** Cancels an application that is not final yet, and returns the cancelled application. */
export const cancelBeforeErasure = (application: Application, reason: CancellationReason, at: Timestamp) =>
  Effect.orDie(saveDecision(
    asOperator.inScope(application),
    decide({ _tag: "CancelApplication", at, reason, exits: null }, application),
    { at, caller: null, action: "application.cancel" }
  ))

/** Erases an application, the values in its audit entries, and its stored responses and jobs. */
export const eraseOne = Effect.fnUntraced(function*(
  application: Application,
  cpf: Cpf,
  action: "privacy.anonymise" | "privacy.erase",
  at: Timestamp
) {
  const store = yield* PersonalDataStore
  const { application_id, partner_id, proposal, quotes } = application
  const record_ids = [
    application_id,
    ...quotes.map(({ quote_id }) => quote_id),
    ...proposal === null ? [] : [proposal.proposal_id]
  ]
  const reference = proposal === null ? null : referenceOf(proposal)
  const external_id = yield* erasedExternalId(application.external_id)
  // The person can also be the user who sold the contract.
  const erased = eraseSeller(eraseApplication(application, at, external_id), cpf)
  yield* store.saveApplication(erased)
  yield* store.saveAudit((yield* store.auditOf(record_ids)).map(eraseAuditEntry))
  yield* store.deleteTraces({
    record_ids,
    references: reference === null ? [] : [reference],
    partner_ids: [partner_id],
    usernames: []
  })
  yield* recordChange({
    events: [applicationUpdated(erased, at)],
    at,
    caller: null,
    action,
    subject_id: application_id,
    partner_id
  })
})
