import {
  type AcceptFgtsOfferResponse,
  type Application,
  type ApplicationId,
  type AuditEntry,
  type ContractSubmission,
  type QuoteId
} from "@lastro/domain"
import { type LenderCall, type ScriptedContract } from "../lender/ScriptedLender.ts"
import { type AuditedDeed } from "./AuditedApplication.ts"

/** What a caller was told by an answer of success. */
export type Told =
  | { readonly _tag: "Quoting"; readonly application_id: ApplicationId; readonly quote_id: QuoteId }
  | { readonly _tag: "Accepted"; readonly answer: AcceptFgtsOfferResponse }

/** All there is to know of origination once nobody is at work on it any more. */
export interface Origination {
  /** Every application that is kept. */
  readonly applications: ReadonlyArray<Application>
  /** What the audit tells of them, in the order in which it was recorded. */
  readonly audit: ReadonlyArray<AuditEntry>
  /** Every contract that the lender made, and every call of it. */
  readonly contracts: ReadonlyArray<ScriptedContract>
  readonly calls: ReadonlyArray<LenderCall>
  readonly told: ReadonlyArray<Told>
}

/** The part of it that is about one application, beside the application. */
export interface Known {
  readonly deeds: ReadonlyArray<AuditedDeed>
  readonly contracts: ReadonlyArray<ScriptedContract>
  readonly submissions: ReadonlyArray<ContractSubmission>
  readonly told: ReadonlyArray<Told>
}

/** A rule of origination as a sentence, and whether an application keeps it. */
export type OriginationRule = readonly [rule: string, kept: (application: Application, known: Known) => boolean]
