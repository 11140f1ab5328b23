import { Context, type Effect, type Option, type Stream } from "effect"
import { type FoundRecord, type InScope, type SubtreeScope } from "../hierarchy/Scope.ts"
import { type WholeQuery } from "../input/ListQuery.ts"
import { type ListSlice } from "../input/Page.ts"
import { type Application } from "../loan/Application.ts"
import { type LoanPlace } from "../loan/LoanPlace.ts"
import { type ReadBudgetExceeded } from "../ports/CostlyReads.ts"
import { type ApplicationId, type PartnerId, type ProposalId, type QuoteId } from "../values/ids.ts"
import { type Metadata } from "../values/Metadata.ts"
import { type Timestamp } from "../values/Timestamp.ts"
import { type ApplicationQuery, type ProposalQuery } from "./ApplicationQuery.ts"
import { type PublicProposalListItem } from "./PublicProposalListItem.ts"

/** A quote whose offers have all expired, and its application. */
export interface ExpiredQuote {
  readonly application: Application
  readonly quote_id: QuoteId
}

/**
 * Stores applications with their quotes and proposal. Applications are never deleted. If a partner is deleted, its
 * applications stay in the scope of the partner's ancestors, and have `partner_deleted_at`. Writes join the surrounding
 * transaction.
 */
export class ApplicationRepository extends Context.Service<ApplicationRepository, {
  /**
   * Finds an application by id, in or outside `scope`. The result is opaque: only `judgeFound` can read it, after it
   * has checked the scope.
   */
  readonly find: (scope: SubtreeScope, id: ApplicationId) => Effect.Effect<Option.Option<FoundRecord<Application>>>
  /** Finds an application as `find` does, and locks it until the transaction ends. */
  readonly findForUpdate: (
    scope: SubtreeScope,
    id: ApplicationId
  ) => Effect.Effect<Option.Option<FoundRecord<Application>>>
  /** Returns the newest applications in scope with this external id, newest first, up to `limit`. */
  readonly findByExternalId: (
    scope: SubtreeScope,
    external_id: string,
    limit: number
  ) => Effect.Effect<ReadonlyArray<Application>>
  /**
   * Returns a page of the applications in scope that match all filters, and their total number, from one snapshot.
   * Statuses are those at the time of the query. `updated_at` is the time of the last event, for filters and order too
   * (PAGE-29). The items are abridged as by `abridgeApplication`. Fails with ReadBudgetExceeded if the read would
   * examine more than `budget` records. Default: unlimited. With `after`, returns the first records after this
   * position, and the position of the last one.
   */
  readonly list: (
    scope: SubtreeScope,
    query: ApplicationQuery,
    budget?: number
  ) => Effect.Effect<ListSlice<Application>, ReadBudgetExceeded>
  /**
   * Streams all records that match, in the order of `list` and from one snapshot. Each pull reads one batch, and
   * nothing is read before the first pull.
   */
  readonly exportAll: (scope: SubtreeScope, query: WholeQuery<ApplicationQuery>) => Stream.Stream<Application>
  /**
   * Returns the number of applications in scope that match all filters, by their place at the time of the query, from
   * one snapshot. A place without applications may be missing. Fails with ReadBudgetExceeded if the read would examine
   * more than `budget` records. Default: unlimited.
   */
  readonly countPlaces: (
    scope: SubtreeScope,
    query: Pick<ApplicationQuery, "at" | "filters">,
    budget?: number
  ) => Effect.Effect<ReadonlyMap<LoanPlace, number>, ReadBudgetExceeded>
  /** Finds an application by id without checking the scope. For the operator only. */
  readonly ofId: (id: ApplicationId) => Effect.Effect<Option.Option<Application>>
  /** Finds the application of a quote without checking the scope. For durable jobs only. */
  readonly ofQuote: (quote: QuoteId) => Effect.Effect<Option.Option<Application>>
  /** Finds the application of a proposal without checking the scope. For durable jobs only. */
  readonly ofProposal: (proposal: ProposalId) => Effect.Effect<Option.Option<Application>>
  /**
   * Returns the proposal that has this reference at the lender with this code. A proposal that an earlier version stored
   * without a code belongs to every lender. Locks the reference until the transaction ends, so that no other transaction
   * can assign it to a proposal. For durable jobs only.
   */
  readonly holderOfReference: (reference: string, lender: string) => Effect.Effect<Option.Option<ProposalId>>
  /**
   * Returns all other applications of the same CPF in the same tree that have a proposal, in no particular order. Locks
   * the CPF in this tree until the transaction ends, so that concurrent transactions that call this method run one
   * after another.
   */
  readonly contractedByCustomer: (application: InScope<Application>) => Effect.Effect<ReadonlyArray<Application>>
  /** Inserts an application. `owner` is its partner. */
  readonly insert: (owner: InScope<PartnerId>, application: Application) => Effect.Effect<void>
  /**
   * Saves the changes from `before` to `after`: quotes, KYC, requirements, proposal, cancellation, `updated_at` and
   * `version`. Changes no other field, so metadata that was saved after the read is kept. Fails with a defect and
   * changes nothing if another proposal already has the proposal's reference at its lender.
   */
  readonly save: (before: InScope<Application>, after: Application) => Effect.Effect<void>
  /** Replaces the metadata. Changes no other field, in particular neither `updated_at` nor `version`. */
  readonly saveMetadata: (application: InScope<Application>, metadata: Metadata) => Effect.Effect<void>
  /**
   * Takes one quote whose last offer has expired at this time, and locks its application until the transaction ends. A
   * quote is taken once: if the transaction commits, no later call returns it, unless late offers joined it. Skips an
   * application that another transaction has locked. Returns none if there is no other quote. For background work only.
   */
  readonly takeExpired: (at: Timestamp) => Effect.Effect<Option.Option<ExpiredQuote>>
  /** Returns the current `version` of each application, in one query. */
  readonly versions: (
    ids: ReadonlyArray<ApplicationId>
  ) => Effect.Effect<ReadonlyMap<ApplicationId, number>>
}>()("@lastro/domain/origination/ApplicationRepository") {}

/** Reads proposals. They are stored with their applications. */
export class ProposalRepository extends Context.Service<ProposalRepository, {
  /**
   * Finds the application of a proposal, in or outside `scope`. The result is opaque: only `judgeFound` can read it,
   * after it has checked the scope.
   */
  readonly find: (scope: SubtreeScope, id: ProposalId) => Effect.Effect<Option.Option<FoundRecord<Application>>>
  /**
   * Returns a page of the proposals in scope that match all filters, and the total number of matches, from one
   * snapshot. The items are built as by `proposalListItem`. Fails with ReadBudgetExceeded if the read would examine
   * more than `budget` records. Default: unlimited. With `after`, returns the first records after this position, and
   * the position of the last one.
   */
  readonly list: (
    scope: SubtreeScope,
    query: ProposalQuery,
    budget?: number
  ) => Effect.Effect<ListSlice<PublicProposalListItem>, ReadBudgetExceeded>
  /**
   * Streams all records that match, in the order of `list` and from one snapshot. Each pull reads one batch, and
   * nothing is read before the first pull.
   */
  readonly exportAll: (scope: SubtreeScope, query: WholeQuery<ProposalQuery>) => Stream.Stream<PublicProposalListItem>
}>()("@lastro/domain/origination/ApplicationRepository/ProposalRepository") {}
