import { asOperator, type SubtreeScope } from "@lastro/domain/hierarchy"
import {
  type FoldedText,
  foldText,
  type ListPosition,
  type ListQuery,
  type ListSlice,
  type SortBy
} from "@lastro/domain/input"
import { type PartnerDetail, type PartnerRepository } from "@lastro/domain/partner"
import { type ReadBudgetExceeded } from "@lastro/domain/ports"
import { assert } from "chai"
import { Effect } from "effect"
import { storeForest } from "../../builders/storedRecords.ts"
import { type ContractCases } from "../suite/ContractSuite.ts"
import { listQuery, readEveryPage, readWalk, readWithin, scopeOfPartner } from "../suite/queries.ts"
import { storeScopeExamples } from "../suite/storedRecords.ts"

/** Fields that every list can be sorted by. */
type CommonField = "created_at" | "status"

type Direction = SortBy<string>["direction"]

/** The ids of all records in the list of a caller. */
interface ListExample {
  /** The partner of the caller. */
  readonly caller: PartnerDetail
  readonly ids: ReadonlyArray<string>
}

/** An example of all filters. */
interface FilterExample<Filters extends object> {
  /** The partner of the caller. */
  readonly caller: PartnerDetail
  readonly filters: Filters
  /** The id of a record that matches every filter. */
  readonly match: string
  /** For each filter, the id of a record that matches all other filters. */
  readonly mismatches: { readonly [K in keyof Filters]?: string }
}

/** A list method of a port, and the fixtures for its contract cases. */
export interface ListSubject<Item, Filters extends object, Field extends string, R> {
  readonly list: (
    scope: SubtreeScope,
    query: ListQuery<Filters, CommonField | Field>,
    budget?: number
  ) => Effect.Effect<ListSlice<Item>, ReadBudgetExceeded, R>
  readonly id: (item: Item) => string
  readonly name: (item: Item) => string
  /** Stores a record of a partner and returns its id. */
  readonly storeRecord: (partner: PartnerDetail) => Effect.Effect<string, never, R>
  /** Stores one record for each name in a new tree. */
  readonly storeNames: (names: ReadonlyArray<string>) => Effect.Effect<ListExample, never, R>
  /** Returns, for each text field, filters that search only this field for a text. */
  readonly textFilters: (text: FoldedText) => ReadonlyArray<Filters>
  /** Stores a record of a partner and returns filters that match it. */
  readonly storeFilterable: (partner: PartnerDetail) => Effect.Effect<ReadonlyArray<Filters>, never, R>
  /** Sorts in which records with the same name are equal, each with the direction of its last sort field. */
  readonly tiedSorts: ReadonlyArray<readonly [ListQuery<Filters, CommonField | Field>["sort"], Direction]>
  readonly filterExample: Effect.Effect<FilterExample<Filters>, never, R>
}

/** The {@link ListSubject.tiedSorts} of a list that can be sorted by name. */
export const nameTies: ReadonlyArray<readonly [ListQuery<object, CommonField | "name">["sort"], Direction]> = [
  [[{ property: "created_at", direction: "desc" }], "desc"],
  [[{ property: "status", direction: "asc" }], "asc"],
  [[{ property: "name", direction: "asc" }, { property: "created_at", direction: "desc" }], "desc"],
  [[{ property: "created_at", direction: "desc" }, { property: "name", direction: "asc" }], "asc"]
]

const wildcards = [["%", "per%cent"], ["_", "under_score"], ["\\", "back\\slash"]] as const

const identicalNames = Array.from({ length: 7 }, () => "Ana Exemplo")

const pageSorts: ReadonlyArray<readonly [SortBy<CommonField>]> = [
  [{ property: "created_at", direction: "desc" }],
  [{ property: "created_at", direction: "asc" }],
  [{ property: "status", direction: "asc" }]
]

/** Contract cases for every list. */
export const listCases = <Item, Filters extends object, Field extends string, R>(
  { filterExample, id, list, name, storeFilterable, storeNames, storeRecord, textFilters, tiedSorts }: ListSubject<
    Item,
    Filters,
    Field,
    R
  >
): ContractCases<PartnerRepository | R> =>
(it) => {
  const noFilters = {} as Filters

  /** Lists all records as a caller of the partner `caller`. Asserts that the total equals the number of records. */
  const listAll = (
    caller: PartnerDetail,
    filters: Filters = noFilters,
    sort: ListQuery<Filters, CommonField | Field>["sort"] = [{ property: "created_at", direction: "desc" }]
  ) =>
    Effect.map(list(scopeOfPartner(caller), listQuery(filters, { sort })), ({ items, total }) => {
      assert.strictEqual(total, items.length)
      return items
    })

  it("T02 `list` returns and counts the records in scope, and none outside the scope", function*() {
    const { partners, scopes } = yield* storeScopeExamples
    const ids = new Map<PartnerDetail, string>()
    for (const partner of partners) ids.set(partner, yield* storeRecord(partner))
    for (const { caller, inside } of scopes) {
      assert.sameMembers((yield* listAll(caller)).map(id), inside.map((partner) => ids.get(partner) ?? ""))
    }
  })

  it("T02 `list` is empty for a scope whose partner does not exist", function*() {
    const { caller: { partner_id } } = yield* storeNames(["Ana Exemplo"])
    const unknown = asOperator.scope(partner_id.replace(/^.{8}/, "ffffffff") as typeof partner_id)
    assert.deepStrictEqual(yield* list(unknown, listQuery(noFilters)), { items: [], total: 0 })
  })

  it("T03 T34 a filter that matches only records outside the scope yields an empty list", function*() {
    const [root, child, stranger] = yield* storeForest([null, 0, null])
    for (const partner of [root, stranger]) {
      for (const filters of yield* storeFilterable(partner)) {
        assert.deepStrictEqual(yield* listAll(child, filters), [])
      }
    }
  })

  it("T16 a text filter matches %, _ and \\ literally", function*() {
    const { caller } = yield* storeNames(["per%cent", "under_score", "back\\slash", "plain"])
    for (const [text, match] of wildcards) {
      for (const filters of textFilters(foldText(text))) {
        assert.deepStrictEqual((yield* listAll(caller, filters)).map(name), [match])
      }
    }
  })

  it("a text filter matches anywhere in the field, ignoring case and accents", function*() {
    const { caller } = yield* storeNames(["Maria JOSÉ", "jose", "Josué"])
    for (const filters of textFilters(foldText("jOsÉ"))) {
      assert.sameMembers((yield* listAll(caller, filters)).map(name), ["Maria JOSÉ", "jose"])
    }
  })

  it("several filters are combined with AND", function*() {
    const { caller, filters, match, mismatches } = yield* filterExample
    assert.deepStrictEqual((yield* listAll(caller, filters)).map(id), [match])
    for (const filter of Object.keys(mismatches) as Array<keyof Filters>) {
      const others = { ...filters }
      delete others[filter]
      assert.sameMembers((yield* listAll(caller, others)).map(id), [match, mismatches[filter]], String(filter))
    }
  })

  it("PAGE-13 records with equal sort fields are ordered by id, in the direction of the last sort field", function*() {
    const { caller, ids } = yield* storeNames(identicalNames)
    const ascending = ids.toSorted()
    for (const [sort, direction] of tiedSorts) {
      const expected = direction === "asc" ? ascending : ascending.toReversed()
      assert.deepStrictEqual((yield* listAll(caller, noFilters, sort)).map(id), expected)
    }
  })

  it("pages contain each record exactly once, even if all sort keys are equal", function*() {
    const { caller, ids } = yield* storeNames(identicalNames)
    for (const sort of pageSorts) {
      const pages = yield* readEveryPage(
        2,
        (page) => list(scopeOfPartner(caller), listQuery(noFilters, { page, sort }))
      )
      assert.sameMembers(pages.flatMap(({ items }) => items.map(id)), [...ids])
    }
  })

  it("PAGE-37 PAGE-39 a walk returns each record once and in order, while others are created", function*() {
    const { caller, ids } = yield* storeNames(identicalNames)
    for (const sort of pageSorts) {
      const read = (after: ListPosition | null) =>
        list(scopeOfPartner(caller), { ...listQuery(noFilters, { page: { number: 0, size: 2 }, sort }), after })
      const before = yield* listAll(caller, noFilters, sort)
      const walked = yield* readWalk(
        2,
        (after) => Effect.tap(read(after), () => after === null ? storeRecord(caller) : Effect.void)
      )
      const known = before.map(id)
      assert.deepStrictEqual(walked.map(id).filter((walkedId) => known.includes(walkedId)), known)
      assert.includeMembers(known, [...ids])
    }
  })

  it("PAGE-26 T62 a list is refused if it has to examine more records than its budget, and only then", function*() {
    const { caller, ids } = yield* storeNames(identicalNames)
    const totalWithin = (budget: number, filters: Filters, size = 100) =>
      readWithin(budget, (limit) =>
        Effect.map(
          list(scopeOfPartner(caller), listQuery(filters, { page: { number: 0, size } }), limit),
          ({ total }) => total
        ))
    assert.strictEqual(yield* totalWithin(ids.length - 1, noFilters, 1), ids.length)
    for (const filters of textFilters(foldText("a"))) {
      assert.strictEqual(yield* totalWithin(ids.length, filters), ids.length)
      assert.strictEqual(yield* totalWithin(ids.length - 1, filters), "refused")
    }
  })

  it("T20 a page past the end is empty and has the correct total", function*() {
    const { caller, ids } = yield* storeNames(["Ana", "Bia", "Caio"])
    for (const number of [1, 1_000_000, 1_000_000_000]) {
      const slice = yield* list(scopeOfPartner(caller), listQuery(noFilters, { page: { number, size: 100 } }))
      assert.deepStrictEqual(slice, { items: [], total: ids.length })
    }
  })
}

/** Contract cases for totals. They store 101 records, so they are only for records that can be stored quickly. */
export const totalCases = <Item, Filters extends object, Field extends string, R>(
  { list, storeNames }: ListSubject<Item, Filters, Field, R>
): ContractCases<R> =>
(it) => {
  it("T20 the total counts every record, also those beyond the largest page", function*() {
    const { caller, ids } = yield* storeNames(Array.from({ length: 101 }, () => "Ana Exemplo"))
    const { items, total } = yield* list(scopeOfPartner(caller), listQuery({} as Filters))
    assert.deepStrictEqual([items.length, total], [100, ids.length])
  })
}

/** Names, sorted by the code points of their folded form (without case and accents). UTF-16 has another order. */
const sortedNames = ["Abacate", "ábaco", "ABC", "Straße", "strassf", "Zz", "\uff5e\uff5e", "\u{1f600}\u{1f600}"]

const shuffledNames = [5, 2, 7, 0, 3, 6, 1, 4].map((index) => sortedNames[index] ?? "")

/** Contract cases for lists that can be sorted by name. */
export const nameOrderCases =
  <Item, Filters extends object, R>({ list, name, storeNames }: ListSubject<Item, Filters, "name", R>): ContractCases<
    R
  > =>
  (it) => {
    it("PAGE-12 names are sorted by code points, in their form without case and accents", function*() {
      const { caller } = yield* storeNames(shuffledNames)
      for (const direction of ["asc", "desc"] as const) {
        const query = listQuery<Filters, "name">({} as Filters, { sort: [{ property: "name", direction }] })
        const { items } = yield* list(scopeOfPartner(caller), query)
        assert.deepStrictEqual(items.map(name), direction === "asc" ? sortedNames : sortedNames.toReversed())
      }
    })
  }
