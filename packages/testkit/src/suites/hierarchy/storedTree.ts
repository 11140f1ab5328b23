import { asOperator } from "@lastro/domain/hierarchy"
import { type PartnerDetail } from "@lastro/domain/partner"
import { PartnerTree, UnitOfWork } from "@lastro/domain/ports"
import { Effect } from "effect"
import { storeForest } from "../../builders/storedRecords.ts"

/** The partner of a caller, and the partners inside and outside the caller's scope. */
interface ScopeExample {
  readonly caller: PartnerDetail
  readonly inside: ReadonlyArray<PartnerDetail>
  readonly outside: ReadonlyArray<PartnerDetail>
}

/** Stores a branching tree of five levels and a second tree. Returns the scope of one caller on each level. */
export const storeScopeExamples = Effect.gen(function*() {
  const partners = yield* storeForest([null, 0, 1, 2, 3, 2, 0, null])
  const [root, upper, middle, lower, leaf, branch, sibling, stranger] = partners
  const scopes: ReadonlyArray<ScopeExample> = [
    { caller: root, inside: [root, upper, middle, lower, leaf, branch, sibling], outside: [stranger] },
    { caller: upper, inside: [upper, middle, lower, leaf, branch], outside: [root, sibling, stranger] },
    { caller: middle, inside: [middle, lower, leaf, branch], outside: [root, upper, sibling, stranger] },
    { caller: lower, inside: [lower, leaf], outside: [root, upper, middle, branch, sibling, stranger] },
    { caller: branch, inside: [branch], outside: [root, upper, middle, lower, leaf, sibling, stranger] },
    { caller: leaf, inside: [leaf], outside: [root, upper, middle, lower, branch, sibling, stranger] }
  ]
  return { partners, scopes }
})

/** Moves a partner as a use case does: locks the tree, and moves the partner unless the move would make a cycle. */
export const moveIfAcyclic = (root: Pick<PartnerDetail, "partner_id">, partner: PartnerDetail, parent: PartnerDetail) =>
  Effect.gen(function*() {
    const tree = yield* PartnerTree
    yield* (yield* UnitOfWork).atomically(Effect.gen(function*() {
      yield* tree.lock(root.partner_id, "exclusive")
      const below = asOperator.inScope(parent.partner_id)
      if (!(yield* tree.isWithin(asOperator.inScope(partner), below))) {
        yield* tree.move(asOperator.inScope(partner), below)
      }
    }))
  })
