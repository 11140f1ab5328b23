import { assert } from "@effect/vitest"
import { asOperator } from "@lastro/domain/hierarchy"
import { type PartnerDetail, PartnerRepository } from "@lastro/domain/partner"
import { UserRepository } from "@lastro/domain/user"
import { type PartnerId, timestampOf } from "@lastro/domain/values"
import { storeForest, storeUser } from "@lastro/testkit"
import { forestShape } from "@lastro/testkit/arbitraries"
import { Effect } from "effect"
import * as fc from "fast-check"
import { RegionSize } from "../../src/hierarchy/cutRegions.ts"
import { foldCounts } from "../../src/index.ts"
import { accessPaths, FirstPath } from "../../src/paging/PathHints.ts"
import { movePartner } from "../hierarchy/movePartner.ts"

const forest = fc.record({
  shape: forestShape(6),
  owners: fc.array(fc.nat(), { maxLength: 8 }),
  moves: fc.array(fc.record({ partner: fc.nat(), parent: fc.nat() }), { minLength: 1, maxLength: 2 }),
  isFolded: fc.boolean()
})

const newest = { filters: {}, sort: [{ property: "created_at", direction: "desc" }] } as const

/**
 * Verifies the first page of every scope of random forests, before and after each of several moves: by the path that
 * was chosen before the move, by every other path, and by the general statement. All of them return the page and the
 * total of a naive model.
 */
export const verifyPaths = Effect.fnUntraced(function*(runs: number) {
  for (const { isFolded, moves, owners, shape } of fc.sample(forest, { numRuns: runs })) {
    const partners = yield* storeForest<ReadonlyArray<number | null>>(shape)
    const at = (index: number): PartnerDetail => partners[index % partners.length] ?? assert.fail("The forest is empty")
    const parents = new Map(partners.map(({ parent_id, partner_id }) => [partner_id, parent_id]))
    const isWithin = (top: PartnerId, id: PartnerId | null): boolean =>
      id !== null && (id === top || isWithin(top, parents.get(id) ?? null))
    const users = yield* Effect.forEach(
      owners,
      (owner, index) => storeUser(at(owner), { created_at: timestampOf(Date.UTC(2026, 0, 1) + index * 60_000) })
    )
    if (isFolded) yield* Effect.repeat(foldCounts, { until: (changes) => changes === 0 })

    const verify = Effect.fnUntraced(function*() {
      for (const { partner_id: top } of partners) {
        const expected = users.filter((user) => isWithin(top, user.partner_id)).map(({ user_id }) => user_id)
          .toReversed()
        const count = partners.filter(({ partner_id }) => isWithin(top, partner_id)).length
        for (const path of ["chosen", ...accessPaths, "general"] as const) {
          const [listed, counted] = yield* Effect.all([
            (yield* UserRepository).list(asOperator.scope(top), { ...newest, page: { number: 0, size: 3 } }),
            (yield* PartnerRepository).list(asOperator.scope(top), { ...newest, page: { number: 0, size: 3 } })
          ]).pipe(Effect.provideService(FirstPath, path))
          assert.deepStrictEqual(
            { items: listed.items.map(({ user_id }) => user_id), total: listed.total },
            { items: expected.slice(0, 3), total: expected.length },
            `users by ${path}, ${JSON.stringify({ shape, owners, moves })}`
          )
          assert.strictEqual(counted.total, count)
          assert.lengthOf(new Set(counted.items.map(({ partner_id }) => partner_id)), Math.min(3, count))
          assert.isTrue(counted.items.every(({ partner_id }) => isWithin(top, partner_id)))
        }
      }
    })
    yield* verify()
    for (const { parent, partner } of moves) {
      if (yield* movePartner(at(partner), at(parent))) parents.set(at(partner).partner_id, at(parent).partner_id)
      yield* verify()
    }
  }
}, Effect.provideService(RegionSize, 2))
