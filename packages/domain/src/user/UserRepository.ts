import { Context, type Effect, type Option, type Stream } from "effect"
import { type FoundRecord, type InScope, type SubtreeScope } from "../hierarchy/Scope.ts"
import { type PasswordHash } from "../identity/PasswordHasher.ts"
import { type WholeQuery } from "../input/ListQuery.ts"
import { type ListSlice } from "../input/Page.ts"
import { Refusal } from "../input/Refusal.ts"
import { type ReadBudgetExceeded } from "../ports/CostlyReads.ts"
import { type PartnerId, type UserId } from "../values/ids.ts"
import { type Timestamp } from "../values/Timestamp.ts"
import { type UserDetail, type UserListItem } from "./UserDetail.ts"
import { type UserQuery } from "./UserQuery.ts"

/** Another user has this e-mail address, ignoring case. */
export class EmailTaken extends Refusal("EmailTaken", "This e-mail address is already in use.") {}

/** Stores users. Never returns deleted users. Writes join the surrounding transaction. */
export class UserRepository extends Context.Service<UserRepository, {
  /**
   * Finds a user by id in any tree. The result records whether the user's partner is in `scope`, and is readable only
   * through `judgeFound`.
   */
  readonly find: (scope: SubtreeScope, id: UserId) => Effect.Effect<Option.Option<FoundRecord<UserDetail>>>
  /** Finds a user like `find`, and locks it until the transaction ends. */
  readonly findForUpdate: (scope: SubtreeScope, id: UserId) => Effect.Effect<Option.Option<FoundRecord<UserDetail>>>
  /**
   * Returns a page of the users who match all filters and whose partner is in scope, and the total number of matches.
   * Fails with ReadBudgetExceeded if the read would examine more than `budget` records. Default: unlimited.
   * With `after`, returns the first records after this position, and the position of the last one.
   */
  readonly list: (
    scope: SubtreeScope,
    query: UserQuery,
    budget?: number
  ) => Effect.Effect<ListSlice<UserListItem>, ReadBudgetExceeded>
  /**
   * Streams all records that match, in the order of `list` and from one snapshot. Each pull reads one batch, and
   * nothing is read before the first pull.
   */
  readonly exportAll: (scope: SubtreeScope, query: WholeQuery<UserQuery>) => Stream.Stream<UserListItem>
  /** Inserts a user of the partner `owner`. Fails if another user has the same e-mail address, ignoring case. */
  readonly insert: (
    owner: InScope<PartnerId>,
    user: UserListItem,
    password: PasswordHash
  ) => Effect.Effect<void, EmailTaken>
  /**
   * Saves all fields except `cpf` and `created_at`, which never change. `owner` is the partner of `after`. Fails if
   * another user has the new e-mail address, ignoring case.
   */
  readonly update: (
    before: InScope<UserDetail>,
    after: UserListItem,
    owner: InScope<PartnerId>
  ) => Effect.Effect<void, EmailTaken>
  /** Replaces the password. Access tokens issued before the replacement are refused from the next request on. */
  readonly setPassword: (user: InScope<UserDetail>, password: PasswordHash) => Effect.Effect<void>
  /** Returns the stored hash of the password. */
  readonly passwordHash: (user: InScope<UserDetail>) => Effect.Effect<PasswordHash>
  /** Marks the user as deleted. A new user can use its e-mail address. */
  readonly remove: (user: InScope<UserDetail>, at: Timestamp) => Effect.Effect<void>
}>()("@lastro/domain/user/UserRepository") {}
