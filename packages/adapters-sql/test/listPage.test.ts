import { assert, it } from "@effect/vitest"
import { asOperator, type SortBy, type Timestamp, timestampOf, type UserListItem, UserRepository } from "@lastro/domain"
import { givenForest, givenUser } from "@lastro/testkit"
import { Effect } from "effect"
import { foldCounts } from "../src/index.ts"
import { postgres } from "./databases.ts"

const minute = (at: number): Timestamp => timestampOf(Date.UTC(2026, 0, 1) + at * 60_000)

it.layer(postgres(), { excludeTestServices: true, timeout: "1 minute" })("a page of users in PostgreSQL", (it) => {
  it.effect("T02 T03 is the same by whichever way it is found", () =>
    Effect.gen(function*() {
      // Below the root: a partner all of whose users are older than the others', and one with many children, of which
      // one has users, mixed in time with its own.
      const shape = [null, 0, 0, 2, ...Array.from({ length: 40 }, () => 2)] as const
      const [root, old, young, child] = yield* givenForest(shape)
      const add = (partner: typeof root, from: number, step: number) => (_: unknown, index: number) =>
        givenUser(partner, { created_at: minute(from + step * index), name: `Nome ${index % 7} ${partner.name}` })
      const users = (partner: typeof root, count: number, from: number, step: number) =>
        Effect.all(Array.from({ length: count }, add(partner, from, step)))
      const ofOld = yield* users(old, 20, 0, 1)
      const ofYoung = yield* users(young, 50, 100, 2)
      const ofChild = yield* users(child, 20, 101, 5)
      // The ways are chosen by the counts: what is not folded yet is not weighed.
      yield* Effect.repeat(foldCounts, { until: (changes) => changes === 0 })

      const repository = yield* UserRepository
      const scopes = [
        { top: root, expected: [...ofOld, ...ofYoung, ...ofChild] },
        { top: old, expected: ofOld },
        { top: young, expected: [...ofYoung, ...ofChild] },
        { top: child, expected: ofChild }
      ]
      const newest: SortBy<"created_at"> = { property: "created_at", direction: "desc" }
      const oldest: SortBy<"created_at"> = { property: "created_at", direction: "asc" }
      const byTime = (one: UserListItem, other: UserListItem) =>
        one.created_at < other.created_at || one.created_at === other.created_at && one.user_id < other.user_id ? -1 : 1
      for (const { expected, top } of scopes) {
        const sorted = expected.toSorted(byTime)
        for (const [sort, wanted] of [[oldest, sorted], [newest, sorted.toReversed()]] as const) {
          for (const size of [1, 3, 7]) {
            for (let number = 0; number * size <= wanted.length; number++) {
              const { items, total } = yield* repository.list(asOperator.scope(top.partner_id), {
                filters: {},
                sort: [sort],
                page: { number, size }
              })
              assert.strictEqual(total, wanted.length)
              assert.deepStrictEqual(items, wanted.slice(number * size, (number + 1) * size))
            }
          }
        }
      }
    }))
})
