import {
  type ApplicationRepository,
  PartnerRepository,
  ProposalRepository,
  type SortBy,
  UserRepository
} from "@lastro/domain"
import { assert } from "chai"
import { Effect } from "effect"
import { givenContract } from "../given/givenApplication.ts"
import { givenForest } from "../given/givenForest.ts"
import { givenRoot } from "../given/givenPartner.ts"
import { givenUser } from "../given/givenUser.ts"
import { type ContractCases } from "./ContractSuite.ts"
import { acceptedIn } from "./proposalsUnderTest.ts"
import { everyPage, type ListOf, query, scopeOfPartner } from "./read.ts"

/** Orders that leave every record of an example equal. */
const sorts: ReadonlyArray<readonly [SortBy<"created_at" | "status">]> = [
  [{ property: "created_at", direction: "desc" }],
  [{ property: "created_at", direction: "asc" }],
  [{ property: "status", direction: "asc" }]
]

const sentence = "pages divide the list: whatever the ties of its order, no record comes twice and none is missed"

/** Holds pages of two records each against the ids of all. */
const divides = <Item, E, R>(
  ids: ReadonlyArray<string>,
  list: ListOf<Item, object, "created_at" | "status", E, R>,
  id: (item: Item) => string
) =>
  Effect.forEach(sorts, (sort) =>
    Effect.gen(function*() {
      const pages = yield* everyPage(2, (page) => list(query({}, { page, sort })))
      assert.sameMembers(pages.flatMap(({ items }) => items.map(id)), [...ids])
    }), { discard: true })

/** The contract of PartnerRepository about the pages of its lists. */
export const partnerPagingCases: ContractCases<PartnerRepository> = (it) => {
  it(sentence, () =>
    Effect.gen(function*() {
      const { list } = yield* PartnerRepository
      const partners = yield* givenForest([null, 0, 1, 0, 2, 0, 0])
      const ids = partners.map(({ partner_id }) => partner_id)
      yield* divides(ids, (asked) => list(scopeOfPartner(partners[0]), asked), ({ partner_id }) => partner_id)
    }))
}

/** The contract of UserRepository about the pages of its lists. */
export const userPagingCases: ContractCases<PartnerRepository | UserRepository> = (it) => {
  it(sentence, () =>
    Effect.gen(function*() {
      const { list } = yield* UserRepository
      const partner = yield* givenRoot()
      const ids = (yield* Effect.replicateEffect(givenUser(partner), 7)).map(({ user_id }) => user_id)
      yield* divides(ids, (asked) => list(scopeOfPartner(partner), asked), ({ user_id }) => user_id)
    }))
}

/** The contract of ProposalRepository about the pages of its lists. */
export const proposalPagingCases: ContractCases<ApplicationRepository | PartnerRepository | ProposalRepository> = (
  it
) => {
  it(sentence, () =>
    Effect.gen(function*() {
      const { list } = yield* ProposalRepository
      const partner = yield* givenRoot()
      const ids = (yield* Effect.replicateEffect(givenContract(partner), 7)).map(acceptedIn)
      yield* divides(ids, (asked) => list(scopeOfPartner(partner), asked), ({ proposal_id }) => proposal_id)
    }))
}
