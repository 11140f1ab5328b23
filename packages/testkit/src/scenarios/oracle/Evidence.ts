import { type AuditEntry } from "@lastro/domain/audit"
import { type Job } from "@lastro/domain/jobs"
import { type Application, type ContractSubmission } from "@lastro/domain/loan"
import { type AcceptFgtsOfferResponse } from "@lastro/domain/origination"
import { type ApplicationId, type OfferId, type QuoteId, type Timestamp } from "@lastro/domain/values"
import { type Schema } from "effect"
import { type ScriptedContract } from "../../lender/ScriptedLender.ts"

/** A successful response that a caller received. */
export type CallerResponse =
  | { readonly _tag: "Quoting"; readonly application_id: ApplicationId; readonly quote_id: QuoteId }
  | { readonly _tag: "Accepted"; readonly answer: AcceptFgtsOfferResponse }

/** A command that an application received. */
export type ObservedCommand =
  | { readonly _tag: "Open" }
  | { readonly _tag: "Requote" }
  /** A quote job ended, with or without an answer of the lender. */
  | { readonly _tag: "RecordQuote"; readonly quote_id: QuoteId }
  | { readonly _tag: "SubmitKyc"; readonly is_account_only: boolean }
  | { readonly _tag: "AcceptOffer"; readonly offer_id: OfferId; readonly terms_accepted: boolean }
  | { readonly _tag: "CancelApplication" }
  | { readonly _tag: "WithdrawFromProposal" }
  | { readonly _tag: "RenewSignatureLink" }
  /** The lender returned a contract status. `is_earlier_payment`: the status does not belong to the last payment. */
  | { readonly _tag: "RecordContract"; readonly is_earlier_payment: boolean }

/** A command, its outcome, and the application before and after it. */
export interface Observation {
  readonly at: Timestamp
  readonly command: ObservedCommand
  /** `done`, or the `_tag` of the error. */
  readonly outcome: string
  /** The response to a command that created a record. Otherwise null. */
  readonly response: CallerResponse | null
  readonly before: Application | null
  readonly after: Application
}

/** The fields of an application in its audit entries. */
export interface Snapshot {
  /** The latest quote. */
  readonly quote: { readonly number: number; readonly outcome: string; readonly rejection: string | null }
  readonly proposal: {
    readonly proposal_id: string
    readonly offer_id: string
    readonly status: string
    readonly disbursement_attempt: number
  } | null
}

/** A change in the audit log. `before` is null for the creation of the application. */
export interface AuditedChange {
  readonly action: string
  readonly changed: ReadonlyArray<string>
  readonly before: Snapshot | null
  readonly after: Snapshot | null
}

/** Everything that a test has recorded about one application. The rules are checked against it. */
export interface Evidence {
  /** The stored application. */
  readonly application: Application
  /** Every command, in order. Empty in races, where commands are not observed. */
  readonly observations: ReadonlyArray<Observation>
  /** The audit entries of the application, oldest first. Null if they were not read. */
  readonly audit: ReadonlyArray<AuditedChange> | null
  /** The contracts of the application at the lender. */
  readonly contracts: ReadonlyArray<ScriptedContract>
  /** The contract submissions of the application, in the order of their arrival at the lender. */
  readonly submissions: ReadonlyArray<ContractSubmission>
  readonly responses: ReadonlyArray<CallerResponse>
  /** Durable jobs that have not ended. */
  readonly pending: ReadonlyArray<Job>
}

/** Returns the fields of an application that its audit entries contain. */
export const snapshotOf = ({ proposal, quotes }: Application): Snapshot => {
  const { number, outcome, rejection } = quotes.at(-1) ?? quotes[0]
  return {
    quote: { number, outcome, rejection: rejection?.code ?? null },
    proposal: proposal === null ? null : {
      proposal_id: proposal.proposal_id,
      offer_id: proposal.offer_id,
      status: proposal.status,
      disbursement_attempt: proposal.disbursement_attempt
    }
  }
}

const readSnapshot = (audited: Schema.Json): Snapshot | null => {
  if (audited === null) return null
  const { proposal, quote } = audited as Schema.JsonObject & Snapshot
  if (proposal === null) return { quote, proposal }
  const { disbursement_attempt, offer_id, proposal_id, status } = proposal
  return { quote, proposal: { proposal_id, offer_id, status, disbursement_attempt } }
}

/** Converts an audit entry of an application to a change. */
export const auditedChangeOf = ({ action, after, before, changed }: AuditEntry): AuditedChange => ({
  action,
  changed,
  before: readSnapshot(before),
  after: readSnapshot(after)
})
