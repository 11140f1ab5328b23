import { type ApplicationRepository, PartnerRepository, ProposalRepository, UserRepository } from "@lastro/domain"
import { assert } from "chai"
import { Effect } from "effect"
import { givenContract } from "../given/givenApplication.ts"
import { givenUser } from "../given/givenUser.ts"
import { type ContractCases } from "./ContractSuite.ts"
import { givenScopes } from "./partnersUnderTest.ts"
import { acceptedIn } from "./proposalsUnderTest.ts"
import { query, scopeOfPartner } from "./read.ts"

const sentence = "T02 list shows and counts what lies in scope, and nothing outside it"

/** The contract of PartnerRepository about whom its lists show. */
export const partnerListScopeCases: ContractCases<PartnerRepository> = (it) => {
  it(sentence, () =>
    Effect.gen(function*() {
      const repository = yield* PartnerRepository
      for (const { caller, inside } of (yield* givenScopes).scopes) {
        const { items, total } = yield* repository.list(scopeOfPartner(caller), query({}))
        assert.sameMembers(items.map(({ partner_id }) => partner_id), inside.map(({ partner_id }) => partner_id))
        assert.strictEqual(total, inside.length)
      }
    }))
}

/** The contract of UserRepository about whom its lists show. */
export const userListScopeCases: ContractCases<PartnerRepository | UserRepository> = (it) => {
  it(sentence, () =>
    Effect.gen(function*() {
      const repository = yield* UserRepository
      const { partners, scopes } = yield* givenScopes
      const users = yield* Effect.forEach(partners, (partner) => givenUser(partner))
      for (const { caller, inside } of scopes) {
        const ids = new Set(inside.map(({ partner_id }) => partner_id))
        const { items, total } = yield* repository.list(scopeOfPartner(caller), query({}))
        const expected = users.filter(({ partner_id }) => ids.has(partner_id))
        assert.sameMembers(items.map(({ user_id }) => user_id), expected.map(({ user_id }) => user_id))
        assert.strictEqual(total, inside.length)
      }
    }))
}

/** The contract of ProposalRepository about whose proposals its lists show. */
export const proposalListScopeCases: ContractCases<ApplicationRepository | PartnerRepository | ProposalRepository> = (
  it
) => {
  it(sentence, () =>
    Effect.gen(function*() {
      const repository = yield* ProposalRepository
      const { partners, scopes } = yield* givenScopes
      const contracts = yield* Effect.forEach(partners, (partner) => givenContract(partner))
      for (const { caller, inside } of scopes) {
        const ids = new Set(inside.map(({ partner_id }) => partner_id))
        const { items, total } = yield* repository.list(scopeOfPartner(caller), query({}))
        const expected = contracts.filter(({ partner_id }) => ids.has(partner_id))
        assert.sameMembers(items.map(({ proposal_id }) => proposal_id), expected.map(acceptedIn))
        assert.strictEqual(total, inside.length)
      }
    }))
}
