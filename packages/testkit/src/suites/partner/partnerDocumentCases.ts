import { asOperator } from "@lastro/domain/hierarchy"
import { type PartnerDetail, PartnerRepository } from "@lastro/domain/partner"
import { UnitOfWork } from "@lastro/domain/ports"
import { type UserRepository } from "@lastro/domain/user"
import { assert } from "chai"
import { Effect, Result } from "effect"
import { aPartner } from "../../builders/aPartner.ts"
import { storeChildPartner, storeForest, storeRootPartner } from "../../builders/storedRecords.ts"
import { readPartner, removePartner } from "../hierarchy/storedPartner.ts"
import { type ContractCases } from "../suite/ContractSuite.ts"
import { recordOrRefusal, scopeOfPartner } from "../suite/queries.ts"

/** Contract cases for PartnerRepository: documents, which are unique within a tree. */
export const partnerDocumentCases: ContractCases<PartnerRepository | UserRepository | UnitOfWork> = (it) => {
  it("`insert` fails with DocumentTaken when another live partner under the same root has the document", function*() {
    const repository = yield* PartnerRepository
    const [root, child, inactive, other] = yield* storeForest(
      [null, 0, 0, 0],
      (index) => index === 2 ? { status: "inactive" } : {}
    )
    for (const taken of [root, child, inactive]) {
      const twin = yield* aPartner({ parent_id: other.partner_id, document_number: taken.document_number })
      const result = yield* Effect.result(repository.insert(asOperator.inScope(other.partner_id), twin))
      assert.strictEqual(Result.isFailure(result) && result.failure._tag, "DocumentTaken")
      assert.strictEqual(recordOrRefusal(yield* repository.find(scopeOfPartner(root), twin.partner_id)), "NotFound")
    }
  })

  it("partners under different roots can have the same document", function*() {
    const [root, child, stranger] = yield* storeForest([null, 0, null])
    const one = yield* storeChildPartner(stranger, { document_number: child.document_number })
    const two = yield* storeRootPartner({ document_number: root.document_number })
    assert.deepStrictEqual(yield* readPartner(one), one)
    assert.deepStrictEqual(yield* readPartner(two), two)
  })

  it("of concurrent transactions that insert the same document under one root, exactly one succeeds", function*() {
    const repository = yield* PartnerRepository
    const unit = yield* UnitOfWork
    const [root, left, right] = yield* storeForest([null, 0, 0])
    const { document_number } = yield* aPartner()
    const insertBelow = ({ partner_id: parent_id }: PartnerDetail) =>
      Effect.gen(function*() {
        const partner = yield* aPartner({ parent_id, document_number })
        yield* unit.atomically(repository.insert(asOperator.inScope(parent_id), partner))
      })
    const results = yield* Effect.all(
      [root, left, right, left].map((parent) => Effect.result(insertBelow(parent))),
      { concurrency: "unbounded" }
    )
    assert.deepStrictEqual(
      results.map((result) => Result.isFailure(result) ? result.failure._tag : "ok").toSorted(),
      [
        "DocumentTaken",
        "DocumentTaken",
        "DocumentTaken",
        "ok"
      ]
    )
  })

  it("the document of a removed partner can be used again", function*() {
    const [root, child] = yield* storeForest([null, 0])
    yield* removePartner(child)
    const next = yield* storeChildPartner(root, { document_number: child.document_number })
    assert.deepStrictEqual(yield* readPartner(next), next)
  })
}
