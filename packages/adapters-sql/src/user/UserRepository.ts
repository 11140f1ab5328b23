import { groupBySlug } from "@lastro/domain/access"
import { type PasswordHash } from "@lastro/domain/identity"
import {
  EmailTaken,
  type UserDetail,
  type UserFilters,
  type UserListItem,
  type UserQuery,
  UserRepository,
  type UserSortField
} from "@lastro/domain/user"
import { type PartnerId, type UserId } from "@lastro/domain/values"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { DatabaseFailure, orDie } from "../database/DatabaseFailure.ts"
import { precompileRead } from "../database/postgres/BoundRead.ts"
import { precompileStatement } from "../database/postgres/statements.ts"
import { locationOfItem, rootAndRegion, subtreeBelow, toFoundRecord } from "../hierarchy/subtree.ts"
import { exportListing } from "../paging/exportRows.ts"
import { type Listing, metadataFilter } from "../paging/Listing.ts"
import { listPages } from "../paging/listPages.ts"
import {
  hasAddress,
  type MutableUserValues,
  mutableUserValues,
  userColumns,
  userListItemOf,
  userOf,
  type UserRow,
  userValues
} from "./userRow.ts"

const listing: Listing<UserSortField, UserFilters> = {
  table: "app_user",
  owner: "partner_id",
  count: "users",
  present: "item.deleted_at is null",
  filters: {
    full_name: { column: "name_folded", match: "contains", type: "text" },
    email: { column: "email_folded", match: "contains", type: "text" },
    cpf: { column: "cpf", match: "contains", type: "text" },
    partner_id: { column: "partner_id", match: "equals", type: "uuid", index: "records" },
    status: { column: "status", match: "equals", type: "text" },
    group: { column: "group_id", match: "equals", type: "uuid", toValue: (slug) => groupBySlug(slug).group_id },
    metadata: metadataFilter
  },
  sorts: {
    created_at: "created_at",
    name: "name_folded",
    email: "email_folded",
    phone: "phone",
    cpf: "cpf",
    status: "status",
    must_change_password: "must_change_password",
    user_id: "id",
    partner_id: "partner_id"
  },
  indexed: ["created_at", "name", "email", "cpf"],
  indexedInRegion: ["created_at"],
  columns: userColumns
}

type ScopedRow = UserRow & { readonly partner_name: string; readonly inside: boolean }

export const layer: Layer.Layer<UserRepository, never, SqlClient.SqlClient> = Layer.effect(
  UserRepository,
  Effect.map(SqlClient.SqlClient, (sql) => {
    const select = ({ id, top }: Readonly<Record<"id" | "top", unknown>>) =>
      sql<ScopedRow>`
        select ${sql.literal(userColumns)}, owner.name as partner_name,
          ${subtreeBelow(sql, top).contains(locationOfItem(sql, "partner_id"))} as inside
        from app_user item join partner owner on owner.id = item.partner_id
        where item.id = ${id} and item.deleted_at is null`
    const selectScoped = precompileRead(sql, { id: "uuid", top: "uuid" }, select)
    const selectForUpdate = precompileStatement(
      sql,
      ["id", "top"],
      (values) => sql<ScopedRow>`${select(values)} for no key update of item`
    )

    /** Selects the users with this e-mail address. */
    const selectHolders = (email: string) =>
      sql`select item.id from app_user item where item.deleted_at is null and ${hasAddress(sql, email)}`

    const insert = (owner: PartnerId, user: UserListItem, password: PasswordHash) => {
      const values = userValues(user)
      return sql`
        with added as (
          insert into app_user (
            id, partner_id, root_id, region_id, group_id, status, name, name_folded, email, email_folded, email_key,
            phone, cpf, must_change_password, metadata, created_at, password_hash
          )
          select
            ${user.user_id}, ${owner}, ${rootAndRegion(sql, owner)}, ${values.group_id}, ${values.status},
            ${values.name}, ${values.name_folded}, ${values.email}, ${values.email_folded}, ${values.email_key},
            ${values.phone}, ${values.cpf}, ${values.must_change_password}, ${values.metadata}, ${values.created_at}, ${password}
          where not exists (${selectHolders(user.email)})
          on conflict (email_key) where deleted_at is null do nothing
          returning partner_id
        )
        insert into subtree_count_delta (partner_id, partners, users)
        select partner_id, 0, 1 from added returning partner_id`
    }

    /**
     * Updates the row in a savepoint, so that a unique violation does not abort the transaction. The key of an
     * unchanged address stays, because it may be that of an earlier version.
     */
    const update = (before: UserDetail, { email_alias, email_key, ...values }: MutableUserValues, owner: PartnerId) => {
      const id = before.user_id
      const changed = before.email === values.email ? values : { ...values, email_alias, email_key }
      return sql.withTransaction(sql`
        with before as (
          select id, partner_id from app_user where id = ${id} and deleted_at is null for no key update
        ),
        after as (
          update app_user set ${sql.update(changed)},
            partner_id = ${owner},
            (root_id, region_id) = (select root_id, region_id from partner where id = ${owner})
          from before where app_user.id = before.id
        )
        insert into subtree_count_delta (partner_id, partners, users)
        select moved.partner_id, 0, moved.users
        from before, lateral (values (before.partner_id, -1), (${owner}::uuid, 1)) moved (partner_id, users)
        where before.partner_id <> ${owner}`)
    }

    const readPage = listPages(sql, listing, userListItemOf)

    return UserRepository.of({
      find: ({ partner_id: top }, id) =>
        Effect.map(orDie(selectScoped({ top, id })), (rows) => toFoundRecord(rows, userOf)),
      findForUpdate: ({ partner_id: top }, id) =>
        Effect.map(orDie(selectForUpdate({ top, id })), (rows) => toFoundRecord(rows, userOf)),
      list: (scope, query: UserQuery, budget) => readPage(scope, query, budget),
      exportAll: exportListing(sql, listing, userListItemOf),
      insert: Effect.fnUntraced(function*(owner, user, password) {
        const rows = yield* orDie(insert(owner.record, user, password))
        if (rows.length === 0) return yield* new EmailTaken()
      }),
      update: Effect.fnUntraced(function*({ record: before }, after, owner) {
        if (before.email !== after.email) {
          const holders = yield* orDie(sql<{ readonly id: UserId }>`${selectHolders(after.email)}`)
          if (holders.some(({ id }) => id !== before.user_id)) return yield* new EmailTaken()
        }
        yield* update(before, mutableUserValues(after), owner.record).pipe(
          Effect.catchIf(
            ({ reason }) => reason._tag === "UniqueViolation" && reason.constraint === "app_user_email_key",
            () => Effect.fail(new EmailTaken())
          ),
          Effect.catchTag("SqlError", (error) => Effect.die(new DatabaseFailure(error)))
        )
      }),
      setPassword: ({ record: { user_id } }, password) =>
        Effect.asVoid(orDie(sql`
          update app_user set password_hash = ${password}, credentials_version = credentials_version + 1
          where id = ${user_id} and deleted_at is null`)),
      passwordHash: ({ record: { user_id } }) =>
        Effect.flatMap(
          orDie(sql<{ readonly password_hash: PasswordHash }>`
            select password_hash from app_user where id = ${user_id} and deleted_at is null`),
          ([row]) =>
            row === undefined ? Effect.die(new Error("The user does not exist")) : Effect.succeed(row.password_hash)
        ),
      remove: ({ record: { user_id } }, at) =>
        Effect.asVoid(orDie(sql`
          with removed as (
            update app_user set deleted_at = ${at} where id = ${user_id} and deleted_at is null returning partner_id
          )
          insert into subtree_count_delta (partner_id, partners, users) select partner_id, 0, -1 from removed`))
    })
  })
)
