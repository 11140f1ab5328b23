import { Context, type Effect, type Option } from "effect"
import { type Found, type InScope, type Scope } from "../../hierarchy/Scope.ts"
import { type ApplicationId } from "../../id/ApplicationId.ts"
import { type PartnerId } from "../../id/PartnerId.ts"
import { type ProposalId } from "../../id/ProposalId.ts"
import { type QuoteId } from "../../id/QuoteId.ts"
import { type Timestamp } from "../../time/Timestamp.ts"
import { type Application } from "../application/Application.ts"

/**
 * Where applications are kept, with their quotes and their proposal. Nothing is ever deleted; what was opened for a partner
 * that is deleted since stays in the scope of its ancestors. Writes take part in the transaction around them.
 */
export class ApplicationRepository extends Context.Service<ApplicationRepository, {
  /** The application with this id, wherever it lies; sealed with whether its partner lies in `scope`. */
  readonly find: (scope: Scope, id: ApplicationId) => Effect.Effect<Option.Option<Found<Application>>>
  /** Like `find`, and no other transaction changes the application until this one ends. */
  readonly findForUpdate: (scope: Scope, id: ApplicationId) => Effect.Effect<Option.Option<Found<Application>>>
  /** The applications in scope with this external id, the newest first, at most `limit`. */
  readonly findByExternalId: (
    scope: Scope,
    external_id: string,
    limit: number
  ) => Effect.Effect<ReadonlyArray<Application>>
  /** The application that a quote belongs to; for the work on it, which no caller bounds. */
  readonly ofQuote: (quote: QuoteId) => Effect.Effect<Option.Option<Application>>
  /** The application that a proposal belongs to; for the work on it, which no caller bounds. */
  readonly ofProposal: (proposal: ProposalId) => Effect.Effect<Option.Option<Application>>
  /** Adds an application to the partner `owner`, which is its `partner_id`. */
  readonly insert: (owner: InScope<PartnerId>, application: Application) => Effect.Effect<void>
  /**
   * Saves what changed between the two: a quote that was added or came to an end, the KYC, the proposal, `updated_at` and
   * `version`. Everything else never changes.
   */
  readonly save: (before: InScope<Application>, after: Application) => Effect.Effect<void>
  /** The proposals whose `nextLook`, as of their last change or as postponed since, is not after `at`; the longest due first. */
  readonly dueContracts: (at: Timestamp, limit: number) => Effect.Effect<ReadonlyArray<ProposalId>>
  /**
   * Puts the next look at a proposal's contract off; one that is not looked at stays so, and the next change of the proposal sets
   * it anew.
   */
  readonly postponeLook: (proposal: ProposalId, until: Timestamp) => Effect.Effect<void>
  /** The present `version` of each of these applications, in one query. */
  readonly versions: (
    ids: ReadonlyArray<ApplicationId>
  ) => Effect.Effect<ReadonlyMap<ApplicationId, number>>
}>()("@lastro/domain/fgts/origination/ApplicationRepository") {}
