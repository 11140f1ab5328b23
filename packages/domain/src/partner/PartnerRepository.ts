import { Context, type Effect, type Option } from "effect"
import { type Found, type InScope, type Scope } from "../hierarchy/Scope.ts"
import { type PartnerId } from "../id/PartnerId.ts"
import { type Slice } from "../paging/Slice.ts"
import { type Timestamp } from "../time/Timestamp.ts"
import { type PartnerDetail, type PartnerListItem } from "./PartnerDetail.ts"
import { type PartnerQuery } from "./PartnerQuery.ts"
import { type DocumentTaken } from "./PartnerRefusals.ts"

/** What still hangs on a partner. Deleted children and users do not count; applications count while unfinished. */
export interface Dependents {
  readonly children: number
  readonly users: number
  readonly applications: number
}

/**
 * Where partners are kept. Deleted partners are in no answer of this port. Writes take part in the transaction around
 * them (see UnitOfWork).
 */
export class PartnerRepository extends Context.Service<PartnerRepository, {
  /** The partner with this id, wherever it lies; sealed with whether it lies in `scope`. */
  readonly find: (scope: Scope, id: PartnerId) => Effect.Effect<Option.Option<Found<PartnerDetail>>>
  /** Like `find`, and no other transaction changes the partner until this one ends. */
  readonly findForUpdate: (scope: Scope, id: PartnerId) => Effect.Effect<Option.Option<Found<PartnerDetail>>>
  /** The asked page of the partners in scope that pass every filter, and how many pass in all, in one snapshot. */
  readonly list: (scope: Scope, query: PartnerQuery) => Effect.Effect<Slice<PartnerListItem>>
  /** Adds a partner below its parent, which is `parent`. Fails when its document is taken under the same root. */
  readonly insert: (parent: InScope<PartnerId>, partner: PartnerDetail) => Effect.Effect<void, DocumentTaken>
  /** Adds the root of a new tree. */
  readonly insertRoot: (partner: InScope<PartnerDetail>) => Effect.Effect<void, DocumentTaken>
  /**
   * Saves every field but `person_type`, `document_number` and `created_at`, which never change, and `parent_id`, which
   * `PartnerTree.move` changes.
   */
  readonly update: (before: InScope<PartnerDetail>, after: PartnerDetail) => Effect.Effect<void>
  /** Takes the partner out of every read; its document may be used again. */
  readonly remove: (partner: InScope<PartnerDetail>, at: Timestamp) => Effect.Effect<void>
  /** What would keep this partner from being deleted. */
  readonly dependents: (partner: InScope<PartnerDetail>) => Effect.Effect<Dependents>
}>()("@lastro/domain/partner/PartnerRepository") {}
