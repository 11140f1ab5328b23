import {
  asOperator,
  fold,
  groups,
  matchesFolded,
  type PartnerDetail,
  type PartnerRepository,
  type SortKey,
  type UserFilters,
  type UserListItem,
  UserRepository,
  type UserSortField,
  userSortFields,
  UserStatus
} from "@lastro/domain"
import { assert } from "chai"
import { Effect, identity } from "effect"
import * as fc from "fast-check"
import { forestShape } from "../arbitraries/forests.ts"
import { type Needle, needle, needleIn } from "../arbitraries/needles.ts"
import { sparse } from "../arbitraries/sparse.ts"
import { userFields } from "../arbitraries/users.ts"
import { freshId } from "../given/freshId.ts"
import { givenForest } from "../given/givenForest.ts"
import { givenRoot } from "../given/givenPartner.ts"
import { givenUser } from "../given/givenUser.ts"
import { type ContractCases } from "./ContractSuite.ts"
import { forAll, propertyTimeout } from "./forAll.ts"
import { listQuestion, questionsAgree } from "./listQuestions.ts"
import { later } from "./partnersUnderTest.ts"
import { opened, query, scopeOfPartner } from "./read.ts"

const keys: Readonly<Record<UserSortField, SortKey<UserListItem>>> = {
  created_at: (item) => item.created_at,
  name: (item) => item.name,
  email: (item) => item.email,
  phone: (item) => item.phone,
  cpf: (item) => item.cpf,
  status: (item) => item.status,
  must_change_password: (item) => item.must_change_password,
  user_id: (item) => item.user_id,
  partner_id: (item) => item.partner_id
}

/** What a question filters by; records are meant by their place, counted around. */
interface WantedFilters extends Pick<UserFilters, "status" | "group"> {
  readonly full_name?: Needle
  readonly email?: Needle
  readonly cpf?: { readonly row: number; readonly from: number; readonly length: number }
  readonly partner_id?: number
}

const wantedFilters: fc.Arbitrary<WantedFilters> = sparse({
  full_name: needle,
  email: needle,
  cpf: fc.record({ row: fc.nat(), from: fc.nat({ max: 8 }), length: fc.integer({ min: 1, max: 3 }) }),
  partner_id: fc.nat(),
  status: fc.constantFrom(...UserStatus.literals),
  group: fc.constantFrom(...groups.map(({ slug }) => slug))
})

const question = listQuestion(userSortFields, wantedFilters)

const filtersOf = (
  { cpf, email, full_name, partner_id, ...same }: WantedFilters,
  users: ReadonlyArray<UserListItem>,
  partners: ReadonlyArray<PartnerDetail>
): UserFilters => {
  const given: Record<string, string | undefined> = {
    ...same,
    full_name: full_name && needleIn(users.map(({ name }) => name), full_name),
    email: email && needleIn(users.map((user) => user.email), email),
    cpf: cpf && users[cpf.row % Math.max(1, users.length)]?.cpf.slice(cpf.from, cpf.from + cpf.length),
    partner_id: partner_id === undefined ? undefined : partners[partner_id % partners.length]?.partner_id
  }
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined))
}

const passes = (filters: UserFilters) => (item: UserListItem): boolean =>
  (filters.full_name === undefined || matchesFolded(fold(item.name), filters.full_name))
  && (filters.email === undefined || matchesFolded(fold(item.email), filters.email))
  && (filters.cpf === undefined || item.cpf.includes(filters.cpf))
  && (filters.partner_id === undefined || item.partner_id === filters.partner_id)
  && (filters.status === undefined || item.status === filters.status)
  && (filters.group === undefined || item.group.slug === filters.group)

/** The contract of UserRepository's lists. */
export const userListCases: ContractCases<PartnerRepository | UserRepository> = (it, { runs }) => {
  it(
    "T02 T03 list equals brute force over the naive model, for random forests, callers, filters and sorts",
    () =>
      forAll(
        fc.record({
          shape: forestShape(6),
          rows: fc.array(
            fc.record({ fields: userFields, partner: fc.nat(), removed: fc.nat({ max: 5 }).map((one) => one === 0) }),
            { maxLength: 10 }
          ),
          questions: fc.array(question, { minLength: 1, maxLength: 4 })
        }),
        runs,
        Effect.fnUntraced(function*({ questions, rows, shape }) {
          const repository = yield* UserRepository
          const partners = yield* givenForest<ReadonlyArray<number | null>>(shape)
          const users: Array<UserListItem> = []
          for (const { fields, partner, removed } of rows) {
            const owner = partners[partner % partners.length] as PartnerDetail
            const user = yield* givenUser(owner, { ...fields, email: `${yield* freshId}.${fields.email}` })
            if (!removed) users.push(user)
            else yield* repository.remove(yield* opened(repository.find(scopeOfPartner(owner), user.user_id)), later)
          }
          yield* questionsAgree(questions, {
            partners,
            rows: users,
            filtersOf: (wanted) => filtersOf(wanted, users, partners),
            passes,
            shown: identity,
            keys,
            id: ({ user_id }) => user_id
          }, repository.list)
        })
      ),
    propertyTimeout
  )

  it("T16 the characters %, _ and \\ are found literally and match nothing else", () =>
    Effect.gen(function*() {
      const repository = yield* UserRepository
      const partner = yield* givenRoot()
      for (const name of ["per%cent", "under_score", "back\\slash", "plain"]) {
        yield* givenUser(partner, { name, email: `${name}.${yield* freshId}@example.com` })
      }
      const cases = [["%", "per%cent"], ["_", "under_score"], ["\\", "back\\slash"]] as const
      for (const [text, name] of cases) {
        const filtersBy: ReadonlyArray<UserFilters> = [{ full_name: fold(text) }, { email: fold(text) }]
        for (const filters of filtersBy) {
          const { items, total } = yield* repository.list(scopeOfPartner(partner), query(filters))
          assert.deepStrictEqual(items.map((item) => item.name), [name])
          assert.strictEqual(total, 1)
        }
      }
    }))

  it("a text filter matches anywhere, whatever the letter case and accents of the field", () =>
    Effect.gen(function*() {
      const repository = yield* UserRepository
      const partner = yield* givenRoot()
      for (const name of ["Maria JOSÉ", "jose", "Josué"]) {
        yield* givenUser(partner, { name, email: `${name.replace(" ", ".")}.${yield* freshId}@example.com` })
      }
      const filtersBy: ReadonlyArray<UserFilters> = [{ full_name: fold("José") }, { email: fold("José") }]
      for (const filters of filtersBy) {
        const { items } = yield* repository.list(scopeOfPartner(partner), query(filters))
        assert.sameMembers(items.map(({ name }) => name), ["Maria JOSÉ", "jose"])
      }
    }))

  it("T20 a page far past the end is empty and has the right total", () =>
    Effect.gen(function*() {
      const repository = yield* UserRepository
      const partner = yield* givenRoot()
      yield* givenUser(partner)
      yield* givenUser(partner)
      for (const number of [1, 1_000_000, 1_000_000_000]) {
        const slice = yield* repository.list(scopeOfPartner(partner), query({}, { page: { number, size: 100 } }))
        assert.deepStrictEqual(slice, { items: [], total: 2 })
      }
    }))

  it("T03 T34 a filter by a partner outside the scope shows nothing and counts nothing", () =>
    Effect.gen(function*() {
      const repository = yield* UserRepository
      const [root, child, stranger] = yield* givenForest([null, 0, null])
      for (const partner of [root, stranger]) {
        const { cpf } = yield* givenUser(partner)
        const filtersBy: ReadonlyArray<UserFilters> = [{ partner_id: partner.partner_id }, { cpf }]
        for (const filters of filtersBy) {
          const slice = yield* repository.list(asOperator.scope(child.partner_id), query(filters))
          assert.deepStrictEqual(slice, { items: [], total: 0 })
        }
      }
    }))
}
