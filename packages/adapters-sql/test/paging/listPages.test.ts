import { assert, it } from "@effect/vitest"
import { asOperator, type SubtreeScope } from "@lastro/domain/hierarchy"
import { type ListSlice, type SortBy } from "@lastro/domain/input"
import { type ContractedApplication, proposalListItem, ProposalRepository } from "@lastro/domain/origination"
import { type PartnerDetail } from "@lastro/domain/partner"
import { type ReadBudgetExceeded } from "@lastro/domain/ports"
import { UserRepository } from "@lastro/domain/user"
import { type Timestamp, timestampOf } from "@lastro/domain/values"
import { storeContractedApplication, storeForest, storeUser } from "@lastro/testkit"
import { Effect } from "effect"
import { RegionSize } from "../../src/hierarchy/cutRegions.ts"
import { checkHierarchy, foldCounts } from "../../src/index.ts"
import { FirstPath } from "../../src/paging/PathHints.ts"
import { postgres } from "../databases.ts"
import { verifyPaths } from "./verifyPaths.ts"

const minute = (at: number): Timestamp => timestampOf(Date.UTC(2026, 0, 1) + at * 60_000)

interface Listed {
  readonly created_at: Timestamp
}

/** Lists records without filters, by creation time. */
type List<A> = (scope: SubtreeScope, query: {
  readonly filters: Readonly<Record<never, never>>
  readonly sort: readonly [SortBy<"created_at">]
  readonly page: { readonly number: number; readonly size: number }
}) => Effect.Effect<ListSlice<A>, ReadBudgetExceeded>

/**
 * Verifies every page of four scopes of a tree: the root; a partner with the oldest records; a partner with many children; and
 * its only child with records, which are mixed in time with those of its parent.
 */
const verifyEveryPage = Effect.fnUntraced(function*<A extends Listed, E, R>(
  makeRecord: (partner: PartnerDetail, created_at: Timestamp, index: number) => Effect.Effect<A, E, R>,
  list: List<A>,
  id: (record: A) => string
) {
  const shape = [null, 0, 0, 2, ...Array.from({ length: 40 }, () => 2)] as const
  const [root, old, young, child] = yield* storeForest(shape)
  const makeRecords = (partner: PartnerDetail, count: number, from: number, step: number) =>
    Effect.all(Array.from({ length: count }, (_, index) => makeRecord(partner, minute(from + step * index), index)))
  const ofOld = yield* makeRecords(old, 20, 0, 1)
  const ofYoung = yield* makeRecords(young, 50, 100, 2)
  const ofChild = yield* makeRecords(child, 20, 101, 5)
  // The access path is chosen by the folded counts.
  yield* Effect.repeat(foldCounts, { until: (changes) => changes === 0 })
  assert.deepStrictEqual(yield* checkHierarchy, [])

  const scopes = [
    { top: root, expected: [...ofOld, ...ofYoung, ...ofChild] },
    { top: old, expected: ofOld },
    { top: young, expected: [...ofYoung, ...ofChild] },
    { top: child, expected: ofChild }
  ]
  const newest: SortBy<"created_at"> = { property: "created_at", direction: "desc" }
  const oldest: SortBy<"created_at"> = { property: "created_at", direction: "asc" }
  const byTime = (one: A, other: A) =>
    one.created_at < other.created_at || one.created_at === other.created_at && id(one) < id(other) ? -1 : 1
  for (const { expected, top } of scopes) {
    const sorted = expected.toSorted(byTime)
    for (const [sort, wanted] of [[oldest, sorted], [newest, sorted.toReversed()]] as const) {
      for (const size of [1, 3, 7]) {
        const pages = Array.from({ length: 1 + Math.floor(wanted.length / size) }, (_, number) => number)
        // The second read of a first page prepares the statement for the path that the first read chose. A walk ends
        // before it reaches old records.
        for (
          const [number, path] of [
            [0, "walk"],
            ...[0, ...pages].map((number) => [number, "chosen"] as const)
          ] as const
        ) {
          const query = { filters: {}, sort: [sort], page: { number, size } } as const
          const read = list(asOperator.scope(top.partner_id), query)
          const { items, total } = yield* Effect.provideService(read, FirstPath, path)
          assert.strictEqual(total, wanted.length)
          assert.deepStrictEqual(items, wanted.slice(number * size, (number + 1) * size))
        }
      }
    }
  }
})

it.layer(postgres({ interval: "1 hour" }), {
  excludeTestServices: true,
  timeout: "1 minute"
})("listPages in PostgreSQL", (it) => {
  it.effect(
    "T02 T03 a first page is the same, whichever access path is tried first, before and after moves",
    () => verifyPaths(4),
    60_000
  )

  for (const size of [1, 64]) {
    it.effect(`T02 T03 a page of users is the same by every access path, with regions of ${size}`, () =>
      Effect.gen(function*() {
        yield* verifyEveryPage(
          (partner, created_at, index) =>
            storeUser(partner, { created_at, name: `Nome ${index % 7} ${partner.partner_id}` }),
          (yield* UserRepository).list,
          ({ user_id }) => user_id
        )
      }).pipe(Effect.provideService(RegionSize, size)))

    it.effect(`T02 T03 a page of proposals is the same by every access path, with regions of ${size}`, () =>
      Effect.gen(function*() {
        yield* verifyEveryPage(
          (partner, at) =>
            Effect.map(
              storeContractedApplication(partner, { at }),
              (application) => proposalListItem(application as ContractedApplication)
            ),
          (yield* ProposalRepository).list,
          ({ proposal_id }) => proposal_id
        )
      }).pipe(Effect.provideService(RegionSize, size)))
  }
})
