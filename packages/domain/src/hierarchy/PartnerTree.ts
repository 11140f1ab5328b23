import { Context, type Effect, type Option } from "effect"
import { type PartnerId } from "../id/PartnerId.ts"
import { type Busy } from "../transaction/UnitOfWork.ts"
import { type Found, type InScope, type Scope } from "./Scope.ts"

/** A partner as the tree identifies it. */
export interface TreeNode {
  readonly partner_id: PartnerId
  /** Null for a root. */
  readonly parent_id: PartnerId | null
}

/**
 * The shape of the partner trees: who is below whom. Deleted partners keep their place, so that what they left behind
 * stays in their ancestors' scope, but are never found.
 */
export class PartnerTree extends Context.Service<PartnerTree, {
  /**
   * Holds the tree of `root` until the transaction ends: `shared` beside other shared holders, so that the shape stays
   * while records are added to it; `exclusive` alone, so that the shape can be changed. Fails when others hold it longer
   * than the adapter waits.
   */
  readonly hold: (root: PartnerId, mode: "shared" | "exclusive") => Effect.Effect<void, Busy>
  /** The partner with this id, wherever it lies; sealed with whether it lies in `scope`. */
  readonly find: (scope: Scope, id: PartnerId) => Effect.Effect<Option.Option<Found<PartnerId>>>
  /** Whether `id` is `top` itself or lies anywhere below it. */
  readonly isWithin: (top: InScope<TreeNode>, id: InScope<PartnerId>) => Effect.Effect<boolean>
  /** Hangs a partner, with its whole subtree, below another parent. Demands that the tree is held exclusively. */
  readonly move: (partner: InScope<TreeNode>, parent: InScope<PartnerId>) => Effect.Effect<void>
}>()("@lastro/domain/hierarchy/PartnerTree") {}
