import { type UserId } from "@lastro/domain/values"
import { Effect } from "effect"
import { type SqlClient } from "effect/sql"
import { type Randomness } from "../measure/Randomness.ts"

/** Returns the ids of `count` random users. */
export const someUsers = Effect.fn("someUsers")(function*(sql: SqlClient.SqlClient, count: number) {
  const rows = yield* sql<{ readonly id: UserId }>`
    select id from app_user order by md5(id::text) limit ${count}`
  return rows.map(({ id }) => id)
})

/** Reads one user by primary key: the same columns as in a list item, through the same client. */
export const readByPrimaryKey = (
  sql: SqlClient.SqlClient,
  ids: ReadonlyArray<UserId>,
  random: Randomness
) =>
  Effect.suspend(() =>
    sql`
      select id as user_id, name, email, phone, cpf, status, group_id, must_change_password, created_at, partner_id
      from app_user where id = ${ids[random.below(ids.length)]} and deleted_at is null`
  )
