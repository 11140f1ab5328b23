import { sealFound, type SubtreeScope } from "@lastro/domain/hierarchy"
import { compareBy, type SortKey } from "@lastro/domain/input"
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
import { isWithin } from "../hierarchy/naiveForest.ts"
import { matchesMetadata, matchesText, matchesValue } from "./filters.ts"
import { MemoryDatabase } from "./MemoryDatabase.ts"
import { type MemoryState, parentsOf, type StoredUser, withEntry } from "./MemoryState.ts"
import { readSlice } from "./readSlice.ts"

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

const inOrder = compareBy(sortKeys, ({ user_id }) => user_id)

const isTaken = (state: MemoryState, user: UserListItem): boolean =>
  liveUsers(state).some(({ email, user_id }) => user_id !== user.user_id && emailKey(email) === emailKey(user.email))

const save = (state: MemoryState, stored: StoredUser): MemoryState => ({
  ...state,
  users: withEntry(state.users, stored.user.user_id, stored)
})

const detailOf = (now: MemoryState, user: UserListItem): UserDetail => ({
  ...user,
  partners: [{ partner_id: user.partner_id, name: now.partners.get(user.partner_id)?.partner.name ?? "" }]
})

/** In-memory `UserRepository`. */
export const layer = Layer.effect(
  UserRepository,
  Effect.map(MemoryDatabase, ({ change, state }) => {
    const find = (scope: SubtreeScope, id: UserId) =>
      Effect.map(state, (now) => {
        const stored = now.users.get(id)
        return stored === undefined || stored.deleted_at !== null
          ? Option.none()
          : Option.some(
            sealFound(
              detailOf(now, stored.user),
              isWithin(parentsOf(now), scope.partner_id, stored.user.partner_id)
            )
          )
      })
    const replace = <E = never>(
      id: UserId,
      f: (stored: StoredUser, now: MemoryState) => Result.Result<StoredUser, E>
    ) =>
      change((now) => {
        const stored = now.users.get(id)
        return stored === undefined ? Result.succeed(now) : Result.map(f(stored, now), (next) => save(now, next))
      })
    return UserRepository.of({
      find,
      findForUpdate: find,
      list: (scope, { filters, page, sort }, budget) =>
        Effect.flatMap(state, (now) => {
          const parents = parentsOf(now)
          return readSlice({
            inScope: liveUsers(now).filter(({ partner_id }) => isWithin(parents, scope.partner_id, partner_id)),
            passes: passes(filters),
            filters,
            order: inOrder(sort),
            page,
            budget
          })
        }),
      insert: (owner, user, password) =>
        change((now) =>
          isTaken(now, user)
            ? Result.fail(new EmailTaken())
            : Result.succeed(
              save(now, {
                user: { ...user, partner_id: owner.record },
                password,
                credentials_version: 1,
                deleted_at: null
              })
            )
        ),
      update: ({ record: { user_id } }, after, owner) =>
        replace(user_id, (stored, now) => {
          const { cpf, created_at } = stored.user
          const user = { ...after, user_id, cpf, created_at, partner_id: owner.record }
          return isTaken(now, user) ? Result.fail(new EmailTaken()) : Result.succeed({ ...stored, user })
        }),
      setPassword: ({ record: { user_id } }, password) =>
        replace(
          user_id,
          (stored) => Result.succeed({ ...stored, password, credentials_version: stored.credentials_version + 1 })
        ),
      passwordHash: ({ record: { user_id } }) =>
        Effect.flatMap(state, ({ users }) => Effect.orDie(Effect.fromNullishOr(users.get(user_id)?.password))),
      remove: ({ record: { user_id } }, at) =>
        replace(user_id, (stored) => Result.succeed({ ...stored, deleted_at: at }))
    })
  })
)
