import { asOperator } from "@lastro/domain/hierarchy"
import { type PartnerDetail, PartnerRepository } from "@lastro/domain/partner"
import { PartnerTree, type UnitOfWork } from "@lastro/domain/ports"
import { type PartnerId } from "@lastro/domain/values"
import { assert } from "chai"
import { Result } from "effect"
import * as fc from "fast-check"
import { forestShape } from "../../arbitraries/partners.ts"
import { storeForest } from "../../builders/storedRecords.ts"
import { childrenOf, forestOf, isWithin, move, type NaiveForest, rootOf, subtree } from "../../hierarchy/naiveForest.ts"
import { type ContractCases } from "../suite/ContractSuite.ts"
import { listQuery, scopeOfPartner } from "../suite/queries.ts"
import { later, moveIfAcyclic } from "../suite/storedRecords.ts"

/** A change of the hierarchy. Its numbers are indexes of partners, modulo the number of partners. */
type Change =
  | { readonly _tag: "Move"; readonly partner: number; readonly parent: number }
  | { readonly _tag: "Remove"; readonly partner: number }

const anyChange: fc.Arbitrary<Change> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ _tag: fc.constant("Move"), partner: fc.nat(), parent: fc.nat() }) },
  { weight: 1, arbitrary: fc.record({ _tag: fc.constant("Remove"), partner: fc.nat() }) }
)

/** Contract cases that compare the hierarchy with a simple model, the naive forest, after random changes. */
export const hierarchyModelCases: ContractCases<PartnerRepository | PartnerTree | UnitOfWork> = (it) => {
  it.forAll(
    "T10 the hierarchy equals the naive forest after random moves and removals",
    fc.record({ shape: forestShape(8), changes: fc.array(anyChange, { maxLength: 8 }) }),
    function*({ changes, shape }) {
      const repository = yield* PartnerRepository
      const tree = yield* PartnerTree
      const partners = yield* storeForest<ReadonlyArray<number | null>>(shape)
      const at = (place: number) => partners[place % partners.length] as PartnerDetail
      const live = new Set(partners.map(({ partner_id }) => partner_id))
      let model: NaiveForest<PartnerId> = forestOf(partners)

      for (const change of changes) {
        const partner = at(change.partner)
        const { partner_id } = partner
        if (!live.has(partner_id)) continue
        if (change._tag === "Remove") {
          if (childrenOf(model, partner_id).some((child) => live.has(child))) continue
          const stored = { ...partner, parent_id: model.get(partner_id) ?? null }
          yield* repository.remove(asOperator.inScope(stored), later)
          live.delete(partner_id)
          continue
        }
        const parent = at(change.parent)
        const root = rootOf(model, partner_id)
        // The use cases never move a root or move a partner to another tree, so the case skips such moves.
        if (root === undefined || root === partner_id || root !== rootOf(model, parent.partner_id)) continue
        if (!live.has(parent.partner_id)) continue
        yield* moveIfAcyclic({ partner_id: root }, partner, parent)
        model = Result.getOrElse(move(model, partner_id, parent.partner_id), () => model)
      }

      for (const top of partners) {
        const scope = scopeOfPartner(top)
        const { items } = yield* repository.list(scope, listQuery({}))
        const expected = subtree(model, top.partner_id).filter((id) => live.has(id))
        assert.deepStrictEqual(forestOf(items), new Map(expected.map((id) => [id, model.get(id) ?? null])))
        assert.sameMembers([...(yield* tree.list(scope, 100))], [...subtree(model, top.partner_id)])
        for (const { partner_id } of partners) {
          const isInScope = isWithin(model, top.partner_id, partner_id)
          assert.strictEqual(yield* tree.contains(scope, partner_id), isInScope)
          assert.strictEqual(
            yield* tree.isWithin(asOperator.inScope(top), asOperator.inScope(partner_id)),
            isInScope
          )
        }
      }
    }
  )
}
