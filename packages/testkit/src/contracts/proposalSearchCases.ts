import {
  type ApplicationRepository,
  type Contracted,
  fold,
  type PartnerDetail,
  type PartnerRepository,
  type ProposalFilters,
  ProposalRepository,
  proposalSortFields
} from "@lastro/domain"
import { assert } from "chai"
import { Effect } from "effect"
import { aCustomer } from "../given/aCustomer.ts"
import { givenContract } from "../given/givenApplication.ts"
import { givenForest } from "../given/givenForest.ts"
import { givenRoot } from "../given/givenPartner.ts"
import { type ContractCases } from "./ContractSuite.ts"
import { acceptedIn, contractOf } from "./proposalsUnderTest.ts"
import { query, scopeOfPartner } from "./read.ts"

/** Adds the contract of a customer of this name to a partner. */
const givenContractOf = Effect.fnUntraced(function*(partner: PartnerDetail, name: string) {
  const customer = yield* aCustomer({ name: name as Contracted["customer"]["name"] })
  return contractOf(yield* givenContract(partner, { customer }))
})

/** The contract of ProposalRepository's lists about what is easily got wrong. */
export const proposalSearchCases: ContractCases<ApplicationRepository | PartnerRepository | ProposalRepository> = (
  it
) => {
  it("T03 T34 a filter by a partner, a CPF or an external id outside the scope shows and counts nothing", () =>
    Effect.gen(function*() {
      const repository = yield* ProposalRepository
      const [root, child, stranger] = yield* givenForest([null, 0, null])
      for (const partner of [root, stranger]) {
        const { customer: { cpf }, external_id } = yield* givenContract(partner)
        const filtersBy: ReadonlyArray<ProposalFilters> = [{ partner_id: partner.partner_id }, { cpf }, { external_id }]
        for (const filters of filtersBy) {
          const slice = yield* repository.list(scopeOfPartner(child), query(filters))
          assert.deepStrictEqual(slice, { items: [], total: 0 })
        }
      }
    }))

  it("T16 the characters %, _ and \\ are found literally and match nothing else", () =>
    Effect.gen(function*() {
      const repository = yield* ProposalRepository
      const partner = yield* givenRoot()
      const names = ["per%cent", "under_score", "back\\slash", "plain"]
      for (const name of names) yield* givenContractOf(partner, name)
      const cases = [["%", "per%cent"], ["_", "under_score"], ["\\", "back\\slash"]] as const
      for (const [text, name] of cases) {
        const filters = { customer_name: fold(text) }
        const { items, total } = yield* repository.list(scopeOfPartner(partner), query(filters))
        assert.deepStrictEqual(items.map(({ customer }) => customer.name), [name])
        assert.strictEqual(total, 1)
      }
    }))

  it("a name matches anywhere, whatever its letter case and accents", () =>
    Effect.gen(function*() {
      const repository = yield* ProposalRepository
      const partner = yield* givenRoot()
      for (const name of ["Maria JOSÉ", "jose", "Josué"]) yield* givenContractOf(partner, name)
      const { items } = yield* repository.list(scopeOfPartner(partner), query({ customer_name: fold("José") }))
      assert.sameMembers(items.map(({ customer }) => customer.name), ["Maria JOSÉ", "jose"])
    }))

  it("PAGE-13 ties are broken by id, in the direction of the last sort", () =>
    Effect.gen(function*() {
      const repository = yield* ProposalRepository
      const partner = yield* givenRoot()
      const ids = (yield* Effect.replicateEffect(givenContract(partner), 6)).map(acceptedIn).toSorted()
      for (const property of proposalSortFields) {
        for (const direction of ["asc", "desc"] as const) {
          const sort = [{ property, direction }] as const
          const { items } = yield* repository.list(scopeOfPartner(partner), query({}, { sort }))
          assert.deepStrictEqual(
            items.map(({ proposal_id }) => proposal_id),
            direction === "asc" ? ids : ids.toReversed()
          )
        }
      }
    }))

  it("T20 a page far past the end is empty and has the right total", () =>
    Effect.gen(function*() {
      const repository = yield* ProposalRepository
      const partner = yield* givenRoot()
      yield* Effect.replicateEffect(givenContract(partner), 2)
      for (const number of [1, 1_000_000, 1_000_000_000]) {
        const slice = yield* repository.list(scopeOfPartner(partner), query({}, { page: { number, size: 100 } }))
        assert.deepStrictEqual(slice, { items: [], total: 2 })
      }
    }))
}
