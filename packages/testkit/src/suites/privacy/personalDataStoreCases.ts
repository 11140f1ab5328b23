import { type AuditLog } from "@lastro/domain/audit"
import {
  CommissionLedger,
  CommissionSettlement,
  type PayoutId,
  type Period,
  type StoredPayout
} from "@lastro/domain/commission"
import { asOperator } from "@lastro/domain/hierarchy"
import { IdempotencyStore, type StoredAnswer } from "@lastro/domain/idempotency"
import { LoginAttempts } from "@lastro/domain/identity"
import { type Application } from "@lastro/domain/loan"
import { ApplicationRepository } from "@lastro/domain/origination"
import { type PartnerDetail, type PartnerRepository } from "@lastro/domain/partner"
import { type UnitOfWork } from "@lastro/domain/ports"
import {
  type ChangePosition,
  type HeldRecords,
  PersonalDataStore,
  type UnsoldApplications
} from "@lastro/domain/privacy"
import { type UserListItem, type UserRepository } from "@lastro/domain/user"
import { centavos, type Cpf, type Timestamp, timestampOf } from "@lastro/domain/values"
import { assert } from "chai"
import { Effect, Option } from "effect"
import { aCommissionEntry } from "../../builders/aCommissionEntry.ts"
import { aCustomer } from "../../builders/aCustomer.ts"
import { exampleInstant, freshCpf, freshId } from "../../builders/Fresh.ts"
import {
  saveApplication,
  storeApplication,
  storeChildPartner,
  storeContractedApplication,
  storeRootPartner,
  storeUser
} from "../../builders/storedRecords.ts"
import { type ContractCases } from "../suite/ContractSuite.ts"
import { scopeOfPartner } from "../suite/queries.ts"
import {
  later,
  readApplication,
  removePartner,
  removeUser,
  requireContracted,
  storeAuditEntry
} from "../suite/storedRecords.ts"
import { atomically, holdOpen, rollBack } from "../suite/transactions.ts"

/** The ports that the contract cases of PersonalDataStore use. */
export type PersonalDataPorts =
  | ApplicationRepository
  | AuditLog
  | CommissionLedger
  | CommissionSettlement
  | IdempotencyStore
  | LoginAttempts
  | PartnerRepository
  | PersonalDataStore
  | UnitOfWork
  | UserRepository

const find = (cpf: Cpf) => atomically(PersonalDataStore.use((store) => store.findForUpdate(cpf)))

const findDeleted = (until: Timestamp, limit = 1_000_000) =>
  atomically(PersonalDataStore.use((store) => store.findDeleted(until, limit)))

/** Returns whether `findDeleted` returns a user, and whether it returns a partner. */
const areFound = (until: Timestamp, { user_id }: UserListItem, { partner_id }: PartnerDetail) =>
  Effect.map(findDeleted(until), ({ partners, users }) => [
    users.some(({ user }) => user.user_id === user_id),
    partners.some(({ partner }) => partner.partner_id === partner_id)
  ])

const idsOf = ({ applications, partners, sales, users }: HeldRecords) => ({
  applications: applications.map(({ application_id }) => application_id),
  users: users.map(({ user }) => user.user_id),
  partners: partners.map(({ partner }) => partner.partner_id),
  sales: sales.map(({ application_id }) => application_id)
})

/** Stores a contracted application that was sold by a user with this CPF. */
const storeSale = Effect.fnUntraced(function*(partner: PartnerDetail, cpf: Cpf) {
  const application = requireContracted(yield* storeContractedApplication(partner))
  const origin = {
    partner: { partner_id: partner.partner_id, document_number: partner.document_number as never },
    agent: { id: "agent", name: "Agente Exemplo", cpf }
  }
  return yield* saveApplication(application, {
    ...application,
    proposal: { ...application.proposal, origin },
    version: application.version + 1
  })
})

const byLastChange = (a: Application, b: Application): number =>
  `${a.updated_at} ${a.application_id}` < `${b.updated_at} ${b.application_id}` ? -1 : 1

/** Returns an application with another value for each value that an erasure replaces. */
const replaced = (application: Application): Application => ({
  ...application,
  external_id: "erased",
  customer: { cpf: "" as Cpf, birth_date: "" as never, name: null, email: null, phone: null },
  metadata: {},
  kyc: null,
  proposal: application.proposal === null ? null : {
    ...application.proposal,
    customer: { name: "", cpf: "" as Cpf },
    acceptance: { ...application.proposal.acceptance, ip: null }
  },
  erased_at: later,
  updated_at: later,
  version: application.version + 1
})

/** Contract cases for PersonalDataStore. */
export const personalDataStoreCases: ContractCases<PersonalDataPorts> = (it, { units }) => {
  it("`findForUpdate` returns all records about a person in all trees, deleted ones included, each list ordered by id", function*() {
    const [root, otherRoot] = [yield* storeRootPartner(), yield* storeRootPartner()]
    const cpf = yield* freshCpf
    const customer = yield* aCustomer({ cpf })
    const applications = [
      yield* storeApplication(root, { customer }),
      yield* storeContractedApplication(otherRoot, { customer })
    ]
    const [user, deletedUser] = [yield* storeUser(root, { cpf }), yield* storeUser(otherRoot, { cpf })]
    yield* removeUser(otherRoot, deletedUser)
    const person = yield* storeChildPartner(root, { person_type: "pf", document_number: cpf })
    const paid = yield* storeChildPartner(root, { pix: { type: "CPF", key: cpf as never } })
    yield* removePartner(paid)
    const sale = yield* storeSale(root, cpf)
    yield* storeSale(root, yield* freshCpf)
    yield* storeUser(root)
    const found = yield* find(cpf)
    assert.deepStrictEqual(idsOf(found), {
      applications: applications.map(({ application_id }) => application_id).toSorted(),
      users: [user.user_id, deletedUser.user_id].toSorted(),
      partners: [person.partner_id, paid.partner_id].toSorted(),
      sales: [sale.application_id]
    })
    assert.sameDeepMembers([...found.users], [
      { user, deleted_at: null },
      { user: deletedUser, deleted_at: later }
    ])
    assert.sameDeepMembers([...found.partners], [
      { partner: person, deleted_at: null },
      { partner: paid, deleted_at: later }
    ])
    assert.sameDeepMembers([...found.applications], applications)
    assert.deepStrictEqual(found.sales, [sale])
  })

  it("`saveApplication` replaces every value, also those for search, and an erased application is not found again", function*() {
    const root = yield* storeRootPartner()
    const cpf = yield* freshCpf
    const customer = yield* aCustomer({ cpf })
    const { findByExternalId } = yield* ApplicationRepository
    const applications = [
      yield* storeApplication(root, { customer }),
      yield* storeContractedApplication(root, { customer })
    ]
    for (const stored of applications) {
      const after = replaced(stored)
      yield* (yield* PersonalDataStore).saveApplication(after)
      assert.deepStrictEqual(yield* readApplication(root, stored), after)
      assert.deepStrictEqual(yield* findByExternalId(scopeOfPartner(root), stored.external_id, 10), [])
    }
    assert.deepStrictEqual((yield* find(cpf)).applications, [])
  })

  it("`findDeleted` returns up to `limit` users and partners that were deleted at `until` or before", function*() {
    const root = yield* storeRootPartner()
    const user = yield* storeUser(root)
    yield* storeUser(root)
    yield* removeUser(root, user)
    const child = yield* storeChildPartner(root)
    yield* removePartner(child)
    const earlier = timestampOf(Date.parse(later) - 1)
    assert.deepStrictEqual(yield* areFound(later, user, child), [true, true])
    assert.deepStrictEqual(yield* areFound(earlier, user, child), [false, false])
    const few = yield* findDeleted(later, 1)
    assert.deepStrictEqual([few.users.length, few.partners.length], [1, 1])
  })

  it("PRIV-15 `findUnsold` returns old applications without a contract, in pieces and in the order of their last change", function*() {
    const store = yield* PersonalDataStore
    const [root, other] = [yield* storeRootPartner(), yield* storeRootPartner()]
    const sold = yield* storeContractedApplication(root)
    const first = yield* storeApplication(root)
    const unsold = [first, yield* storeApplication(other), yield* storeApplication(root)]
    const known = new Set([sold, ...unsold].map(({ application_id }) => application_id))
    /** Reads all pieces. Returns the applications of this case. */
    const read = Effect.fnUntraced(function*(until: Timestamp, limit: number) {
      const found: Array<Application> = []
      let after: ChangePosition | null = null
      do {
        const piece: UnsoldApplications = yield* atomically(store.findUnsold(until, after, limit))
        assert.isAtMost(piece.applications.length, limit)
        found.push(...piece.applications.filter(({ application_id }) => known.has(application_id)))
        after = piece.next
      } while (after !== null)
      return found
    })
    for (const limit of [2, 1_000]) {
      assert.deepStrictEqual(yield* read(later, limit), unsold.toSorted(byLastChange))
    }
    assert.deepStrictEqual(yield* read(timestampOf(Date.parse(first.updated_at) - 1), 1_000), [])
    yield* atomically(store.saveApplication(replaced(first)))
    const ids = (yield* read(later, 1_000)).map(({ application_id }) => application_id)
    assert.notInclude(ids, first.application_id)
  })

  it("`saveApplication` and `deleteTraces` roll back with the surrounding transaction", function*() {
    const store = yield* PersonalDataStore
    const root = yield* storeRootPartner()
    const stored = yield* storeApplication(root)
    const failure = { username: yield* freshId, ip: "203.0.113.7", at: later }
    const attempts = yield* LoginAttempts
    yield* attempts.record(failure)
    yield* rollBack(Effect.andThen(
      store.saveApplication(replaced(stored)),
      store.deleteTraces({ record_ids: [], partner_ids: [], references: [], usernames: [failure.username] })
    ))
    assert.deepStrictEqual(yield* readApplication(root, stored), stored)
    assert.lengthOf(yield* attempts.failures(failure.username, failure.ip, later), 1)
  })

  it("`saveUser` and `savePartner` replace the data of deleted accounts, mark them as erased, and do not change existing accounts", function*() {
    const store = yield* PersonalDataStore
    const root = yield* storeRootPartner()
    const cpf = yield* freshCpf
    const user = yield* storeUser(root, { cpf })
    const person = yield* storeChildPartner(root, { person_type: "pf", document_number: cpf })
    const blank = { name: "", email: "", phone: "" }
    const erase = Effect.gen(function*() {
      yield* store.saveUser({ ...user, ...blank, cpf: "" }, later)
      yield* store.savePartner({ ...person, ...blank, document_number: "", pix: null }, later)
    })
    yield* erase
    const existing = yield* find(cpf)
    assert.deepStrictEqual(existing.users, [{ user, deleted_at: null }])
    assert.deepStrictEqual(existing.partners, [{ partner: person, deleted_at: null }])
    yield* removeUser(root, user)
    yield* removePartner(person)
    yield* erase
    assert.deepStrictEqual(idsOf(yield* find(cpf)), { applications: [], users: [], partners: [], sales: [] })
    assert.deepStrictEqual(yield* areFound(later, user, person), [false, false])
  })

  it("`auditOf` returns the entries about the records, oldest first, and `saveAudit` replaces `before`, `after` and `changed`", function*() {
    const store = yield* PersonalDataStore
    const root = yield* storeRootPartner()
    const [first, second] = [yield* freshId, yield* freshId]
    const entries = [
      yield* storeAuditEntry(root, { subject_id: first }),
      yield* storeAuditEntry(root, { subject_id: second }),
      yield* storeAuditEntry(root, { subject_id: first })
    ]
    const unrelated = yield* storeAuditEntry(root, { subject_id: yield* freshId })
    assert.deepStrictEqual(yield* store.auditOf([first, second]), entries)
    const erased = entries.map((entry) => ({
      ...entry,
      before: { name: null },
      after: { status: "x" },
      changed: ["name"]
    }))
    yield* store.saveAudit(erased)
    assert.deepStrictEqual(yield* store.auditOf([first, second]), erased)
    assert.deepStrictEqual(yield* store.auditOf([unrelated.subject_id]), [unrelated])
  })

  it("`deleteTraces` deletes the stored responses about the records and the failed sign-ins of the usernames, and no others", function*() {
    const { partner_id } = yield* storeRootPartner()
    const answers = yield* IdempotencyStore
    const attempts = yield* LoginAttempts
    const save = Effect.fnUntraced(function*(record_id: string) {
      const slot = { subject: yield* freshId, key: yield* freshId }
      const answer: StoredAnswer = { fingerprint: "f", partner_id, record_id, answer: "{}", stored_at: exampleInstant }
      yield* answers.save(slot, answer)
      return slot
    })
    const [record_id, username, otherName] = [yield* freshId, yield* freshId, yield* freshId]
    const [own, other] = [yield* save(record_id), yield* save(yield* freshId)]
    for (const name of [username, otherName]) {
      yield* attempts.record({ username: name, ip: "192.0.2.1", at: exampleInstant })
    }
    yield* (yield* PersonalDataStore).deleteTraces({
      record_ids: [record_id],
      references: [],
      partner_ids: [partner_id],
      usernames: [username]
    })
    assert.isTrue(Option.isNone(yield* answers.find(own, exampleInstant)))
    assert.isTrue(Option.isSome(yield* answers.find(other, exampleInstant)))
    assert.lengthOf(yield* attempts.failures(username, "192.0.2.1", exampleInstant), 0)
    assert.lengthOf(yield* attempts.failures(otherName, "192.0.2.1", exampleInstant), 1)
  })

  it("PRIV-16 `commissionsOf` returns the entries of the partners and the payouts to them, oldest first, also after an erasure", function*() {
    const store = yield* PersonalDataStore
    const root = yield* storeRootPartner()
    const cpf = yield* freshCpf
    const person = yield* storeChildPartner(root, { person_type: "pf", document_number: cpf })
    const path = [person, root]
    const first = yield* aCommissionEntry(path, { status: "CLOSED" })
    const second = yield* aCommissionEntry(path, { occurred_at: later })
    const third = yield* aCommissionEntry(path, {
      proposal_id: second.proposal_id,
      kind: "CLAWBACK",
      amount: centavos(-1_250),
      occurred_at: timestampOf(Date.parse(later) + 1)
    })
    const ledger = yield* CommissionLedger
    yield* ledger.append([third, second, first])
    yield* ledger.append([yield* aCommissionEntry([root])])
    const payout: StoredPayout = {
      payout_id: (yield* freshId) as PayoutId,
      partner_id: person.partner_id,
      viewers: [person.partner_id, root.partner_id],
      period: "2026-01" as Period,
      amount: centavos(1_250),
      withheld: [{ kind: "ISS", amount: centavos(5) }],
      net_amount: centavos(1_245),
      reference: "TED 1",
      paid_at: exampleInstant,
      created_at: exampleInstant
    }
    yield* atomically(
      CommissionSettlement.use((settlement) =>
        settlement.pay(scopeOfPartner(root), asOperator.inScope(person.partner_id), payout)
      )
    )
    const expected: Effect.Success<ReturnType<typeof store.commissionsOf>> = {
      entries: [{ ...first, status: "PAID", payout_id: payout.payout_id }, second, third],
      payouts: [payout]
    }
    const commissions = store.commissionsOf([person.partner_id])
    assert.deepStrictEqual(yield* commissions, expected)
    assert.deepStrictEqual(yield* store.commissionsOf([]), { entries: [], payouts: [] })
    yield* removePartner(person)
    yield* store.savePartner({ ...person, name: "", email: "", phone: "", document_number: "", pix: null }, later)
    yield* store.deleteTraces({ record_ids: [], partner_ids: [person.partner_id], references: [], usernames: [] })
    assert.deepStrictEqual(yield* commissions, expected)
  })

  if (units === "serialised") return

  it("`findDeleted` skips records that another transaction has locked", function*() {
    const store = yield* PersonalDataStore
    const root = yield* storeRootPartner()
    const user = yield* storeUser(root)
    yield* removeUser(root, user)
    const isFound = areFound(later, user, root)
    const first = yield* holdOpen(store.findDeleted(later, 1_000_000))
    assert.deepStrictEqual(yield* isFound, [false, false])
    yield* first.release
    assert.deepStrictEqual(yield* isFound, [true, false])
  })
}
