import { type SubtreeScope } from "@lastro/domain/hierarchy"
import { Effect } from "effect"
import { type SqlClient } from "effect/sql"

const columns =
  "u.id as user_id, u.name, u.email, u.phone, u.cpf, u.status, u.group_id, u.must_change_password, u.created_at, u.partner_id"

const walk = `
  with recursive tree as (
    select id from partner where id = $1 and deleted_at is null
    union all
    select partner.id from partner join tree on partner.parent_id = tree.id where partner.deleted_at is null
  )`

/** Reads a page and the total with two recursive queries, one for each. */
export const recursivePage = (sql: SqlClient.SqlClient, { partner_id }: SubtreeScope) =>
  Effect.gen(function*() {
    const items = yield* sql.unsafe(
      `${walk} select ${columns} from app_user u join tree on tree.id = u.partner_id
        where u.deleted_at is null order by u.created_at desc, u.id desc limit 20 offset 0`,
      [partner_id]
    )
    const total = yield* sql.unsafe(
      `${walk} select count(*) from app_user u join tree on tree.id = u.partner_id where u.deleted_at is null`,
      [partner_id]
    )
    return { items, total }
  })

/** Reads a page and the total with one recursive query and a window function. */
export const recursiveWindow = (sql: SqlClient.SqlClient, { partner_id }: SubtreeScope) =>
  sql.unsafe(
    `${walk} select ${columns}, count(*) over () as total from app_user u join tree on tree.id = u.partner_id
      where u.deleted_at is null order by u.created_at desc, u.id desc limit 20 offset 0`,
    [partner_id]
  )

/** Creates a closure table unless it already exists. Such a table is the usual index of a hierarchy. */
export const closure = Effect.fn("closure")(function*(sql: SqlClient.SqlClient) {
  const [there] = yield* sql<{ readonly is: boolean }>`select to_regclass('bench_closure') is not null as is`
  if (there?.is === true) return
  yield* sql`
    create table bench_closure as
    with recursive up (ancestor_id, descendant_id) as (
      select id, id from partner
      union all
      select partner.parent_id, up.descendant_id from up join partner on partner.id = up.ancestor_id
      where partner.parent_id is not null
    )
    select ancestor_id, descendant_id from up order by ancestor_id, descendant_id`
  yield* sql`alter table bench_closure add primary key (ancestor_id, descendant_id)`
  yield* sql`create index on bench_closure (descendant_id, ancestor_id)`
  yield* sql`vacuum analyze bench_closure`.unprepared
})

/** Reads a page by OFFSET over the join with the {@link closure} table, without a total. */
export const offsetPage = (sql: SqlClient.SqlClient, { partner_id }: SubtreeScope, offset: number) =>
  sql.unsafe(
    `select ${columns} from app_user u join bench_closure c on c.descendant_id = u.partner_id
      where c.ancestor_id = $1 and u.deleted_at is null order by u.created_at desc, u.id desc limit 20 offset $2`,
    [partner_id, BigInt(offset)]
  )
