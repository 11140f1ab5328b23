import { Effect, Option, Redacted, Result } from "effect"
import { type Allowed } from "../access/Authorization.ts"
import { groupRecord, groupWithId } from "../access/Group.ts"
import { recordChange } from "../event/recordChange.ts"
import { judgeFound, scopeOf } from "../hierarchy/Scope.ts"
import { type Once, runOnce, type SentKey } from "../idempotency/runOnce.ts"
import { judgeNewPassword } from "../identity/judgePassword.ts"
import { PasswordHasher } from "../identity/PasswordHasher.ts"
import { type Principal, PrincipalRepository } from "../identity/Principal.ts"
import { combineChecks } from "../input/combineChecks.ts"
import { decodeBody } from "../input/decode.ts"
import { valueAt } from "../input/valueAt.ts"
import { IdGenerator, SecretGenerator } from "../ports/generators.ts"
import { findOwner, type FoundOwner, idAt } from "../ports/PartnerTree.ts"
import { UnitOfWork } from "../ports/UnitOfWork.ts"
import { type PartnerId, type UserId } from "../values/ids.ts"
import { type Metadata } from "../values/Metadata.ts"
import { parseMetadata } from "../values/parseMetadata.ts"
import { currentTimestamp, millisOf, type Timestamp } from "../values/Timestamp.ts"
import { judgeNamedGrant, parseGroup } from "./judgeGroup.ts"
import { partnerNames } from "./passwordChange.ts"
import { eventsOfUser, type UserListItem } from "./UserDetail.ts"
import { UserRepository } from "./UserRepository.ts"
import { CreateUserRequest, type CreateUserResponseData } from "./UserRequests.ts"

const decodeRequest = decodeBody(CreateUserRequest)

/** Builds a new, active user. A user with a temporary password must set a new password. */
const newUser = (
  request: CreateUserRequest,
  facts: {
    readonly user_id: UserId
    readonly partner_id: PartnerId
    readonly created_at: Timestamp
    readonly metadata: Metadata
  }
): UserListItem => ({
  ...facts,
  name: request.name,
  email: request.email,
  phone: request.phone,
  cpf: request.cpf,
  status: "ACTIVE",
  group: groupRecord(groupWithId(request.group_id)),
  must_change_password: request.password === undefined
})

/** Time within which a replay returns the temporary password again, in minutes. */
const repeatMinutes = 10

/**
 * A replay returns the temporary password of a user only within ten minutes of the creation, in case the first response
 * was lost. It never returns the password after it was changed, or after the user was deleted.
 * @rule IDEM-03
 */
export const isTemporaryPasswordRepeated = (
  created_at: Timestamp,
  now: Timestamp,
  principal: Option.Option<Pick<Principal, "credentials_version">>
): boolean =>
  millisOf(now) <= millisOf(created_at) + repeatMinutes * 60_000 &&
  Option.isSome(principal) && principal.value.credentials_version === 0

/** Removes the temporary password from a replayed answer, unless IDEM-03 allows it. */
const withholdPassword = Effect.fnUntraced(function*(
  once: Once<CreateUserResponseData>
): Effect.fn.Return<Once<CreateUserResponseData>, never, PrincipalRepository> {
  const { temporary_password, ...answer } = once.answer
  if (!once.replayed || temporary_password === undefined) return once
  const principal = yield* (yield* PrincipalRepository).find("user", answer.user_id)
  return isTemporaryPasswordRepeated(answer.created_at as Timestamp, yield* currentTimestamp, principal)
    ? once
    : { ...once, answer }
})

/**
 * Creates a user. Its partner must be in the caller's subtree. Default partner: the caller's own. If the body has no
 * password, a temporary password is generated and returned once. The body is untrusted.
 */
export const createUser = Effect.fnUntraced(function*(
  allowed: Allowed<"users:write">,
  body: unknown,
  key?: SentKey
) {
  const { caller } = allowed
  yield* Effect.fromResult(judgeNamedGrant(allowed, body))
  const read = yield* readRequest(allowed, body)
  const users = yield* UserRepository
  const create = Effect.fnUntraced(function*(found: FoundOwner) {
    const { owner, read: { hash, metadata, password, request } } = yield* Effect.fromResult(combineChecks({
      read,
      group: parseGroup(body),
      owner: found
    }))
    const at = yield* currentTimestamp
    const user = newUser(request, {
      user_id: (yield* (yield* IdGenerator).next) as UserId,
      partner_id: owner.record,
      created_at: at,
      metadata
    })
    yield* users.insert(owner, user, hash)
    yield* recordChange({
      events: eventsOfUser(null, user),
      at,
      caller,
      action: "user.create",
      subject_id: user.user_id,
      partner_id: user.partner_id,
      after: user
    })
    const created = yield* users.find(scopeOf(allowed), user.user_id)
    const detail = (yield* Effect.fromResult(judgeFound(created))).record
    return request.password === undefined ? { ...detail, temporary_password: Redacted.value(password) } : detail
  })
  const once = runOnce(allowed, key, {
    present: ({ user_id }: Partial<CreateUserResponseData>) =>
      user_id === undefined ? Effect.succeedNone : users.find(scopeOf(allowed), user_id),
    owner: ({ partner_id }: CreateUserResponseData) => partner_id,
    record: ({ user_id }) => user_id
  }, findOwner(allowed, body))
  return yield* (yield* UnitOfWork).atomically(Effect.flatMap(once(create), withholdPassword))
})

/**
 * Parses the body and, if it is valid, hashes the password. Hashing is slow by design. Call it before the transaction,
 * so that no database connection is held meanwhile.
 */
const readRequest = Effect.fnUntraced(function*(allowed: Allowed<"users:write">, body: unknown) {
  const sentPassword = valueAt(body, ["password"])
  const partner_id = idAt<PartnerId>(body, ["partner_id"]) ?? allowed.caller.partner_id
  const names = sentPassword === undefined ? [] : yield* partnerNames(scopeOf(allowed), partner_id)
  const personal = [...["name", "email", "cpf"].map((field) => valueAt(body, [field])), ...names]
  const checked = combineChecks({
    metadata: parseMetadata(valueAt(body, ["metadata"])),
    request: decodeRequest(body),
    guessable: yield* judgeNewPassword(sentPassword, "password", personal)
  })
  if (Result.isFailure(checked)) return Result.fail(checked.failure)
  const { metadata, request } = checked.success
  const password = request.password === undefined
    ? yield* (yield* SecretGenerator).next
    : Redacted.make(request.password)
  return Result.succeed({ request, metadata, password, hash: yield* (yield* PasswordHasher).hash(password) })
})
