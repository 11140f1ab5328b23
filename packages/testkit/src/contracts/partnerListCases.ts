import {
  asOperator,
  fold,
  matchesFolded,
  type PartnerDetail,
  type PartnerFilters,
  type PartnerListItem,
  partnerListItem,
  PartnerRepository,
  type PartnerSortField,
  partnerSortFields,
  PartnerStatus,
  PersonType,
  type SortKey
} from "@lastro/domain"
import { assert } from "chai"
import { Effect, identity } from "effect"
import * as fc from "fast-check"
import { forestShape } from "../arbitraries/forests.ts"
import { type Needle, needle, needleIn } from "../arbitraries/needles.ts"
import { partnerFields } from "../arbitraries/partners.ts"
import { sparse } from "../arbitraries/sparse.ts"
import { givenForest } from "../given/givenForest.ts"
import { type ContractCases } from "./ContractSuite.ts"
import { forAll, propertyTimeout } from "./forAll.ts"
import { listQuestion, questionsAgree } from "./listQuestions.ts"
import { later } from "./partnersUnderTest.ts"
import { query, scopeOfPartner } from "./read.ts"

const keys: Readonly<Record<PartnerSortField, SortKey<PartnerListItem>>> = {
  created_at: (item) => item.created_at,
  name: (item) => item.name,
  document_number: (item) => item.document_number,
  email: (item) => item.email,
  status: (item) => item.status
}

const maxNodes = 8

/** What a question filters by; records are meant by their place, counted around. */
interface WantedFilters extends Pick<PartnerFilters, "person_type" | "status"> {
  readonly name?: Needle
  readonly email?: Needle
  readonly document_number?: { readonly row: number; readonly from: number; readonly length: number }
  readonly parent_id?: number
}

const wantedFilters: fc.Arbitrary<WantedFilters> = sparse({
  name: needle,
  email: needle,
  document_number: fc.record({ row: fc.nat(), from: fc.nat({ max: 10 }), length: fc.integer({ min: 1, max: 4 }) }),
  person_type: fc.constantFrom(...PersonType.literals),
  status: fc.constantFrom(...PartnerStatus.literals),
  parent_id: fc.nat()
})

const question = listQuestion(partnerSortFields, wantedFilters)

const filtersOf = (
  { document_number, email, name, parent_id, ...same }: WantedFilters,
  partners: ReadonlyArray<PartnerDetail>
): PartnerFilters => {
  const at = (place: number) => partners[place % partners.length]
  const given: Record<string, string | undefined> = {
    ...same,
    name: name && needleIn(partners.map((partner) => partner.name), name),
    email: email && needleIn(partners.map((partner) => partner.email), email),
    document_number: document_number && at(document_number.row)?.document_number.slice(
      document_number.from,
      document_number.from + document_number.length
    ),
    parent_id: parent_id === undefined ? undefined : at(parent_id)?.partner_id
  }
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined))
}

const passes = (filters: PartnerFilters) => (item: PartnerListItem): boolean =>
  (filters.name === undefined || matchesFolded(fold(item.name), filters.name))
  && (filters.email === undefined || matchesFolded(fold(item.email), filters.email))
  && (filters.document_number === undefined || item.document_number.includes(filters.document_number))
  && (filters.person_type === undefined || item.person_type === filters.person_type)
  && (filters.status === undefined || item.status === filters.status)
  && (filters.parent_id === undefined || item.parent_id === filters.parent_id)

/** The contract of PartnerRepository's lists. */
export const partnerListCases: ContractCases<PartnerRepository> = (it, { runs }) => {
  it(
    "T02 T03 list equals brute force over the naive model, for random forests, callers, filters and sorts",
    () =>
      forAll(
        fc.record({
          shape: forestShape(maxNodes),
          rows: fc.uniqueArray(partnerFields, {
            minLength: maxNodes,
            maxLength: maxNodes,
            selector: ({ document_number }) => document_number
          }),
          removed: fc.array(fc.nat({ max: 5 }).map((one) => one === 0), { minLength: maxNodes, maxLength: maxNodes }),
          questions: fc.array(question, { minLength: 1, maxLength: 4 })
        }),
        runs,
        Effect.fnUntraced(function*({ questions, removed, rows, shape }) {
          const repository = yield* PartnerRepository
          const partners = yield* givenForest<ReadonlyArray<number | null>>(shape, (index) => rows[index] ?? {})
          const live = new Set(partners)
          for (const [index, partner] of [...partners.entries()].toReversed()) {
            const childless = !partners.some((one) => live.has(one) && one.parent_id === partner.partner_id)
            if (removed[index] !== true || !childless) continue
            yield* repository.remove(asOperator.inScope(partner), later)
            live.delete(partner)
          }
          yield* questionsAgree(questions, {
            partners,
            rows: Array.from(live, partnerListItem),
            filtersOf: (wanted) => filtersOf(wanted, partners),
            passes,
            shown: identity,
            keys,
            id: ({ partner_id }) => partner_id
          }, repository.list)
        })
      ),
    propertyTimeout
  )

  it("T16 the characters %, _ and \\ are found literally and match nothing else", () =>
    Effect.gen(function*() {
      const repository = yield* PartnerRepository
      const names = ["per%cent", "under_score", "back\\slash", "plain"]
      const [root] = yield* givenForest([null, 0, 0, 0], (index) => ({
        name: names[index] ?? "",
        email: `${names[index]}@example.com`
      }))
      const cases = [["%", "per%cent"], ["_", "under_score"], ["\\", "back\\slash"]] as const
      for (const [text, name] of cases) {
        const filtersBy: ReadonlyArray<PartnerFilters> = [{ name: fold(text) }, { email: fold(text) }]
        for (const filters of filtersBy) {
          const { items, total } = yield* repository.list(scopeOfPartner(root), query(filters))
          assert.deepStrictEqual(items.map((item) => item.name), [name])
          assert.strictEqual(total, 1)
        }
      }
    }))

  it("a text filter matches anywhere, whatever the letter case and accents of the field", () =>
    Effect.gen(function*() {
      const repository = yield* PartnerRepository
      const [root] = yield* givenForest([null, 0, 0], (index) => ({
        name: ["Comércio JOSÉ & Cia", "jose", "Josué"][index] ?? "",
        email: ["Contato.JOSÉ@Exemplo.com", "jose@example.com", "josué@example.com"][index] ?? ""
      }))
      const filtersBy: ReadonlyArray<PartnerFilters> = [{ name: fold("jOsÉ") }, { email: fold("jOsÉ") }]
      for (const filters of filtersBy) {
        const { items } = yield* repository.list(scopeOfPartner(root), query(filters))
        assert.sameMembers(items.map(({ name }) => name), ["Comércio JOSÉ & Cia", "jose"])
      }
    }))

  it("T20 a page far past the end is empty and has the right total", () =>
    Effect.gen(function*() {
      const repository = yield* PartnerRepository
      const [root] = yield* givenForest([null, 0, 0])
      for (const number of [1, 1_000_000, 1_000_000_000]) {
        const slice = yield* repository.list(scopeOfPartner(root), query({}, { page: { number, size: 100 } }))
        assert.deepStrictEqual(slice, { items: [], total: 3 })
      }
    }))

  it("T02 the scope of a partner that is not there shows nothing and counts nothing", () =>
    Effect.gen(function*() {
      const repository = yield* PartnerRepository
      const [root] = yield* givenForest([null, 0])
      const nobody = asOperator.scope(root.partner_id.replace(/^.{8}/, "ffffffff") as typeof root.partner_id)
      assert.deepStrictEqual(yield* repository.list(nobody, query({})), { items: [], total: 0 })
    }))
}
