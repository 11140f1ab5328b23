import { asOperator } from "@lastro/domain/hierarchy"
import { compareBy } from "@lastro/domain/input"
import {
  type Application,
  ApplicationStatus,
  courseOf,
  latestQuote,
  NextAction,
  placeOn,
  ProposalStatus
} from "@lastro/domain/loan"
import { rejectionCodes } from "@lastro/domain/offer"
import {
  abridgeApplication,
  type ApplicationFilters,
  type ApplicationQuery,
  ApplicationRepository,
  applicationSortFields,
  fgtsApplicationListItem
} from "@lastro/domain/origination"
import { type PartnerDetail, type PartnerRepository } from "@lastro/domain/partner"
import { CostlyAbove, withinBudget } from "@lastro/domain/ports"
import { millisOf, saoPauloMidnight, type Timestamp, timestampOf } from "@lastro/domain/values"
import { assert } from "chai"
import { Effect, Stream } from "effect"
import * as fc from "fast-check"
import { contractedHistory, history } from "../../arbitraries/histories.ts"
import { sortOf, sparse } from "../../arbitraries/paging.ts"
import { forestShape } from "../../arbitraries/partners.ts"
import { answerWithOffers } from "../../builders/applicationStages.ts"
import { exampleInstant } from "../../builders/Fresh.ts"
import { saveApplication, storeApplication, storeForest, storeRootPartner } from "../../builders/storedRecords.ts"
import { forestOf, isWithin } from "../../hierarchy/naiveForest.ts"
import { type ContractCases } from "../suite/ContractSuite.ts"
import { listQuery, readEveryPage, scopeOfPartner } from "../suite/queries.ts"
import { storeHistory, storeScopeExamples } from "../suite/storedRecords.ts"

const later = (at: Timestamp, ms: number): Timestamp => timestampOf(millisOf(at) + ms)

/** Lists the instants at or near which the status of an application changes. */
const instantsOf = ({ created_at, quotes, updated_at }: Application): ReadonlyArray<Timestamp> =>
  [
    created_at,
    updated_at,
    ...quotes.flatMap(({ blocked_until, offers, rejection }) => [
      ...offers.map(({ expires_at }) => expires_at),
      ...blocked_until === undefined ? [] : [saoPauloMidnight(blocked_until)],
      ...rejection === null || rejection.retry_at === null ? [] : [rejection.retry_at]
    ])
  ]
    .flatMap((at) => [later(at, -1), at, later(at, 1)])

/** For each filter of a query, a random number. It selects the row from which the value of the filter is taken. */
const filterDraws: fc.Arbitrary<Partial<Record<keyof ApplicationFilters, number>>> = sparse({
  external_id: fc.nat(),
  cpf: fc.nat(),
  status: fc.nat(),
  next_action: fc.nat(),
  proposal_status: fc.nat(),
  rejection_code: fc.nat(),
  partner_id: fc.nat(),
  created_by: fc.nat(),
  metadata: fc.nat(),
  created_from: fc.nat(),
  created_to: fc.nat(),
  updated_from: fc.nat(),
  updated_to: fc.nat()
})

const pick = <A>(values: ReadonlyArray<A>, draw: number): A | undefined => values[draw % Math.max(1, values.length)]

const item = (application: Application, at: Timestamp) => fgtsApplicationListItem(application, at, "full")
type Item = ReturnType<typeof item>

/** Each value alone, and each value with the next two. */
const setsOf = <A>(values: ReadonlyArray<A>): ReadonlyArray<ReadonlyArray<A>> => [
  ...values.map((one) => [one]),
  ...values.map((_, index) => values.slice(index, index + 3))
]

/** The values of the filters that can match some of the rows. */
const filterValues = (
  items: ReadonlyArray<Item>,
  partners: ReadonlyArray<PartnerDetail>
): { readonly [K in keyof ApplicationFilters]-?: ReadonlyArray<NonNullable<ApplicationFilters[K]>> } => ({
  external_id: items.map(({ external_id }) => external_id),
  cpf: items.map(({ customer }) => customer.cpf as NonNullable<ApplicationFilters["cpf"]>),
  status: setsOf(ApplicationStatus.literals),
  next_action: setsOf(NextAction.literals),
  proposal_status: setsOf(ProposalStatus.literals),
  created_by: items.map(({ created_by }) => created_by),
  rejection_code: [...items.flatMap(({ rejection }) => rejection === null ? [] : [rejection.code]), ...rejectionCodes],
  partner_id: partners.map(({ partner_id }) => partner_id),
  metadata: items.flatMap(({ metadata }) => {
    const [first, ...others] = Object.entries(metadata)
    return first === undefined ? [] : [Object.fromEntries([first]), Object.fromEntries([first, ...others])]
  }),
  created_from: items.map(({ created_at }) => created_at),
  created_to: items.map(({ created_at }) => created_at),
  updated_from: items.map(({ updated_at }) => updated_at),
  updated_to: items.map(({ updated_at }) => updated_at)
})

const matches = (one: Item, filters: ApplicationFilters): boolean =>
  (filters.external_id === undefined || one.external_id === filters.external_id) &&
  (filters.cpf === undefined || one.customer.cpf === filters.cpf) &&
  (filters.status?.includes(one.status) ?? true) &&
  (filters.next_action?.includes(one.next_action) ?? true) &&
  (filters.proposal_status?.some((status) => status === one.proposal_status) ?? true) &&
  (filters.created_by === undefined || one.created_by === filters.created_by) &&
  (filters.rejection_code === undefined || one.rejection?.code === filters.rejection_code) &&
  (filters.partner_id === undefined || one.partner_id === filters.partner_id) &&
  Object.entries(filters.metadata ?? {}).every(([key, value]) =>
    Object.entries(one.metadata).some(([own, text]) => own === key && text === value)
  ) &&
  (filters.created_from === undefined || filters.created_from <= one.created_at) &&
  (filters.created_to === undefined || one.created_at < filters.created_to) &&
  (filters.updated_from === undefined || filters.updated_from <= one.updated_at) &&
  (filters.updated_to === undefined || one.updated_at < filters.updated_to)

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
    // The first partner is a root, so its scope is large. The scopes of other partners are mostly small.
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
      fc.record({ status: fc.nat(), metadata: fc.nat() }),
      fc.record({ next_action: fc.nat(), created_by: fc.nat() })
    )
  })

  it.forAll(
    "T02 T03 FGTS-50 FGTS-73 PAGE-29 `list`, `countPlaces` and `exportAll` return the same as a filter of all items, for random trees, histories, clocks and queries",
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
      const abridged = new Map(applications.map((one) => [one.application_id, abridgeApplication(one)]))
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
          .filter((one) => isWithin(forest, top.partner_id, one.partner_id) && matches(one, filters))
          .toSorted(inOrder(sort))
          .map(({ application_id }) => abridged.get(application_id))
        const pages = yield* readEveryPage(size, (page) => list(top, { filters, page, sort, at })).pipe(
          Effect.provideService(CostlyAbove, costlyAbove)
        )
        assert.deepStrictEqual(pages.flatMap(({ items }) => items), expected)
        assert.deepStrictEqual(new Set(pages.map(({ total }) => total)), new Set([expected.length]))
        const { exportAll } = yield* ApplicationRepository
        const whole = yield* Stream.runCollect(exportAll(scopeOfPartner(top), { filters, sort, at }))
        assert.deepStrictEqual(whole, expected)
        const counts = yield* Effect.provideService(count(top, { filters, at }), CostlyAbove, costlyAbove)
        const places = applications
          .filter((_, index) => {
            const one = items[index] as Item
            return isWithin(forest, top.partner_id, one.partner_id) && matches(one, filters)
          })
          .map((one) => placeOn(courseOf(one), at))
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
    const pending = yield* storeApplication(partner)
    const quoted = yield* saveApplication(pending, yield* answerWithOffers(pending))
    const end = latestQuote(quoted).offers.map(({ expires_at }) => expires_at).toSorted().at(-1) ?? exampleInstant
    const totals = (at: Timestamp) =>
      Effect.forEach(
        ["QUOTING", "QUOTED", "EXPIRED"] as const,
        (status) => Effect.map(listAll(partner, { status: [status] }, at), ({ total }) => total)
      )
    assert.deepStrictEqual(yield* totals(later(end, -1)), [0, 1, 0])
    assert.deepStrictEqual(yield* totals(end), [0, 0, 1])
    assert.deepStrictEqual(yield* totals(later(end, -1)), [0, 1, 0])
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
