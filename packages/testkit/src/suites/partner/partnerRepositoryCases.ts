import { asOperator } from "@lastro/domain/hierarchy"
import { newPartner, type PartnerDetail, PartnerRepository } from "@lastro/domain/partner"
import { type UnitOfWork } from "@lastro/domain/ports"
import { UserRepository } from "@lastro/domain/user"
import { type DocumentNumber, type Email, type PartnerId, type Phone } from "@lastro/domain/values"
import { assert } from "chai"
import { Effect, Result } from "effect"
import { aPartner, completePartner, exampleAddress, exampleBankAccount } from "../../builders/aPartner.ts"
import { storeChildPartner, storeForest, storeRootPartner, storeUser } from "../../builders/storedRecords.ts"
import { type FindSubject } from "../hierarchy/findCases.ts"
import { type ContractCases } from "../suite/ContractSuite.ts"
import { decomposedText, listQuery, recordOrRefusal, requireInScope, scopeOfPartner } from "../suite/queries.ts"
import {
  findPartnerForUpdate,
  later,
  readPartner,
  readUser,
  removePartner,
  renamePartner,
  userDetailOf
} from "../suite/storedRecords.ts"
import { atomically, inParallel, repeatInParallel, rollBack } from "../suite/transactions.ts"

/** The find methods of PartnerRepository, for the contract cases. */
export const partnerFinds: FindSubject<PartnerDetail, PartnerRepository> = {
  methods: {
    find: (scope, id) => PartnerRepository.use((partners) => partners.find(scope, id as PartnerId)),
    findForUpdate: (scope, id) => PartnerRepository.use((partners) => partners.findForUpdate(scope, id as PartnerId))
  },
  store: (partner) => Effect.succeed({ id: partner.partner_id, record: partner })
}

/** Contract cases for PartnerRepository, except those for lists and removal. */
export const partnerRepositoryCases: ContractCases<PartnerRepository | UnitOfWork> = (it) => {
  it("`find` and `findForUpdate` return the partner with every field as inserted", function*() {
    const repository = yield* PartnerRepository
    const root = yield* storeRootPartner(yield* completePartner)
    const bare = yield* storeChildPartner(root)
    for (const partner of [root, bare]) {
      assert.deepStrictEqual(yield* readPartner(partner), partner)
      assert.deepStrictEqual(
        recordOrRefusal(yield* repository.findForUpdate(scopeOfPartner(root), partner.partner_id)),
        partner
      )
    }
  })

  it("`find` returns a new partner with its fields in the same order, byte for byte", function*() {
    const { address, bank_account, created_at, pix, ...fields } = yield* completePartner
    const root = yield* storeRootPartner()
    const partner = newPartner({
      partner: {
        type: fields.person_type,
        name: fields.name,
        email: fields.email as Email,
        phone: fields.phone as Phone,
        document_number: fields.document_number as DocumentNumber
      },
      pix,
      address,
      bank_account
    }, { partner_id: fields.partner_id, parent_id: root.partner_id, created_at })
    yield* (yield* PartnerRepository).insert(asOperator.inScope(root.partner_id), partner)
    assert.strictEqual(JSON.stringify(yield* readPartner(partner)), JSON.stringify(partner))
  })

  it("`insert` and `update` store text character for character, without normalizing it", function*() {
    const partners = yield* PartnerRepository
    // The domain normalizes the texts of every other field itself.
    const root: PartnerDetail = { ...(yield* aPartner()), metadata: { note: decomposedText } }
    yield* partners.insertRoot(asOperator.inScope(root))
    assert.deepStrictEqual(yield* readPartner(root), root)
    const after = { ...root, metadata: { note: `${decomposedText} 2` } }
    yield* partners.update(asOperator.inScope(root), after)
    assert.deepStrictEqual(yield* readPartner(root), after)
  })

  it("`findForUpdate` locks the partner until the transaction ends, so that no update is lost", function*() {
    const repository = yield* PartnerRepository
    const root = yield* storeRootPartner({ name: "0" })
    const increment = atomically(Effect.gen(function*() {
      const before = yield* findPartnerForUpdate(root)
      yield* Effect.yieldNow
      yield* repository.update(before, { ...before.record, name: String(Number(before.record.name) + 1) })
    }))
    yield* repeatInParallel(8, increment)
    assert.deepStrictEqual(yield* readPartner(root), { ...root, name: "8" })
  })

  it("`update` saves every field except parent_id and the immutable fields", function*() {
    const repository = yield* PartnerRepository
    const [root, child, other] = yield* storeForest([null, 0, 0])
    const { created_at, document_number, partner_id, person_type } = child
    const complete = yield* completePartner.withAddress({ district: "Centro" }).withBankAccount({ agency_digit: "9" })
    const after = { ...complete, partner_id, parent_id: other.partner_id }
    const kept = { parent_id: root.partner_id, created_at, document_number, person_type }
    for (const name of ["created_at", "document_number", "person_type"] as const) {
      assert.notStrictEqual(after[name], child[name])
    }
    const address = { ...exampleAddress, district: null, complement: null }
    const bank_account = { ...exampleBankAccount, agency_digit: null, account_digit: null }
    const emptied = { pix: null, address: null, bank_account: null, metadata: {} }
    for (const fields of [{}, { address, bank_account }, {}, emptied]) {
      yield* repository.update(yield* findPartnerForUpdate(child), { ...after, ...fields })
      assert.deepStrictEqual(yield* readPartner(child), { ...after, ...fields, ...kept })
    }
    assert.deepStrictEqual(yield* readPartner(other), other)
  })

  it("`insert`, `update` and `remove` roll back with the surrounding transaction", function*() {
    const repository = yield* PartnerRepository
    const [root, child, leaf] = yield* storeForest([null, 0, 0])
    const added = yield* aPartner({ parent_id: root.partner_id })
    yield* rollBack(Effect.gen(function*() {
      yield* repository.insert(asOperator.inScope(root.partner_id), added)
      yield* renamePartner(child, "Outro Nome")
      yield* removePartner(leaf)
    }))
    assert.strictEqual(yield* readPartner(added), "NotFound")
    for (const partner of [child, leaf]) assert.deepStrictEqual(yield* readPartner(partner), partner)
  })

  it("`list` reads items and total from one snapshot while other transactions insert and remove", function*() {
    const repository = yield* PartnerRepository
    const root = yield* storeRootPartner()
    const insertAndRemove = atomically(Effect.gen(function*() {
      yield* storeChildPartner(root)
      yield* removePartner(yield* storeChildPartner(root))
    }))
    const listAll = repository.list(scopeOfPartner(root), listQuery({}))
    const writers = Array.from({ length: 6 }, () => Effect.asVoid(insertAndRemove))
    const slices = yield* inParallel([
      Effect.replicateEffect(listAll, 12),
      Effect.all(writers, { concurrency: 3, discard: true })
    ])
    for (const { items, total } of slices[0]) assert.strictEqual(items.length, total)
    assert.strictEqual((yield* listAll).total, 7)
  })
}

/** Contract cases for PartnerRepository: `remove` and `dependents`. */
export const partnerRemovalCases: ContractCases<PartnerRepository | UserRepository | UnitOfWork> = (it) => {
  it("`remove` hides the partner from every read", function*() {
    const repository = yield* PartnerRepository
    const [root, child, sibling] = yield* storeForest([null, 0, 0])
    yield* removePartner(child)
    assert.strictEqual(yield* readPartner(child), "NotFound")
    assert.strictEqual(
      recordOrRefusal(yield* repository.findForUpdate(scopeOfPartner(root), child.partner_id)),
      "NotFound"
    )
    const { items, total } = yield* repository.list(scopeOfPartner(root), listQuery({}))
    assert.sameMembers(items.map(({ partner_id }) => partner_id), [root.partner_id, sibling.partner_id])
    assert.strictEqual(total, 2)
    assert.strictEqual((yield* repository.dependents(asOperator.inScope(root))).children, 1)
  })

  it("`remove` leaves the descendants and the users of the partner unchanged", function*() {
    const users = yield* UserRepository
    const [root, child, grandchild] = yield* storeForest([null, 0, 1])
    const [ofChild, ofGrandchild] = [yield* storeUser(child), yield* storeUser(grandchild)]
    yield* removePartner(child)
    assert.deepStrictEqual(yield* readPartner(grandchild), grandchild)
    assert.deepStrictEqual(yield* readUser(root, ofChild), userDetailOf(child, ofChild))
    assert.deepStrictEqual(yield* readUser(root, ofGrandchild), userDetailOf(grandchild, ofGrandchild))
    const { items, total } = yield* users.list(scopeOfPartner(root), listQuery({}))
    assert.sameDeepMembers([...items], [ofChild, ofGrandchild])
    assert.strictEqual(total, 2)
  })

  it("`dependents` counts direct children and users, including inactive ones but not removed ones", function*() {
    const repository = yield* PartnerRepository
    const [root, child, sibling, grandchild] = yield* storeForest(
      [null, 0, 0, 1],
      (index) => index === 1 ? { status: "inactive" } : {}
    )
    const user = yield* storeUser(child)
    yield* storeUser(child, { status: "INACTIVE" })
    yield* storeUser(grandchild)
    const noCommissions = { unpaid_commissions: 0, open_commissions: 0 }
    const dependents = (partner: PartnerDetail) => repository.dependents(asOperator.inScope(partner))
    assert.deepStrictEqual(yield* dependents(root), { children: 2, users: 0, applications: 0, ...noCommissions })
    assert.deepStrictEqual(yield* dependents(child), { children: 1, users: 2, applications: 0, ...noCommissions })
    assert.deepStrictEqual(yield* dependents(sibling), { children: 0, users: 0, applications: 0, ...noCommissions })
    const users = yield* UserRepository
    yield* users.remove(yield* requireInScope(users.findForUpdate(scopeOfPartner(root), user.user_id)), later)
    assert.deepStrictEqual(yield* dependents(child), { children: 1, users: 1, applications: 0, ...noCommissions })
    yield* removePartner(sibling)
    assert.deepStrictEqual(yield* dependents(root), { children: 1, users: 0, applications: 0, ...noCommissions })
  })
}

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
      const refused = yield* Effect.flip(repository.insert(asOperator.inScope(other.partner_id), twin))
      assert.strictEqual(refused._tag, "DocumentTaken")
      assert.strictEqual(recordOrRefusal(yield* repository.find(scopeOfPartner(root), twin.partner_id)), "NotFound")
    }
  })

  it("partners under different roots can have the same document", function*() {
    const [root, child, stranger] = yield* storeForest([null, 0, null])
    const twins = [
      yield* storeChildPartner(stranger, { document_number: child.document_number }),
      yield* storeRootPartner({ document_number: root.document_number })
    ]
    for (const twin of twins) assert.deepStrictEqual(yield* readPartner(twin), twin)
  })

  it("of concurrent transactions that insert the same document under one root, exactly one succeeds", function*() {
    const repository = yield* PartnerRepository
    const [root, left, right] = yield* storeForest([null, 0, 0])
    const { document_number } = yield* aPartner()
    const insertBelow = ({ partner_id: parent_id }: PartnerDetail) =>
      Effect.gen(function*() {
        const partner = yield* aPartner({ parent_id, document_number })
        yield* atomically(repository.insert(asOperator.inScope(parent_id), partner))
      })
    const results = yield* inParallel([root, left, right, left].map((parent) => Effect.result(insertBelow(parent))))
    const refusals = results.filter(Result.isFailure).map(({ failure }) => failure._tag)
    assert.deepStrictEqual(refusals, ["DocumentTaken", "DocumentTaken", "DocumentTaken"])
  })

  it("the document of a removed partner can be used again", function*() {
    const [root, child] = yield* storeForest([null, 0])
    yield* removePartner(child)
    const next = yield* storeChildPartner(root, { document_number: child.document_number })
    assert.deepStrictEqual(yield* readPartner(next), next)
  })
}
