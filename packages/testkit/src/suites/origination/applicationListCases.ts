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
import { CostlyAbove, withinBudget } from "@lastro/domain/ports"
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
import { listQuery, readEveryPage, readWalk, scopeOfPartner } from "../suite/queries.ts"
import { storeHistory, storeQuoted, storeScopeExamples } from "../suite/storedRecords.ts"
import { filterDraws, filterValues, instantsOf, type Item, item, matches, pick } from "./applicationListModel.ts"

const inOrder = compareBy<Item, "created_at" | "updated_at">(
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
            const value = draw === undefined
              ? undefined
              : pick<unknown>(values[name as keyof ApplicationFilters], draw)
            return value === undefined ? [] : [[name, value]]
          })
        ) as ApplicationFilters
        const expected = items
          .filter((item) => isWithin(forest, top.partner_id, item.partner_id) && matches(item, filters))
          .toSorted(inOrder(sort))
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
        const places = applications
          .filter((_, index) => {
            const one = items[index] as Item
            return isWithin(forest, top.partner_id, one.partner_id) && matches(one, filters)
          })
          .map((application) => placeOn(courseOf(application), at))
        assert.deepStrictEqual(
          Object.fromEntries(Array.from(counts).filter(([, applications]) => applications > 0)),
          Object.fromEntries(places.map((place) => [place, places.filter((other) => other === place).length]))
        )
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
    for (
      const filters of [
        {},
        { status: ["EXPIRED"] } as const,
        { next_action: ["NONE"] } as const,
        { rejection_code: "NO_BALANCE" } as const
      ]
    ) {
      const query = { ...listQuery<ApplicationFilters, "created_at">(filters), at: exampleInstant }
      assert.deepStrictEqual(yield* applications.list(unknown, query), { items: [], total: 0 })
      assert.deepStrictEqual([...yield* applications.countPlaces(unknown, query)], [])
    }
  })

  it("FGTS-50 an application moves from QUOTED to EXPIRED when its last offer expires, without a write", function*() {
    const partner = yield* storeRootPartner()
    const { end } = yield* storeQuoted(partner)
    const totals = (at: Timestamp) =>
      Effect.forEach(
        ["QUOTING", "QUOTED", "EXPIRED"] as const,
        (status) => Effect.map(listAll(partner, { status: [status] }, at), ({ total }) => total)
      )
    assert.deepStrictEqual(yield* totals(addMillis(end, -1)), [0, 1, 0])
    assert.deepStrictEqual(yield* totals(end), [0, 0, 1])
    assert.deepStrictEqual(yield* totals(addMillis(end, -1)), [0, 1, 0])
  })

  it("FGTS-78 a filter by expiry finds the offers that expire in its range, and a filter by `retry_at` the refusals", function*() {
    const partner = yield* storeRootPartner()
    const { end, quoted } = yield* storeQuoted(partner)
    const asked = yield* storeApplication(partner)
    const retry_at = addMillis(exampleInstant, 60_000)
    const rejection = rejectionReason("NO_BALANCE", "", retry_at)
    const refused = yield* saveApplication(asked, yield* answerQuote(asked, { kind: "REFUSED", rejection }))
    const found = (filters: ApplicationFilters, at: Timestamp) =>
      Effect.map(listAll(partner, filters, at), ({ items }) => items.map(({ application_id }) => application_id))
    const [before, after] = [addMillis(end, -1), addMillis(end, 1)]
    assert.deepStrictEqual(yield* found({ expires_to: after }, before), [quoted.application_id])
    assert.deepStrictEqual(yield* found({ expires_from: end, next_action: ["ACCEPT_OFFER", "SUBMIT_KYC"] }, before), [
      quoted.application_id
    ])
    for (const filters of [{ expires_to: end }, { expires_from: after }, { expires_to: after, retry_from: retry_at }]) {
      assert.deepStrictEqual(yield* found(filters, before), [])
    }
    assert.deepStrictEqual(yield* found({ expires_to: after }, end), [])
    assert.deepStrictEqual(yield* found({ retry_to: addMillis(retry_at, 1) }, exampleInstant), [refused.application_id])
    for (const filters of [{ retry_to: retry_at }, { retry_from: retry_at, status: ["QUOTED"] } as const]) {
      assert.deepStrictEqual(yield* found(filters, exampleInstant), [])
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
    const readWithin = (budget: number, filters: ApplicationFilters, size: number) =>
      withinBudget((limit) =>
        list(partner, { ...listQuery(filters, { page: { number: 0, size } }), at: exampleInstant }, limit)
      ).pipe(
        Effect.provideService(CostlyAbove, budget),
        Effect.map(({ total }) => total),
        Effect.catchTag("ReadBudgetExceeded", () => Effect.succeed("refused"))
      )
    assert.strictEqual(yield* readWithin(6, {}, 1), 7)
    const updated = { updated_from: exampleInstant }
    assert.strictEqual(yield* readWithin(7, updated, 100), 7)
    assert.strictEqual(yield* readWithin(6, updated, 100), "refused")
    assert.strictEqual(yield* readWithin(7, { status: ["QUOTING"] }, 100), 7)
    assert.strictEqual(yield* readWithin(7, { next_action: ["WAIT"] }, 100), 7)
    const countWithin = (budget: number, filters: ApplicationFilters) =>
      withinBudget((limit) => count(partner, { filters, at: exampleInstant }, limit)).pipe(
        Effect.provideService(CostlyAbove, budget),
        Effect.map((counts) => counts.get("QUOTING/WAIT/") ?? 0),
        Effect.catchTag("ReadBudgetExceeded", () => Effect.succeed("refused"))
      )
    assert.strictEqual(yield* countWithin(6, {}), 7)
    assert.strictEqual(yield* countWithin(6, { next_action: ["WAIT"] }), 7)
    assert.strictEqual(yield* countWithin(7, updated), 7)
    assert.strictEqual(yield* countWithin(6, updated), "refused")
  })
}
