import { assert, it } from "@effect/vitest"
import { asOperator, type SubtreeScope } from "@lastro/domain/hierarchy"
import { PartnerRepository, type PartnerSortField } from "@lastro/domain/partner"
import { type PartnerId } from "@lastro/domain/values"
import { storeForest } from "@lastro/testkit"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { isOrdeal } from "../../../../test/rounds.ts"
import { checkHierarchy } from "../../src/index.ts"
import { countBinds } from "../countBinds.ts"
import { postgres } from "../databases.ts"

/** Inserts children of a partner, created at intervals of 1 s after `from`. */
const addChildren = Effect.fnUntraced(function*(parent: PartnerId, count: number, from: string) {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    with children as (
      insert into partner
      select gen_random_uuid(), ${parent}, root_id, 'pf', 'active', 'Filha ' || n, 'filha ' || n, 'f@example.com',
        'f@example.com', '11912345678', ${from} || n, null, null, null, ${from}::timestamptz + n * interval '1 second', null,
        region_id
      from generate_series(1, ${count}) n, partner where partner.id = ${parent}
      returning id
    ),
    placed as (
      insert into subtree_partner select top_id, children.id from children, subtree_partner
      where partner_id = ${parent} union all select id, id from children
    ),
    counted as (insert into subtree_count select id, 0, 0 from children)
    insert into subtree_count_delta (partner_id, partners, users) select id, 1, 0 from children`
})

const pageQuery = (
  number: number,
  property: PartnerSortField = "created_at",
  filters: { readonly parent_id?: PartnerId } = {}
) => ({ filters, page: { number, size: 20 }, sort: [{ property, direction: "desc" }] } as const)

/** A sort with an index and one without. `pnpm ordeal:races` adds a text. */
const properties: ReadonlyArray<"created_at" | "name" | "status"> = isOrdeal
  ? ["created_at", "name", "status"]
  : ["created_at", "status"]

/** The number of children. `pnpm ordeal:races` adds more than a statement may have bind parameters. */
const width = isOrdeal ? 70_000 : 7_000

it.layer(postgres({ interval: "50 millis", statementTimeout: "2 minutes", lockTimeout: "1 minute" }), {
  excludeTestServices: true,
  timeout: "1 minute"
})("a wide tree in PostgreSQL", (it) => {
  it.effect(
    "T57 listing, counting and finding thousands of children binds as many values as one child",
    () =>
      Effect.gen(function*() {
        const partners = yield* PartnerRepository
        const sql = yield* SqlClient.SqlClient
        const [root, old, few, stranger] = yield* storeForest([null, 0, 0, null])
        yield* addChildren(old.partner_id, 1_200, "2020-01-01")
        yield* addChildren(root.partner_id, width, "2024-01-01")
        yield* addChildren(few.partner_id, 3, "2025-06-01")
        yield* sql`analyze`

        const countAndBind = (top: SubtreeScope, number = 0) =>
          countBinds(Effect.map(partners.list(top, pageQuery(number)), (slice) => [slice.total, slice.items.length]))
        const scope = asOperator.scope
        const wide = yield* countAndBind(scope(root.partner_id))
        assert.deepStrictEqual(wide.value, [width + 1_206, 20])
        assert.deepStrictEqual(yield* countAndBind(scope(stranger.partner_id)), { value: [1, 1], binds: wide.binds })
        assert.strictEqual(wide.binds.length, 1)

        const child = (yield* partners.list(scope(root.partner_id), pageQuery(width / 40 - 50))).items[0]?.partner_id
        assert.isDefined(child)
        const found = yield* countBinds(partners.find(scope(root.partner_id), child as PartnerId))
        assert.strictEqual(found.value._tag, "Some")
        assert.deepStrictEqual(
          found.binds,
          (yield* countBinds(partners.find(scope(few.partner_id), few.partner_id))).binds
        )

        // Every access path returns the rows of the plain query: for the whole tree, for a large subtree whose records are deep
        // in the order and for a small one; with indexed and other sorts; for the first, middle and last page and beyond.
        for (const top of [root, old, few]) {
          for (const property of properties) {
            const column = sql.literal(property === "name" ? "name_folded" : property)
            const plain = yield* sql<{ readonly id: PartnerId }>`
            with recursive below (id) as (
              select ${top.partner_id}::uuid union all
              select partner.id from partner join below on partner.parent_id = below.id
            )
            select id from partner join below using (id) order by ${column} desc, id desc`
            for (const number of [0, 30, 59, Math.ceil(width / 20) + 60, 1_000_000_000]) {
              const { items, total } = yield* partners.list(scope(top.partner_id), pageQuery(number, property))
              assert.deepStrictEqual(
                items.map((item) => item.partner_id),
                plain.slice(number * 20, number * 20 + 20).map(({ id }) => id)
              )
              assert.strictEqual(total, plain.length)
            }
          }
        }
        assert.deepStrictEqual(yield* checkHierarchy, [])

        // A host filters its rows by a small subtree without reading the whole tree.
        yield* sql`create table shop_order (id serial primary key, partner_id uuid not null)`
        yield* sql`create index on shop_order (partner_id)`
        yield* sql`insert into shop_order (partner_id) select id from partner, generate_series(1, 3)`
        yield* sql`vacuum analyze shop_order, partner`
        const plan = yield* sql<{ readonly "QUERY PLAN": string }>`
          explain (analyze, costs off, timing off)
          select * from shop_order
          where partner_id = any (array(select partner_id from partner_ancestor where ancestor_id = ${few.partner_id}))`
        const lines = plan.map((row) => row["QUERY PLAN"])
        assert.include(lines[0], "actual rows=12")
        assert.deepStrictEqual(lines.filter((line) => /Seq Scan on (?:partner|shop_order)/.test(line)), [])
      }),
    120_000
  )
})
