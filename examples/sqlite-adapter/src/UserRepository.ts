import { groupBySlug } from "@lastro/domain/access"
import { sealFound, type SubtreeScope } from "@lastro/domain/hierarchy"
import { PasswordHash } from "@lastro/domain/identity"
import {
  EmailTaken,
  type UserListItem,
  userListItem,
  type UserQuery,
  UserRepository,
  type UserSortField
} from "@lastro/domain/user"
import { type UserId } from "@lastro/domain/values"
import { Effect, Layer, Option, Schema } from "effect"
import { Database } from "./Database.ts"
import { includesMetadata, type Listing, listPage, streamAll } from "./listPage.ts"
import { liesWithin } from "./scope.ts"
import { changingValues, userColumns, userOf } from "./userRow.ts"
import { insert, update } from "./write.ts"

const listing: Listing<UserSortField, UserListItem> = {
  table: "user",
  owner: "partner_id",
  columns: userColumns,
  read: (row) => userListItem(userOf(row)),
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
  }
}

const find = `select ${userColumns}, ${liesWithin("user.partner_id")} as inside
  from user where id = ? and deleted_at is null`
const setPassword = `update user set password_hash = ?, credentials_version = credentials_version + 1
  where id = ? and deleted_at is null`
const passwordHash = "select password_hash from user where id = ? and deleted_at is null"

const hashOf = Schema.decodeUnknownSync(Schema.Struct({ password_hash: PasswordHash }))

const unlessTaken = (written: boolean) => written ? Effect.void : Effect.fail(new EmailTaken())

export const layer: Layer.Layer<UserRepository, never, Database> = Layer.effect(
  UserRepository,
  Effect.map(Database, ({ run }) => {
    const sealed = (scope: SubtreeScope, id: UserId) =>
      run((database) => {
        const row = database.prepare(find).get(scope.partner_id, id)
        return row === undefined ? Option.none() : Option.some(sealFound(userOf(row), row["inside"] === 1))
      })

    const list = (scope: SubtreeScope, query: UserQuery, budget?: number) =>
      Effect.flatten(
        run((database) => {
          const { cpf, email, full_name, group, metadata, partner_id, status } = query.filters
          return listPage(database, listing, scope, query, [
            ["instr(name_folded, ?)", full_name],
            ["instr(email_folded, ?)", email],
            ["instr(cpf, ?)", cpf],
            ["partner_id = ?", partner_id],
            ["status = ?", status],
            ["group_id = ?", group && groupBySlug(group).group_id],
            [includesMetadata("user"), metadata && JSON.stringify(metadata)]
          ], budget)
        })
      )

    return UserRepository.of({
      find: sealed,
      // Transactions run one at a time, so no lock is necessary.
      findForUpdate: sealed,
      list,
      exportAll: streamAll(list),
      insert: (owner, user, password) =>
        Effect.flatMap(
          run((database) =>
            insert(database, "user", {
              id: user.user_id,
              partner_id: owner.record,
              cpf: user.cpf,
              created_at: user.created_at,
              password_hash: password,
              ...changingValues(user)
            })
          ),
          unlessTaken
        ),
      update: (before, after, owner) =>
        Effect.flatMap(
          run((database) =>
            update(database, "user", before.record.user_id, { ...changingValues(after), partner_id: owner.record })
          ),
          unlessTaken
        ),
      setPassword: ({ record: { user_id } }, password) =>
        Effect.asVoid(run((database) => database.prepare(setPassword).run(password, user_id))),
      passwordHash: ({ record: { user_id } }) =>
        run((database) => hashOf(database.prepare(passwordHash).get(user_id)).password_hash),
      remove: ({ record: { user_id } }, at) =>
        Effect.asVoid(run((database) => update(database, "user", user_id, { deleted_at: at })))
    })
  })
)
