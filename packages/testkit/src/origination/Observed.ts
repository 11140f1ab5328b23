import { type Application, type OfferId, type ProposalId, type QuoteId, type Timestamp } from "@lastro/domain"
import { type ScriptedContract } from "../lender/ScriptedLender.ts"
import { type Work } from "../memory/Work.ts"

/** What was done with an application. */
export type Done =
  | { readonly does: "open" }
  | { readonly does: "requote" }
  /** What the lender answered to a quote was brought in; `null` when the work on it found nothing to ask. */
  | { readonly does: "answer"; readonly quote_id: QuoteId }
  | { readonly does: "kyc"; readonly where_to_pay_only: boolean }
  | { readonly does: "accept"; readonly offer_id: OfferId; readonly terms_accepted: boolean }
  /** How the contract stands with the lender was brought in, or how an earlier payment than the last one did. */
  | { readonly does: "contract"; readonly earlier_payment: boolean }

/** Something that was done, when, what came of it, and how the application stood before and after. */
export interface Observation {
  readonly at: Timestamp
  readonly done: Done
  /** `done`, or the tag of the refusal. */
  readonly outcome: string
  /** What a caller was told exists from now on. */
  readonly told: { readonly quote_id?: QuoteId; readonly proposal_id?: ProposalId }
  readonly before: Application | null
  readonly after: Application
}

/** All that was observed of an application, and what is beside it now. */
export interface Observed {
  /** The first one first. */
  readonly observations: ReadonlyArray<Observation>
  /** What was promised and has not been done yet. */
  readonly work: ReadonlyArray<Work>
  /** What the lender has for this application. */
  readonly contracts: ReadonlyArray<ScriptedContract>
}

/**
 * A rule of origination that does not hold, and what shows it. 1: another quote supersedes the older offers; 2: late answers are
 * dropped; 3: what accepting takes; 4: one offer is accepted, once; 5: KYC is locked with it; 6: offers obey the policy; 7: nothing
 * that was told is lost.
 */
export interface BrokenInStory {
  readonly rule: 1 | 2 | 3 | 4 | 5 | 6 | 7
  readonly why: string
}
