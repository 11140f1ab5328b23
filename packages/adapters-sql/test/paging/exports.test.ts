import { assert, it } from "@effect/vitest"
import { asOperator } from "@lastro/domain/hierarchy"
import { UserRepository } from "@lastro/domain/user"
import { storeForest, storeUser } from "@lastro/testkit"
import { Effect, Exit, Scope, Stream } from "effect"
import { SqlClient } from "effect/sql"
import { pglite, postgres } from "../databases.ts"

const query = { filters: {}, sort: [{ property: "created_at", direction: "asc" }] } as const

/** More users than one batch contains. */
const users = 250

/** Copies a user of a new tree, so that the tree has {@link users} users. Returns the partners. */
const givenUsers = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  const [root, child] = yield* storeForest([null, 0])
  const { user_id } = yield* storeUser(child)
  yield* sql`
    insert into app_user
    select (copy).* from (
      select jsonb_populate_record(item, jsonb_build_object(
        'id', gen_random_uuid(), 'email_key', 'copy-' || number, 'created_at', item.created_at + number * interval '1 second'
      )) as copy
      from app_user item, generate_series(1, ${users - 1}) number where item.id = ${user_id}
    ) copies`
  return { root, child }
})

for (const [name, database] of Object.entries({ PostgreSQL: postgres(), PGlite: pglite() })) {
  it.layer(database, { excludeTestServices: true, timeout: "1 minute" })(`an export in ${name}`, (it) => {
    it.effect("reads several batches from one snapshot, and other calls change the records meanwhile", () =>
      Effect.gen(function*() {
        const sql = yield* SqlClient.SqlClient
        const { child, root } = yield* givenUsers
        const { exportAll } = yield* UserRepository
        for (const top of [root, child]) {
          const batches: Array<number> = []
          const whole = exportAll(asOperator.scope(top.partner_id), query)
          const ids = yield* Stream.runFold(Stream.chunks(whole), () => [] as ReadonlyArray<string>, (all, batch) => {
            batches.push(batch.length)
            return [...all, ...batch.map(({ user_id }) => user_id)]
          })
          assert.deepStrictEqual(batches, [100, 100, 50])
          assert.strictEqual(new Set(ids).size, users)
        }
        const read = yield* Stream.runFold(
          Stream.mapEffect(Stream.chunks(exportAll(asOperator.scope(root.partner_id), query)), (batch) =>
            Effect.as(
              Effect.andThen(sql`delete from app_user where partner_id = ${child.partner_id}`, storeUser(root)),
              batch
            )),
          () => 0,
          (count, batch) => count + batch.length
        )
        assert.strictEqual(read, users)
      }))

    it.effect("releases its connection and its cursor when it is left early, and reads nothing before the first pull", () =>
      Effect.gen(function*() {
        const sql = yield* SqlClient.SqlClient
        const { root } = yield* givenUsers
        const { exportAll } = yield* UserRepository
        const whole = exportAll(asOperator.scope(root.partner_id), query)
        const open = () =>
          name === "PGlite"
            ? sql`select from pg_cursors where name like 'lastro_export%'`
            : sql`
              select from pg_stat_activity
              where datname = current_database() and state like 'idle in transaction%' and query like 'fetch%'`
        const scope = yield* Scope.make()
        const pull = yield* Scope.provide(Stream.toPull(whole), scope)
        assert.lengthOf(yield* open(), 0)
        assert.lengthOf(yield* pull, 100)
        assert.lengthOf(yield* open(), 1)
        yield* Scope.close(scope, Exit.void)
        assert.lengthOf(yield* open(), 0)
        for (let turn = 0; turn < 30; turn++) assert.lengthOf(yield* Stream.runCollect(Stream.take(whole, 1)), 1)
        assert.lengthOf(yield* open(), 0)
      }))
  })
}
