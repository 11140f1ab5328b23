import { asOperator } from "@lastro/domain/hierarchy"
import { compareBy } from "@lastro/domain/input"
import { courseOf, placeOn } from "@lastro/domain/loan"
import { rejectionReason } from "@lastro/domain/offer"
import {
  abridgeApplication,
  type ApplicationFilters,
  type ApplicationQuery,
  ApplicationRepository,
  applicationSortFields
} from "@lastro/domain/origination"
import { type PartnerDetail, type PartnerRepository } from "@lastro/domain/partner"
import { CostlyAbove } from "@lastro/domain/ports"
import { addMillis, type Timestamp } from "@lastro/domain/values"
import { assert } from "chai"
import { Effect, Stream } from "effect"
import * as fc from "fast-check"
import { contractedHistory, history } from "../../arbitraries/histories.ts"
import { sortOf } from "../../arbitraries/paging.ts"
import { forestShape } from "../../arbitraries/partners.ts"
import { answerQuote } from "../../builders/applicationStages.ts"
import { exampleInstant } from "../../builders/Fresh.ts"
import { saveApplication, storeApplication, storeForest, storeRootPartner } from "../../builders/storedRecords.ts"
import { forestOf, isWithin } from "../../hierarchy/naiveForest.ts"
import { type ContractCases } from "../suite/ContractSuite.ts"
import { listQuery, readEveryPage, readWalk, readWithin, scopeOfPartner } from "../suite/queries.ts"
import { storeHistory, storeQuoted, storeScopeExamples } from "../suite/storedRecords.ts"
import { filterDraws, filterValues, instantsOf, type Item, item, matches, pick } from "./applicationListModel.ts"

const compareItems = compareBy<Item, "created_at" | "updated_at">(
  { created_at: ({ created_at }) => created_at, updated_at: ({ updated_at }) => updated_at },
  ({ application_id }) => application_id
)

const list = (caller: PartnerDetail, query: ApplicationQuery, budget?: number) =>
  ApplicationRepository.use((applications) => applications.list(scopeOfPartner(caller), query, budget))

const count = (caller: PartnerDetail, query: Pick<ApplicationQuery, "at" | "filters">, budget?: number) =>
  ApplicationRepository.use((applications) => applications.countPlaces(scopeOfPartner(caller), query, budget))

const listAll = (caller: PartnerDetail, filters: ApplicationFilters = {}, at = exampleInstant) =>
  list(caller, { ...listQuery<ApplicationFilters, "created_at">(filters), at })

/** Contract cases for `ApplicationRepository.list`. */
export const applicationListCases: ContractCases<ApplicationRepository | PartnerRepository> = (it) => {
  const query = fc.record({
    // The first partner is a root with a large scope. The scopes of other partners are mostly small.
    caller: fc.oneof(fc.constant(0), fc.nat()),
    sort: sortOf(applicationSortFields),
    size: fc.integer({ min: 1, max: 5 }),
    // The number of examined records above which a list is costly. Repositories read costly lists in another way.
    costlyAbove: fc.constantFrom(0, 3, 8_000),
    clock: fc.nat(),
    // Any filters. Or filters by values that are derived from the facts, such as the status, alone and in pairs.
    draws: fc.oneof<Array<typeof filterDraws>>(
      filterDraws,
      fc.record({ status: fc.nat() }),
      fc.record({ next_action: fc.nat() }),
      fc.record({ proposal_status: fc.nat() }),
      fc.record({ status: fc.nat(), next_action: fc.nat() }),
      fc.record({ next_action: fc.nat(), expires_to: fc.nat() }),
      fc.record({ next_action: fc.nat(), retry_to: fc.nat() }),
      fc.record({ status: fc.nat(), expires_from: fc.nat() }),
      fc.record({ status: fc.nat(), metadata: fc.nat() }),
      fc.record({ next_action: fc.nat(), created_by: fc.nat() })
    )
  })

  it.forAll(
    "T02 T03 FGTS-50 FGTS-73 PAGE-29 `list`, a walk, `countPlaces` and `exportAll` return the same as a filter of all items, for random trees, histories, clocks and queries",
    fc.record({
      shape: forestShape(6),
      rows: fc.array(fc.record({ partner: fc.nat(), history: fc.oneof(history(8), contractedHistory) }), {
        maxLength: 8
      }),
      queries: fc.array(query, { minLength: 1, maxLength: 6 })
    }),
    function*({ queries, rows, shape }) {
      const partners = yield* storeForest<ReadonlyArray<number | null>>(shape)
      const forest = forestOf(partners)
      const applications = yield* Effect.forEach(
        rows,
        (row) => storeHistory(partners[row.partner % partners.length] as PartnerDetail, row.history)
      )
      const abridged = new Map(
        applications.map((application) => [application.application_id, abridgeApplication(application)])
      )
      const instants = [exampleInstant, ...applications.flatMap(instantsOf)]
      // Each run also reads all applications below the first root, newest first.
      const { sort } = listQuery<ApplicationFilters, "created_at">({})
      const newest: (typeof queries)[number] = { caller: 0, clock: 0, costlyAbove: 8_000, draws: {}, size: 5, sort }
      for (const { caller, clock, costlyAbove, draws, size, sort } of [...queries, newest]) {
        const top = partners[caller % partners.length] as PartnerDetail
        const at = pick(instants, clock) ?? exampleInstant
        const items = applications.map((application) => item(application, at))
        const values = filterValues(items, partners)
        const filters = Object.fromEntries(
          Object.entries(draws).flatMap(([name, draw]) => {
            if (draw === undefined) return []
            const value = pick<unknown>(values[name as keyof ApplicationFilters], draw)
            return value === undefined ? [] : [[name, value]]
          })
        ) as ApplicationFilters
        const isExpected = (item: Item) => isWithin(forest, top.partner_id, item.partner_id) && matches(item, filters)
        const expected = items
          .filter(isExpected)
          .toSorted(compareItems(sort))
          .map(({ application_id }) => abridged.get(application_id))
        const pages = yield* readEveryPage(size, (page) => list(top, { filters, page, sort, at })).pipe(
          Effect.provideService(CostlyAbove, costlyAbove)
        )
        assert.deepStrictEqual(pages.flatMap(({ items }) => items), expected)
        assert.deepStrictEqual(new Set(pages.map(({ total }) => total)), new Set([expected.length]))
        const walked = yield* readWalk(
          size,
          (after) => list(top, { filters, page: { number: 0, size }, sort, at, after })
        ).pipe(Effect.provideService(CostlyAbove, costlyAbove))
        assert.deepStrictEqual<unknown>(walked, expected)
        const { exportAll } = yield* ApplicationRepository
        const whole = yield* Stream.runCollect(exportAll(scopeOfPartner(top), { filters, sort, at }))
        assert.deepStrictEqual(whole, expected)
        const counts = yield* Effect.provideService(count(top, { filters, at }), CostlyAbove, costlyAbove)
        const expectedCounts = new Map<string, number>()
        for (const [index, application] of applications.entries()) {
          if (!isExpected(items[index] as Item)) continue
          const place = placeOn(courseOf(application), at)
          expectedCounts.set(place, (expectedCounts.get(place) ?? 0) + 1)
        }
        assert.deepStrictEqual(new Map<string, number>([...counts].filter(([, number]) => number > 0)), expectedCounts)
      }
    }
  )

  it("T02 `list` returns and counts the applications in scope, and none outside the scope", function*() {
    const { partners, scopes } = yield* storeScopeExamples
    const ids = new Map<PartnerDetail, string>()
    for (const partner of partners) ids.set(partner, (yield* storeApplication(partner)).application_id)
    for (const { caller, inside } of scopes) {
      for (const filters of [{}, { status: ["QUOTING"] } as const, { next_action: ["WAIT"] } as const]) {
        const { items, total } = yield* listAll(caller, filters)
        const expected = inside.map((partner) => ids.get(partner) ?? "")
        assert.sameMembers(items.map(({ application_id }) => application_id), expected)
        assert.strictEqual(total, expected.length)
      }
    }
  })

  it("T02 `list` and `countPlaces` are empty for a scope whose partner does not exist", function*() {
    const { partner_id } = yield* storeRootPartner()
    const unknown = asOperator.scope(partner_id.replace(/^.{8}/, "ffffffff") as typeof partner_id)
    const applications = yield* ApplicationRepository
    const everyFilters: ReadonlyArray<ApplicationFilters> = [
      {},
      { status: ["EXPIRED"] },
      { next_action: ["NONE"] },
      { rejection_code: "NO_BALANCE" }
    ]
    for (const filters of everyFilters) {
      const query = { ...listQuery<ApplicationFilters, "created_at">(filters), at: exampleInstant }
      assert.deepStrictEqual(yield* applications.list(unknown, query), { items: [], total: 0 })
      assert.deepStrictEqual([...yield* applications.countPlaces(unknown, query)], [])
    }
  })

  it("FGTS-50 an application moves from QUOTED to EXPIRED when its last offer expires, without a write", function*() {
    const partner = yield* storeRootPartner()
    const { expiry } = yield* storeQuoted(partner)
    const totals = (at: Timestamp) =>
      Effect.forEach(
        ["QUOTING", "QUOTED", "EXPIRED"] as const,
        (status) => Effect.map(listAll(partner, { status: [status] }, at), ({ total }) => total)
      )
    assert.deepStrictEqual(yield* totals(addMillis(expiry, -1)), [0, 1, 0])
    assert.deepStrictEqual(yield* totals(expiry), [0, 0, 1])
    assert.deepStrictEqual(yield* totals(addMillis(expiry, -1)), [0, 1, 0])
  })

  it("FGTS-78 a filter by expiry finds the offers that expire in its range, and a filter by `retry_at` the refusals", function*() {
    const partner = yield* storeRootPartner()
    const { expiry, quoted } = yield* storeQuoted(partner)
    const pending = yield* storeApplication(partner)
    const retry_at = addMillis(exampleInstant, 60_000)
    const rejection = rejectionReason("NO_BALANCE", "", retry_at)
    const refused = yield* saveApplication(pending, yield* answerQuote(pending, { kind: "REFUSED", rejection }))
    const listIds = (filters: ApplicationFilters, at: Timestamp) =>
      Effect.map(listAll(partner, filters, at), ({ items }) => items.map(({ application_id }) => application_id))
    const [before, after] = [addMillis(expiry, -1), addMillis(expiry, 1)]
    assert.deepStrictEqual(yield* listIds({ expires_to: after }, before), [quoted.application_id])
    assert.deepStrictEqual(
      yield* listIds({ expires_from: expiry, next_action: ["ACCEPT_OFFER", "SUBMIT_KYC"] }, before),
      [
        quoted.application_id
      ]
    )
    for (
      const filters of [{ expires_to: expiry }, { expires_from: after }, { expires_to: after, retry_from: retry_at }]
    ) {
      assert.deepStrictEqual(yield* listIds(filters, before), [])
    }
    assert.deepStrictEqual(yield* listIds({ expires_to: after }, expiry), [])
    assert.deepStrictEqual(yield* listIds({ retry_to: addMillis(retry_at, 1) }, exampleInstant), [
      refused.application_id
    ])
    for (const filters of [{ retry_to: retry_at }, { retry_from: retry_at, status: ["QUOTED"] } as const]) {
      assert.deepStrictEqual(yield* listIds(filters, exampleInstant), [])
    }
  })

  it("T20 the total counts every application, also those beyond the largest page", function*() {
    const partner = yield* storeRootPartner()
    for (let index = 0; index < 101; index++) yield* storeApplication(partner)
    const { items, total } = yield* list(partner, { ...listQuery({}), at: exampleInstant })
    assert.deepStrictEqual([items.length, total], [100, 101])
  })

  it("PAGE-26 T62 `list` and `countPlaces` refuse a read over their budget, and never one whose scope has no more records than the budget", function*() {
    const partner = yield* storeRootPartner()
    for (let index = 0; index < 7; index++) yield* storeApplication(partner)
    const totalWithin = (budget: number, filters: ApplicationFilters, size: number) => {
      const page = { number: 0, size }
      const query = { ...listQuery<ApplicationFilters, "created_at">(filters, { page }), at: exampleInstant }
      return readWithin(budget, (limit) => Effect.map(list(partner, query, limit), ({ total }) => total))
    }
    assert.strictEqual(yield* totalWithin(6, {}, 1), 7)
    const updated = { updated_from: exampleInstant }
    assert.strictEqual(yield* totalWithin(7, updated, 100), 7)
    assert.strictEqual(yield* totalWithin(6, updated, 100), "refused")
    assert.strictEqual(yield* totalWithin(7, { status: ["QUOTING"] }, 100), 7)
    assert.strictEqual(yield* totalWithin(7, { next_action: ["WAIT"] }, 100), 7)
    const countWithin = (budget: number, filters: ApplicationFilters) =>
      readWithin(budget, (limit) =>
        Effect.map(
          count(partner, { filters, at: exampleInstant }, limit),
          (counts) => counts.get("QUOTING/WAIT/") ?? 0
        ))
    assert.strictEqual(yield* countWithin(6, {}), 7)
    assert.strictEqual(yield* countWithin(6, { next_action: ["WAIT"] }), 7)
    assert.strictEqual(yield* countWithin(7, updated), 7)
    assert.strictEqual(yield* countWithin(6, updated), "refused")
  })
}
