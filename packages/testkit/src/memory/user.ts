import { type SubtreeScope } from "@lastro/domain/hierarchy"
import { type SortKey } from "@lastro/domain/input"
import {
  EmailTaken,
  type UserDetail,
  type UserFilters,
  type UserListItem,
  UserRepository,
  type UserSortField
} from "@lastro/domain/user"
import { emailKey, type UserId } from "@lastro/domain/values"
import { Effect, Layer, Option, Result } from "effect"
import { MemoryDatabase } from "./MemoryDatabase.ts"
import { alter, type MemoryState, put, sealWithin } from "./MemoryState.ts"
import { exportRows, ListOrder, listRows, matchesMetadata, matchesText, matchesValue } from "./readSlice.ts"

const liveUsers = ({ users }: MemoryState): ReadonlyArray<UserListItem> =>
  Array.from(users.values()).filter(({ deleted_at }) => deleted_at === null).map(({ user }) => user)

const passes = (filters: UserFilters) => (user: UserListItem): boolean =>
  matchesText(user.name, filters.full_name)
  && matchesText(user.email, filters.email)
  && (filters.cpf === undefined || user.cpf.includes(filters.cpf))
  && matchesValue(user.partner_id, filters.partner_id)
  && matchesValue(user.status, filters.status)
  && matchesValue(user.group.slug, filters.group)
  && matchesMetadata(user.metadata, filters.metadata)

const sortKeys: Readonly<Record<UserSortField, SortKey<UserListItem>>> = {
  created_at: ({ created_at }) => created_at,
  name: ({ name }) => name,
  email: ({ email }) => email,
  phone: ({ phone }) => phone,
  cpf: ({ cpf }) => cpf,
  status: ({ status }) => status,
  must_change_password: ({ must_change_password }) => must_change_password,
  user_id: ({ user_id }) => user_id,
  partner_id: ({ partner_id }) => partner_id
}

const inOrder = new ListOrder(sortKeys, ({ user_id }) => user_id)

const isTaken = (state: MemoryState, user: UserListItem): boolean =>
  liveUsers(state).some(({ email, user_id }) => user_id !== user.user_id && emailKey(email) === emailKey(user.email))

const detailOf = (now: MemoryState, user: UserListItem): UserDetail => ({
  ...user,
  partners: [{ partner_id: user.partner_id, name: now.partners.get(user.partner_id)?.partner.name ?? "" }]
})

/** In-memory `UserRepository`. */
export const layerUserRepository = Layer.effect(
  UserRepository,
  Effect.map(MemoryDatabase, ({ change, state, update }) => {
    const find = (scope: SubtreeScope, id: UserId) =>
      Effect.map(state, (now) =>
        Option.map(
          Option.filter(Option.fromUndefinedOr(now.users.get(id)), ({ deleted_at }) => deleted_at === null),
          ({ user }) => sealWithin(now, scope, user.partner_id, detailOf(now, user))
        ))
    return UserRepository.of({
      find,
      findForUpdate: find,
      list: listRows(state, { rows: liveUsers, passes, inOrder }),
      exportAll: exportRows(state, { rows: liveUsers, passes, inOrder }),
      insert: (owner, user, password) =>
        change((now) => {
          const added = { ...user, partner_id: owner.record }
          return isTaken(now, user)
            ? Result.fail(new EmailTaken())
            : Result.succeed(
              put(now, "users", user.user_id, { user: added, password, credentials_version: 0, deleted_at: null })
            )
        }),
      update: ({ record: { user_id } }, after, owner) =>
        change((now) => {
          const saved = alter(now, "users", user_id, (stored) => {
            const { cpf, created_at } = stored.user
            return { ...stored, user: { ...after, user_id, cpf, created_at, partner_id: owner.record } }
          })
          return saved !== now && isTaken(now, { ...after, user_id })
            ? Result.fail(new EmailTaken())
            : Result.succeed(saved)
        }),
      setPassword: ({ record: { user_id } }, password) =>
        update((now) =>
          alter(now, "users", user_id, (stored) => ({
            ...stored,
            password,
            credentials_version: stored.credentials_version + 1
          }))
        ),
      passwordHash: ({ record: { user_id } }) =>
        Effect.flatMap(state, ({ users }) => Effect.orDie(Effect.fromNullishOr(users.get(user_id)?.password))),
      remove: ({ record: { user_id } }, at) =>
        update((now) => alter(now, "users", user_id, (stored) => ({ ...stored, deleted_at: at })))
    })
  })
)
