import { type AuditEntry } from "@lastro/domain/audit"
import { type Application } from "@lastro/domain/fgts"
import { type ApplicationId, type OfferId, type QuoteId } from "@lastro/domain/id"
import { type ContractSubmission } from "@lastro/domain/lender"
import { type AcceptFgtsOfferResponse } from "@lastro/domain/origination"
import { type Timestamp } from "@lastro/domain/time"
import { type Schema } from "effect"
import { type ScriptedContract } from "../../lender/ScriptedLender.ts"
import { type Work } from "../../memory/PendingWork.ts"

/** A successful response that a caller received. */
export type CallerResponse =
  | { readonly _tag: "Quoting"; readonly application_id: ApplicationId; readonly quote_id: QuoteId }
  | { readonly _tag: "Accepted"; readonly answer: AcceptFgtsOfferResponse }

/** A command that an application received. */
export type ObservedCommand =
  | { readonly _tag: "Open" }
  | { readonly _tag: "Requote" }
  /** A quote job ended, with or without a result from the lender. */
  | { readonly _tag: "RecordQuote"; readonly quote_id: QuoteId }
  | { readonly _tag: "SubmitKyc"; readonly is_account_only: boolean }
  | { readonly _tag: "AcceptOffer"; readonly offer_id: OfferId; readonly terms_accepted: boolean }
  /** A contract status arrived from the lender. It may concern an earlier payment than the last one. */
  | { readonly _tag: "RecordContract"; readonly is_earlier_payment: boolean }

/** A command, its outcome, and the application before and after it. */
export interface Observation {
  readonly at: Timestamp
  readonly command: ObservedCommand
  /** `done`, or the tag of the refusal. */
  readonly outcome: string
  /** The response of a command that creates something. */
  readonly response: CallerResponse | null
  readonly before: Application | null
  readonly after: Application
}

/** The part of an application that audit entries repeat. */
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

/** An audited change. `before` is null when the application was opened. */
export interface AuditedChange {
  readonly action: string
  readonly changed: ReadonlyArray<string>
  readonly before: Snapshot | null
  readonly after: Snapshot | null
}

/** Everything known about one application. */
export interface Evidence {
  /** The application as stored now. */
  readonly application: Application
  /** Every command, in order. Empty when commands were not observed, as in races. */
  readonly observations: ReadonlyArray<Observation>
  /** Its audit entries, in order. Null when the audit was not read. */
  readonly audit: ReadonlyArray<AuditedChange> | null
  /** Its contracts at the lender. */
  readonly contracts: ReadonlyArray<ScriptedContract>
  /** Its contract submissions, in order of arrival at the lender. */
  readonly submissions: ReadonlyArray<ContractSubmission>
  readonly responses: ReadonlyArray<CallerResponse>
  /** Durable jobs that have not ended. */
  readonly pending: ReadonlyArray<Work>
}

/** Returns the part of an application that audit entries repeat. */
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

/** Reads an audit entry of an application. */
export const auditedChangeOf = ({ action, after, before, changed }: AuditEntry): AuditedChange => ({
  action,
  changed,
  before: readSnapshot(before),
  after: readSnapshot(after)
})
