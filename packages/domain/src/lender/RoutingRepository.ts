import { Context, type Effect } from "effect"
import { type InScope, type SubtreeScope } from "../hierarchy/Scope.ts"
import { type LenderName } from "../offer/QuotePart.ts"
import { type ReadBudgetExceeded } from "../ports/CostlyReads.ts"
import { type TreeNode } from "../ports/PartnerTree.ts"
import { type PartnerId } from "../values/ids.ts"
import { type Routing, type RoutingLink } from "./Routing.ts"

/** Stores the routings of partners. Writes join the surrounding transaction (see UnitOfWork). */
export class RoutingRepository extends Context.Service<RoutingRepository, {
  /**
   * Returns the chain of a partner: the partner itself, then its ancestors up to the root, each with its own routing. A
   * deleted partner keeps its place and its routing. The chain of an unknown partner is empty.
   */
  readonly chainOf: (partner: PartnerId) => Effect.Effect<ReadonlyArray<RoutingLink>>
  /** Stores the routing of a partner, in place of its present one. */
  readonly save: (partner: InScope<TreeNode>, routing: Routing) => Effect.Effect<void>
  /** Removes the routing of a partner. A partner without a routing is ignored. */
  readonly remove: (partner: InScope<TreeNode>) => Effect.Effect<void>
  /**
   * Returns the lenders of the contracts in `scope`, each once, in any order, without those whose codes are in `except`.
   * Contracts that were stored without a code are ignored. Fails with ReadBudgetExceeded if it would examine more than
   * `budget` contracts of one of these lenders, and of the scope. Default: unlimited.
   */
  readonly lendersOfContracts: (
    scope: SubtreeScope,
    except: ReadonlyArray<string>,
    budget?: number
  ) => Effect.Effect<ReadonlyArray<LenderName>, ReadBudgetExceeded>
}>()("@lastro/domain/lender/RoutingRepository") {}
