import { Context, type Effect, type Option } from "effect"
import { type Found, type InScope, type Scope } from "../hierarchy/Scope.ts"
import { type PartnerId } from "../id/PartnerId.ts"
import { type UserId } from "../id/UserId.ts"
import { type PasswordHash } from "../identity/PasswordHasher.ts"
import { type Slice } from "../paging/Slice.ts"
import { type Timestamp } from "../time/Timestamp.ts"
import { type UserDetail, type UserListItem } from "./UserDetail.ts"
import { type UserQuery } from "./UserQuery.ts"
import { type EmailTaken } from "./UserRefusals.ts"

/**
 * Where users are kept. Deleted users are in no answer of this port. Writes take part in the transaction around them.
 */
export class UserRepository extends Context.Service<UserRepository, {
  /** The user with this id, wherever it lies; sealed with whether its partner lies in `scope`. */
  readonly find: (scope: Scope, id: UserId) => Effect.Effect<Option.Option<Found<UserDetail>>>
  /** Like `find`, and no other transaction changes the user until this one ends. */
  readonly findForUpdate: (scope: Scope, id: UserId) => Effect.Effect<Option.Option<Found<UserDetail>>>
  /** The asked page of the users whose partner is in scope and that pass every filter, and how many pass in all. */
  readonly list: (scope: Scope, query: UserQuery) => Effect.Effect<Slice<UserListItem>>
  /** Adds a user to the partner `owner`, which is its `partner_id`. Fails when its e-mail is taken, ignoring case. */
  readonly insert: (
    owner: InScope<PartnerId>,
    user: UserListItem,
    password: PasswordHash
  ) => Effect.Effect<void, EmailTaken>
  /**
   * Saves every field but `cpf` and `created_at`, which never change. `owner` is the partner that `after` names. Fails
   * when its new e-mail is taken, ignoring case.
   */
  readonly update: (
    before: InScope<UserDetail>,
    after: UserListItem,
    owner: InScope<PartnerId>
  ) => Effect.Effect<void, EmailTaken>
  /** Replaces the password. Every access token issued before stops working. */
  readonly setPassword: (user: InScope<UserDetail>, password: PasswordHash) => Effect.Effect<void>
  /** The stored hash of the user's password. */
  readonly passwordHash: (user: InScope<UserDetail>) => Effect.Effect<PasswordHash>
  /** Takes the user out of every read; its e-mail may be used again. */
  readonly remove: (user: InScope<UserDetail>, at: Timestamp) => Effect.Effect<void>
}>()("@lastro/domain/user/UserRepository") {}
