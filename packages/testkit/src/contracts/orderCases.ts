import { PartnerRepository, type SortBy, UserRepository } from "@lastro/domain"
import { assert } from "chai"
import { Effect } from "effect"
import { givenForest } from "../given/givenForest.ts"
import { givenRoot } from "../given/givenPartner.ts"
import { givenUser } from "../given/givenUser.ts"
import { type ContractCases } from "./ContractSuite.ts"
import { query, scopeOfPartner } from "./read.ts"

type By = SortBy<"created_at" | "name" | "status">

/** Names in ascending order: by what folding makes of them, code point by code point, not by UTF-16 code units. */
const ascending = ["Abacate", "ábaco", "ABC", "Straße", "strassf", "Zz", "\uff5e\uff5e", "\u{1f600}\u{1f600}"]

const shuffled = [5, 2, 7, 0, 3, 6, 1, 4].map((place) => ascending[place] ?? "")

const byName = [
  [[{ property: "name", direction: "asc" }], ascending],
  [[{ property: "name", direction: "desc" }], ascending.toReversed()]
] as const

/** Orders that leave every record equal, with the direction in which their ids break the tie. */
const ties: ReadonlyArray<readonly [readonly [By, ...Array<By>], By["direction"]]> = [
  [[{ property: "created_at", direction: "desc" }], "desc"],
  [[{ property: "status", direction: "asc" }], "asc"],
  [[{ property: "name", direction: "asc" }, { property: "created_at", direction: "desc" }], "desc"],
  [[{ property: "created_at", direction: "desc" }, { property: "name", direction: "asc" }], "asc"]
]

const directed = (ids: ReadonlyArray<string>, direction: By["direction"]): ReadonlyArray<string> =>
  direction === "asc" ? ids.toSorted() : ids.toSorted().toReversed()

/** The contract of PartnerRepository about the order of its lists. */
export const partnerOrderCases: ContractCases<PartnerRepository> = (it) => {
  it("PAGE-12 names sort by their folded form in code-point order", () =>
    Effect.gen(function*() {
      const repository = yield* PartnerRepository
      const [root] = yield* givenForest([null, 0, 0, 0, 0, 0, 0, 0], (index) => ({ name: shuffled[index] ?? "" }))
      for (const [sort, expected] of byName) {
        const { items } = yield* repository.list(scopeOfPartner(root), query({}, { sort }))
        assert.deepStrictEqual(items.map(({ name }) => name), expected)
      }
    }))

  it("PAGE-13 ties are broken by id, in the direction of the last sort", () =>
    Effect.gen(function*() {
      const repository = yield* PartnerRepository
      const partners = yield* givenForest([null, 0, 1, 0, 2, 0])
      const ids = partners.map(({ partner_id }) => partner_id)
      for (const [sort, direction] of ties) {
        const { items } = yield* repository.list(scopeOfPartner(partners[0]), query({}, { sort }))
        assert.deepStrictEqual(items.map(({ partner_id }) => partner_id as string), directed(ids, direction))
      }
    }))
}

/** The contract of UserRepository about the order of its lists. */
export const userOrderCases: ContractCases<PartnerRepository | UserRepository> = (it) => {
  it("PAGE-12 names sort by their folded form in code-point order", () =>
    Effect.gen(function*() {
      const repository = yield* UserRepository
      const partner = yield* givenRoot()
      yield* Effect.forEach(shuffled, (name) => givenUser(partner, { name }))
      for (const [sort, expected] of byName) {
        const { items } = yield* repository.list(scopeOfPartner(partner), query({}, { sort }))
        assert.deepStrictEqual(items.map(({ name }) => name), expected)
      }
    }))

  it("PAGE-13 ties are broken by id, in the direction of the last sort", () =>
    Effect.gen(function*() {
      const repository = yield* UserRepository
      const partner = yield* givenRoot()
      const users = yield* Effect.replicateEffect(givenUser(partner), 6)
      const ids = users.map(({ user_id }) => user_id)
      for (const [sort, direction] of ties) {
        const { items } = yield* repository.list(scopeOfPartner(partner), query({}, { sort }))
        assert.deepStrictEqual(items.map(({ user_id }) => user_id as string), directed(ids, direction))
      }
    }))
}
