import { assert, describe, it } from "@effect/vitest"
import { asOperator } from "@lastro/domain/hierarchy"
import { type PartnerDetail } from "@lastro/domain/partner"
import { PartnerTree, UnitOfWork } from "@lastro/domain/ports"
import { UserRepository } from "@lastro/domain/user"
import { type PartnerId } from "@lastro/domain/values"
import { storeChildPartner, storeContractedApplication, storeForest, storeUser } from "@lastro/testkit"
import { forestShape } from "@lastro/testkit/arbitraries"
import { Effect, Layer, Redacted } from "effect"
import { Migrator, SqlClient } from "effect/sql"
import * as fc from "fast-check"
import { cutGrownRegions, RegionSize, usersPerRegionPartner } from "../../src/hierarchy/cutRegions.ts"
import { cutTree } from "../../src/hierarchy/fillRegions.ts"
import { checkHierarchy, foldCounts, migrate, PgDatabase } from "../../src/index.ts"
import { migrations } from "../../src/migrations/migrate.ts"
import { postgresWithoutFolder } from "../databases.ts"
import { freshDatabase } from "../postgres.ts"
import { movePartner } from "./movePartner.ts"

describe("cutTree", () => {
  it("divides any forest into few connected regions, in which only tops have more than the region size below them", () => {
    fc.assert(
      fc.property(forestShape(60), fc.integer({ min: 1, max: 12 }), (shape, size) => {
        const parents = Int32Array.from(shape, (parent) => parent ?? -1)
        const regions = cutTree(parents, size)
        const isTop = (index: number) => regions[index] === index
        const below = new Map<number, number>()
        for (let index = 0; index < parents.length; index++) {
          const parent = parents[index] ?? -1
          assert.isTrue(isTop(index) || regions[index] === regions[parent])
          for (let above = index; !isTop(above); above = parents[above] ?? -1) {
            below.set(above, (below.get(above) ?? 0) + 1)
          }
        }
        assert.isAtMost(Math.max(0, ...below.values()), size)
        const roots = shape.filter((parent) => parent === null).length
        assert.isAtMost(new Set(regions).size, roots + Math.floor(parents.length / (size + 1)))
      }),
      { numRuns: 500 }
    )
  })

  it("keeps the leaves of a wide partner in its region", () => {
    assert.deepStrictEqual([...cutTree(Int32Array.of(-1, 0, 1, 1, 1, 1), 3)], [0, 1, 1, 1, 1, 1])
  })
})

/** The maximum number of partners that a subtree of the tree lists individually. */
const maxIndividualPartners = Effect.fnUntraced(function*(root: PartnerId) {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql<{ readonly most: number }>`
    select coalesce(max(parts), 0)::int as most from (
      select count(*) as parts from subtree_partner part join partner on partner.id = part.top_id
      where partner.root_id = ${root} group by part.top_id
    ) counted`
  return row?.most
})

const foldAllCounts = Effect.repeat(foldCounts, { until: (changes) => changes === 0 })

// A fold in the background would split regions at the default size.
it.layer(postgresWithoutFolder(), {
  excludeTestServices: true,
  timeout: "1 minute"
})("regions in PostgreSQL", (it) => {
  it.effect("are split as a tree grows and moves, so that no subtree lists more than twice the region size individually", () =>
    Effect.gen(function*() {
      const [root] = yield* storeForest([null])
      const partners: Array<PartnerDetail> = [root]
      const size = 3
      for (const at of Array.from({ length: 60 }, (_, index) => (index * 7) % 11)) {
        partners.push(yield* storeChildPartner(partners[at % partners.length] ?? root))
        if (at === 0) yield* foldAllCounts
      }
      yield* foldAllCounts
      const sql = yield* SqlClient.SqlClient
      const regions = yield* sql<{ readonly id: PartnerId }>`
        select distinct region_id as id from partner where root_id = ${root.partner_id}`
      assert.isAbove(regions.length, 3)
      assert.isAtMost((yield* maxIndividualPartners(root.partner_id)) ?? 0, 2 * size)

      for (const [from, to] of [[11, 7], [20, 41], [9, 30], [3, 50], [2, 4]]) {
        yield* movePartner(partners[from ?? 0] ?? root, partners[to ?? 0] ?? root)
        assert.isAtMost((yield* maxIndividualPartners(root.partner_id)) ?? 0, 2 * size)
      }
      assert.deepStrictEqual(yield* checkHierarchy, [])
    }).pipe(Effect.provideService(RegionSize, 3)))

  it.effect("are split in separate transactions, which keeps the locks short", () =>
    Effect.gen(function*() {
      const partners = yield* storeForest([null, ...Array.from({ length: 40 }, (_, index) => Math.floor(index / 2))])
      const [root] = partners
      const sql = yield* SqlClient.SqlClient
      yield* cutGrownRegions(sql, partners.map(({ partner_id }) => partner_id))
      const [cuts] = yield* sql<{ readonly regions: number; readonly transactions: number }>`
        select count(*)::int as regions, count(distinct part.xmin::text)::int as transactions
        from subtree_region part join partner on partner.id = part.region_id
        where partner.root_id = ${root.partner_id} and part.top_id = part.region_id`
      assert.isAbove(cuts?.regions ?? 0, 3)
      assert.strictEqual(cuts?.transactions, cuts?.regions)
      assert.isAtMost((yield* maxIndividualPartners(root.partner_id)) ?? 0, 4)
      assert.deepStrictEqual(yield* checkHierarchy, [])
    }).pipe(Effect.provideService(RegionSize, 2)))

  it.effect("a partner that moves into another region and back keeps its users and proposals, below a common ancestor", () =>
    Effect.gen(function*() {
      const [, above, partner, top, below] = yield* storeForest([null, 0, 1, 1, 3, 3])
      yield* storeUser(partner)
      yield* storeContractedApplication(partner)
      yield* foldAllCounts
      const sql = yield* SqlClient.SqlClient
      const individualRows = Effect.map(
        sql`select from subtree_partner where top_id = ${above.partner_id} and partner_id = ${partner.partner_id}`,
        (rows) => rows.length
      )
      for (const [parent, expected] of [[below, 0], [above, 1], [top, 0], [above, 1]] as const) {
        assert.isTrue(yield* movePartner(partner, parent))
        assert.strictEqual(yield* individualRows, expected)
        assert.deepStrictEqual(yield* checkHierarchy, [])
      }
    }).pipe(Effect.provideService(RegionSize, 1)))

  it.effect("a partner with too many users becomes the top of a region, so that a move does not rewrite them", () =>
    Effect.gen(function*() {
      const [root, middle, crowded] = yield* storeForest([null, 0, 1])
      yield* Effect.replicateEffect(storeUser(crowded), usersPerRegionPartner)
      yield* foldAllCounts
      const sql = yield* SqlClient.SqlClient
      const region = Effect.map(
        sql<{ readonly id: PartnerId }>`select region_id as id from partner where id = ${crowded.partner_id}`,
        ([row]) => row?.id
      )
      assert.strictEqual(yield* region, root.partner_id)
      yield* storeUser(crowded)
      yield* foldAllCounts
      yield* storeUser(crowded)
      yield* foldAllCounts
      assert.strictEqual(yield* region, crowded.partner_id)
      yield* movePartner(crowded, root)
      assert.strictEqual(yield* region, crowded.partner_id)
      const users = yield* sql`select from app_user where region_id = ${crowded.partner_id}`
      assert.strictEqual(users.length, usersPerRegionPartner + 2)
      assert.deepStrictEqual(yield* checkHierarchy, [])
      assert.strictEqual(middle.parent_id, root.partner_id)
    }).pipe(Effect.provideService(RegionSize, 1)))

  it.effect("users that are inserted while a region is split belong to the new region", () =>
    Effect.gen(function*() {
      const [root, top] = yield* storeForest([null, 0])
      const tree = yield* PartnerTree
      const addUser = (yield* UnitOfWork).atomically(
        Effect.andThen(tree.lock(root.partner_id, "shared"), storeUser(top))
      )
      yield* Effect.all([
        Effect.forEach(Array.from({ length: 12 }), () => Effect.andThen(storeChildPartner(top), foldCounts)),
        Effect.forEach(Array.from({ length: 30 }), () => addUser),
        Effect.forEach(Array.from({ length: 30 }), () => addUser)
      ], { concurrency: 3 })
      yield* foldAllCounts
      const { total } = yield* (yield* UserRepository).list(asOperator.scope(root.partner_id), {
        filters: {},
        page: { number: 0, size: 1 },
        sort: [{ property: "created_at", direction: "desc" }]
      })
      assert.strictEqual(total, 60)
      assert.deepStrictEqual(yield* checkHierarchy, [])
    }).pipe(Effect.provideService(RegionSize, 2)))
})

describe("the migration to regions", () => {
  it.live("divides the existing trees and keeps every partner and user", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const before = Object.entries(migrations).filter(([name]) => name < "0007")
      yield* Migrator.make({})({ loader: Migrator.fromRecord(Object.fromEntries(before)), table: "lastro_migration" })
      yield* sql`
        insert into partner
        select ('00000000-0000-4000-8000-' || lpad(n::text, 12, '0'))::uuid,
          case when n > 1 then ('00000000-0000-4000-8000-' || lpad((n / 3 + 1)::text, 12, '0'))::uuid end,
          '00000000-0000-4000-8000-000000000001', 'pf', 'active', 'Nome', 'nome', 'f@example.com', 'f@example.com',
          '11912345678', n::text, null, null, null, now(), null
        from generate_series(1, 900) n order by n`
      yield* sql`
        insert into app_user
        select gen_random_uuid(), id, root_id, id, 'ACTIVE', 'Nome', 'nome', 'f@example.com', 'f@example.com', id, '11',
          document_number, false, 'hash', 0, now(), null from partner`
      yield* sql`
        insert into subtree_count
        with recursive up (id, top) as (
          select id, id from partner
          union all
          select up.id, partner.parent_id from up join partner on partner.id = up.top where parent_id is not null
        )
        select top, count(*), count(*) from up group by top`
      const after = Object.keys(migrations).filter((name) => name >= "0007").map((name) => name.slice(5))
      assert.deepStrictEqual((yield* migrate).map(([, name]) => name), after)
      const [cut] = yield* sql<{ readonly regions: number; readonly strays: number }>`
        select count(distinct region_id)::int as regions, (
          select count(*)::int from app_user join partner on partner.id = partner_id
          where app_user.region_id <> partner.region_id
        ) as strays from partner`
      assert.isAbove(cut?.regions ?? 0, 3)
      assert.strictEqual(cut?.strays, 0)
      assert.deepStrictEqual(yield* checkHierarchy, [])
    }).pipe(Effect.provide(Layer.unwrap(
      Effect.map(freshDatabase, (url) => PgDatabase.layer({ url: Redacted.make(url) }))
    ))))
})
