import { Context, type Effect, type Option } from "effect"
import { type FoundRecord, type InScope, type SubtreeScope } from "../../hierarchy/Scope.ts"
import { type ApplicationId, type PartnerId, type ProposalId, type QuoteId } from "../../id/ids.ts"
import { type Timestamp } from "../../time/Timestamp.ts"
import { type Application } from "../application/Application.ts"

/**
 * Stores applications with their quotes and proposal. Nothing is ever deleted: applications of a deleted partner stay in the scope of
 * its ancestors. Writes join the surrounding transaction.
 */
export class ApplicationRepository extends Context.Service<ApplicationRepository, {
  /** Finds an application by id anywhere, sealed together with whether its partner is in `scope`. */
  readonly find: (scope: SubtreeScope, id: ApplicationId) => Effect.Effect<Option.Option<FoundRecord<Application>>>
  /** Finds like `find`, and locks the application until the transaction ends. */
  readonly findForUpdate: (
    scope: SubtreeScope,
    id: ApplicationId
  ) => Effect.Effect<Option.Option<FoundRecord<Application>>>
  /** Returns the applications in scope with this external id, newest first, at most `limit`. */
  readonly findByExternalId: (
    scope: SubtreeScope,
    external_id: string,
    limit: number
  ) => Effect.Effect<ReadonlyArray<Application>>
  /** Finds the application of a quote. For durable jobs, without a scope. */
  readonly ofQuote: (quote: QuoteId) => Effect.Effect<Option.Option<Application>>
  /** Finds the application of a proposal. For durable jobs, without a scope. */
  readonly ofProposal: (proposal: ProposalId) => Effect.Effect<Option.Option<Application>>
  /** Inserts an application. `owner` is its partner. */
  readonly insert: (owner: InScope<PartnerId>, application: Application) => Effect.Effect<void>
  /** Saves the changes from `before` to `after`: quotes, KYC, proposal, `updated_at` and `version`. Other fields never change. */
  readonly save: (before: InScope<Application>, after: Application) => Effect.Effect<void>
  /** Returns the proposals that are due to be polled at `at`, longest due first. A change sets the due time, `postponePoll` delays it. */
  readonly dueContracts: (at: Timestamp, limit: number) => Effect.Effect<ReadonlyArray<ProposalId>>
  /** Delays the next poll of a contract until the proposal changes. A contract that is not polled stays so. */
  readonly postponePoll: (proposal: ProposalId, until: Timestamp) => Effect.Effect<void>
  /** Returns the present `version` of each application, in one query. */
  readonly versions: (
    ids: ReadonlyArray<ApplicationId>
  ) => Effect.Effect<ReadonlyMap<ApplicationId, number>>
}>()("@lastro/domain/fgts/origination/ApplicationRepository") {}
