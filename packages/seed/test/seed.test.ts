import { assert, describe, it } from "@effect/vitest"
import { checkInvariants, checkLawfulness, checkWork } from "@lastro/adapters-sql"
import { asOperator } from "@lastro/domain/hierarchy"
import { type PasswordHash } from "@lastro/domain/identity"
import { foldText } from "@lastro/domain/input"
import { ProposalRepository } from "@lastro/domain/origination"
import { UserRepository } from "@lastro/domain/user"
import { Cause, Effect, Exit } from "effect"
import { SqlClient } from "effect/sql"
import { pglite, postgres } from "../../adapters-sql/test/databases.ts"
import { schemaOf } from "../../adapters-sql/test/migrations/schemaOf.ts"
import { DatabaseNotEmpty, seed, type SeedOptions, type SeedProgress, vacuum } from "../src/index.ts"

const options: SeedOptions = {
  partners: 100,
  users: 150,
  applications: 90,
  seed: 3,
  now: Date.UTC(2026, 10, 28, 15),
  passwordHash: "a hash" as PasswordHash
}

const firstPage = { page: { number: 0, size: 20 }, sort: [{ property: "created_at", direction: "desc" }] } as const

/** A digest of the seeded rows. */
const digest = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql<{ readonly digest: string }>`
    select md5(concat(
      (select string_agg(concat_ws(' ', id, parent_id, region_id, name, status, address), ',' order by id) from partner),
      (select string_agg(concat_ws(' ', id, partner_id, region_id, name, email, cpf), ',' order by id) from app_user),
      (select string_agg(concat_ws(' ', id, partner_id, customer, kyc, version), ',' order by id) from application),
      (select string_agg(concat_ws(' ', id, facts), ',' order by id) from quote),
      (select string_agg(concat_ws(' ', id, region_id, number, list_item, facts), ',' order by id) from proposal),
      (select string_agg(plan::text, ',' order by id) from (select id, partner_id, rates from commission_plan) plan),
      (select string_agg(item::text, ',' order by id) from commission_entry item),
      (select string_agg(item::text, ',' order by id) from commission_closing item),
      (select string_agg(item::text, ',' order by id) from commission_payout item),
      (select string_agg(concat_ws(' ', partner_id, partners, users, proposals), ',' order by partner_id) from subtree_count)
    )) as digest`
  return row?.digest
})

/** The digests of the databases that tests have filled with `options`. */
const digests = new Map<string, string | undefined>()

describe.each([["PostgreSQL", postgres], ["PGlite", pglite]] as const)("a seed on %s", (name, database) => {
  it.layer(database(), { excludeTestServices: true, timeout: "1 minute" })((it) => {
    // On PostgreSQL, `lastro seed` is interrupted in a test of the server.
    if (name === "PGlite") {
      it.effect("rolls back when it is interrupted", () =>
        Effect.gen(function*() {
          const before = yield* schemaOf
          const sql = yield* SqlClient.SqlClient
          const onProgress = ({ step }: SeedProgress) => step === "indexes" ? Effect.interrupt : Effect.void
          const exit = yield* Effect.exit(seed({ ...options, onProgress }))
          assert.isTrue(Exit.isFailure(exit) && Cause.hasInterruptsOnly(exit.cause))
          assert.deepStrictEqual(yield* sql`select count(*)::int as partners from partner`, [{ partners: 0 }])
          assert.strictEqual(yield* schemaOf, before)
        }))
    }

    it.effect("fills the database, breaks no invariant and leaves the schema unchanged", () =>
      Effect.gen(function*() {
        const before = yield* schemaOf
        const reported: Array<SeedProgress> = []
        const onProgress = (progress: SeedProgress) => Effect.sync(() => reported.push(progress)).pipe(Effect.asVoid)
        const made = yield* seed({ ...options, onProgress })
        digests.set(name, yield* digest)
        yield* vacuum(onProgress)
        assert.deepStrictEqual([...yield* checkInvariants, ...yield* checkWork, ...yield* checkLawfulness], [])
        assert.strictEqual(yield* schemaOf, before)
        assert.deepStrictEqual(
          [...new Set(reported.map(({ step }) => step))],
          ["partners", "hierarchy", "users", "applications", "plans", "commissions", "counts", "indexes", "statistics"]
        )
        const ends = reported.filter(({ done, total }) => done === total).map(({ step }) => step)
        assert.sameMembers([...new Set(ends)], [...new Set(reported.map(({ step }) => step))])

        const root = asOperator.scope(made.root_id)
        const users = yield* UserRepository
        const all = yield* users.list(root, { filters: {}, ...firstPage })
        assert.strictEqual(all.total, options.users)
        const named = yield* users.list(root, { filters: { full_name: foldText("jose") }, ...firstPage })
        assert.isTrue(named.items.some((user) => user.name.includes("José")))
        const proposals = yield* (yield* ProposalRepository).list(root, { filters: {}, ...firstPage })
        assert.strictEqual(proposals.total, made.proposals)
      }))

    it.effect("refuses a database that is not empty and leaves it unchanged", () =>
      Effect.gen(function*() {
        const before = yield* digest
        const refusal = yield* Effect.flip(seed({ ...options, seed: 4 }))
        assert.instanceOf(refusal, DatabaseNotEmpty)
        assert.strictEqual(yield* digest, before)
      }))
  })
})

it.live(
  "the same seed gives the same data on PostgreSQL and on PGlite, another seed other data",
  () =>
    Effect.gen(function*() {
      const digestOf = (database: ReturnType<typeof postgres> | ReturnType<typeof pglite>, chosen = options) =>
        Effect.andThen(seed(chosen), digest).pipe(Effect.provide(database, { local: true }))
      // Seeds again only if this test runs without the others.
      const first = digests.get("PostgreSQL") ?? (yield* digestOf(postgres()))
      assert.isString(first)
      assert.strictEqual(digests.get("PGlite") ?? (yield* digestOf(pglite())), first)
      assert.notStrictEqual(yield* digestOf(postgres(), { ...options, seed: 4 }), first)
    }),
  90_000
)

it.live("a seed of one partner is a root without users", () =>
  Effect.gen(function*() {
    const made = yield* seed({ ...options, partners: 1, users: 0, applications: 0 })
    assert.deepStrictEqual([made.administrator, made.proposals], [null, 0])
    assert.deepStrictEqual(yield* checkInvariants, [])
  }).pipe(Effect.provide(postgres())))
