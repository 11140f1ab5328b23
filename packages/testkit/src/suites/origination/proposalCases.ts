import { foldText } from "@lastro/domain/input"
import { type Application, latestQuote } from "@lastro/domain/loan"
import {
  type ApplicationRepository,
  type ProposalFilters,
  proposalListItem,
  ProposalRepository,
  proposalSortFields,
  type PublicProposalListItem
} from "@lastro/domain/origination"
import { type PartnerDetail, type PartnerRepository } from "@lastro/domain/partner"
import { type PartnerTree, type UnitOfWork } from "@lastro/domain/ports"
import { addMillis, centavos, currentTimestamp, type ProposalId } from "@lastro/domain/values"
import { assert } from "chai"
import { Effect } from "effect"
import { aCustomer } from "../../builders/aCustomer.ts"
import {
  acceptQuotedOffer,
  answerWithOffers,
  recordContractStatus,
  submitExampleKyc
} from "../../builders/applicationStages.ts"
import { exampleInstant, freshId } from "../../builders/Fresh.ts"
import {
  saveApplication,
  storeApplication,
  storeContractedApplication,
  storeForest,
  storeRootPartner
} from "../../builders/storedRecords.ts"
import { contractState } from "../../offer/quotationFor.ts"
import { type FindSubject } from "../hierarchy/findCases.ts"
import { type ListSubject } from "../input/listCases.ts"
import { type ContractCases } from "../suite/ContractSuite.ts"
import { listQuery, recordOrRefusal, scopeOfPartner } from "../suite/queries.ts"
import {
  later,
  moveIfAcyclic,
  proposalIdOf,
  removePartner,
  requireContracted,
  storePaid
} from "../suite/storedRecords.ts"
import { atomically, inParallel, rollBack } from "../suite/transactions.ts"

type Ports = ApplicationRepository | PartnerRepository | PartnerTree | ProposalRepository | UnitOfWork

const find = (caller: PartnerDetail, id: ProposalId) =>
  Effect.map(ProposalRepository.use((proposals) => proposals.find(scopeOfPartner(caller), id)), recordOrRefusal)

const listIds = (caller: PartnerDetail) =>
  Effect.gen(function*() {
    const { items, total } = yield* (yield* ProposalRepository).list(scopeOfPartner(caller), listQuery({}))
    assert.strictEqual(items.length, total)
    return items.map(({ proposal_id }) => proposal_id)
  })

/** The find method of ProposalRepository, for the contract cases. */
export const proposalFinds: FindSubject<Application, Ports> = {
  methods: {
    find: (scope, id) => ProposalRepository.use((proposals) => proposals.find(scope, id as ProposalId))
  },
  store: (partner) =>
    Effect.map(storeContractedApplication(partner), (record) => ({ id: proposalIdOf(record), record })),
  threats: ["T01"]
}

/** Contract cases for ProposalRepository, except those for filters, sorts and pages. */
export const proposalRepositoryCases: ContractCases<Ports> = (it) => {
  it("`find` returns the current state of the proposal's application", function*() {
    const root = yield* storeRootPartner()
    const contract = yield* storeContractedApplication(root)
    const proposal_id = proposalIdOf(contract)
    assert.deepStrictEqual(yield* find(root, proposal_id), contract)
    const after = yield* saveApplication(contract, recordContractStatus(contract, "DISBURSEMENT_FAILED"))
    assert.deepStrictEqual(yield* find(root, proposal_id), after)
  })

  it("`find` returns nothing for the id of an application", function*() {
    const root = yield* storeRootPartner()
    const { application_id } = yield* storeContractedApplication(root)
    assert.strictEqual(yield* find(root, application_id as string as ProposalId), "NotFound")
  })

  it("`list` returns each proposal as `proposalListItem`, and no application without a proposal", function*() {
    const root = yield* storeRootPartner()
    yield* storeApplication(root)
    const contract = requireContracted(yield* storeContractedApplication(root))
    const slice = yield* (yield* ProposalRepository).list(scopeOfPartner(root), listQuery({}))
    assert.deepStrictEqual(slice, { items: [proposalListItem(contract)], total: 1 })
    assert.notInclude(JSON.stringify(slice), contract.customer.cpf)
  })

  it("T09 a proposal moves with its partner from the scope of the old ancestors to the scope of the new ones", function*() {
    const [root, left, right, moved] = yield* storeForest([null, 0, 0, 1])
    const id = proposalIdOf(yield* storeContractedApplication(moved))
    yield* moveIfAcyclic(root, moved, right)
    assert.strictEqual(yield* find(left, id), "OutsideHierarchy")
    assert.deepStrictEqual(yield* listIds(left), [])
    for (const caller of [root, right, moved]) assert.deepStrictEqual(yield* listIds(caller), [id])
  })

  it("T14 proposals of a removed partner stay in the scope of its ancestors", function*() {
    const [root, middle, child, sibling] = yield* storeForest([null, 0, 1, 0])
    const contract = yield* storePaid(child)
    yield* removePartner(child)
    yield* removePartner(middle)
    assert.deepStrictEqual<unknown>(yield* find(root, proposalIdOf(contract)), {
      ...contract,
      partner_deleted_at: later
    })
    assert.deepStrictEqual(yield* listIds(root), [proposalIdOf(contract)])
    assert.deepStrictEqual(yield* listIds(sibling), [])
  })

  it("an acceptance that rolls back leaves no proposal", function*() {
    const root = yield* storeRootPartner()
    yield* rollBack(Effect.gen(function*() {
      const id = proposalIdOf(yield* storeContractedApplication(root))
      assert.deepStrictEqual(yield* listIds(root), [id])
    }))
    assert.deepStrictEqual(yield* listIds(root), [])
  })

  it("`list` reads items and total from one snapshot while other transactions accept offers", function*() {
    const proposals = yield* ProposalRepository
    const root = yield* storeRootPartner()
    const listAll = proposals.list(scopeOfPartner(root), listQuery({}))
    const writers = Array.from({ length: 6 }, () => atomically(storeContractedApplication(root)))
    const [slices] = yield* inParallel([
      Effect.replicateEffect(listAll, 12),
      Effect.all(writers, { concurrency: 3, discard: true })
    ])
    for (const { items, total } of slices) assert.strictEqual(items.length, total)
    assert.strictEqual((yield* listAll).total, 6)
  })
}

const minute = (minutes: number) => addMillis(exampleInstant, minutes * 60_000)

/** The list method of ProposalRepository, for the contract cases. */
export const proposalList: ListSubject<
  PublicProposalListItem,
  ProposalFilters,
  "net_amount" | "paid_at" | "updated_at",
  Ports
> = {
  list: (scope, query, budget) => ProposalRepository.use((proposals) => proposals.list(scope, query, budget)),
  id: ({ proposal_id }) => proposal_id,
  name: ({ customer }) => customer.name ?? "",
  storeRecord: (partner) => Effect.map(storeContractedApplication(partner), proposalIdOf),
  storeNames: Effect.fnUntraced(function*(names) {
    const caller = yield* storeRootPartner()
    const at = yield* currentTimestamp
    const ids: Array<string> = []
    for (const name of names) {
      const customer = yield* aCustomer().named(name)
      ids.push(proposalIdOf(yield* storeContractedApplication(caller, { customer, at })))
    }
    return { caller, ids }
  }),
  textFilters: (text) => [{ customer_name: text }],
  storeFilterable: (partner) =>
    Effect.map(storeContractedApplication(partner), (application) => [
      { partner_id: partner.partner_id },
      { cpf: application.customer.cpf },
      { external_id: [application.external_id] },
      { number: requireContracted(application).proposal.number }
    ]),
  tiedSorts: proposalSortFields.flatMap((property) =>
    (["asc", "desc"] as const).map((direction) => [[{ property, direction }], direction] as const)
  ),
  filterExample: Effect.gen(function*() {
    const [root, child] = yield* storeForest([null, 0])
    const customer = yield* aCustomer().named("Ana Azul")
    const seller = yield* freshId
    /**
     * Stores a proposal that matches every filter, except where the argument overrides its fields. `created`, `paid`
     * and `updated` are minutes.
     */
    const storeBlue = Effect.fnUntraced(function*({
      created = 10,
      created_by = seller,
      external_id = "azul",
      lender = "blue",
      paid = 15,
      partner = child,
      person = customer,
      status = "PAID" as "PAID" | "REFUNDED",
      table = "light",
      updated = 20
    } = {}) {
      const opened = yield* storeApplication(partner, { customer: person, external_id, at: minute(created) })
      const quoted = yield* answerWithOffers(opened)
      const offers = latestQuote(quoted).offers.map((offer) => ({
        ...offer,
        lender,
        table: { code: table, label: table }
      }))
      const offered: Application = { ...quoted, quotes: [{ ...latestQuote(quoted), offers }] }
      const accepted = requireContracted(yield* acceptQuotedOffer(submitExampleKyc(offered)))
      const proposal = { ...accepted.proposal, created_by }
      const contract = yield* saveApplication(opened, { ...accepted, proposal })
      const payment = { amount: centavos(900_00), at: minute(paid), end_to_end_id: null }
      const recordStatus = (before: Application, status: "PAID" | "REFUNDED") => {
        const change = { ...contractState(status), paid: payment, at: minute(updated) }
        return saveApplication(before, recordContractStatus(before, status, change))
      }
      const paidContract = yield* recordStatus(contract, "PAID")
      if (status === "REFUNDED") yield* recordStatus(paidContract, status)
      return proposalIdOf(contract) as string
    })
    return {
      caller: root,
      filters: {
        cpf: customer.cpf,
        customer_name: foldText("azul"),
        external_id: ["azul", "roxo"],
        status: ["PAID", "SETTLED"],
        created_by: seller,
        lender: "blue",
        table: "light",
        paid_from: minute(15),
        paid_to: minute(16),
        partner_id: child.partner_id,
        created_from: minute(10),
        created_to: minute(11),
        updated_from: minute(20),
        updated_to: minute(21)
      },
      match: yield* storeBlue(),
      mismatches: {
        cpf: yield* storeBlue({ person: yield* aCustomer().named("Ana Azul") }),
        customer_name: yield* storeBlue({ person: { ...customer, name: "Ana Verde" as typeof customer.name } }),
        external_id: yield* storeBlue({ external_id: "verde" }),
        status: yield* storeBlue({ status: "REFUNDED" }),
        created_by: yield* storeBlue({ created_by: yield* freshId }),
        lender: yield* storeBlue({ lender: "green" }),
        table: yield* storeBlue({ table: "green" }),
        paid_from: yield* storeBlue({ paid: 14 }),
        paid_to: yield* storeBlue({ paid: 16 }),
        partner_id: yield* storeBlue({ partner: root }),
        created_from: yield* storeBlue({ created: 9 }),
        created_to: yield* storeBlue({ created: 11 }),
        updated_from: yield* storeBlue({ updated: 19 }),
        updated_to: yield* storeBlue({ updated: 21 })
      }
    }
  })
}
