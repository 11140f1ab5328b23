import { Effect, Redacted, Result } from "effect"
import { audited } from "../audit/audited.ts"
import { groupRecord, groupWithId } from "../group/Group.ts"
import { type Allowed } from "../hierarchy/Authorization.ts"
import { PartnerTree } from "../hierarchy/PartnerTree.ts"
import { referencedPartner } from "../hierarchy/referencedPartner.ts"
import { judge, scopeOf } from "../hierarchy/Scope.ts"
import { IdGenerator } from "../id/IdGenerator.ts"
import { SecretGenerator } from "../id/SecretGenerator.ts"
import { once } from "../idempotency/once.ts"
import { parsePassword } from "../identity/Password.ts"
import { PasswordHasher } from "../identity/PasswordHasher.ts"
import { type PartnerId } from "../partner/PartnerId.ts"
import { now, type Timestamp } from "../time/Timestamp.ts"
import { UnitOfWork } from "../transaction/UnitOfWork.ts"
import { decode } from "../validation/decode.ts"
import { together } from "../validation/together.ts"
import { valueAt } from "../validation/valueAt.ts"
import { judgeNamedGrant, namedGroup } from "./judgeGroup.ts"
import { type UserListItem } from "./UserDetail.ts"
import { type UserId } from "./UserId.ts"
import { UserRepository } from "./UserRepository.ts"
import { CreateUserRequest, type CreateUserResponseData } from "./UserRequests.ts"

const decodeRequest = decode(CreateUserRequest)

/** A user as it starts: active, and bound to choose a password of its own where a temporary one was made. */
export const newUser = (
  request: CreateUserRequest,
  facts: { readonly user_id: UserId; readonly partner_id: PartnerId; readonly created_at: Timestamp }
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

/**
 * Adds a user to a partner of the caller's subtree, the caller's own unless the body names another. Without a password
 * a temporary one is made and answered, this once. The body is untrusted.
 */
export const createUser = Effect.fn("createUser")(function*(allowed: Allowed<"users:write">, body: unknown) {
  const { caller } = allowed
  yield* Effect.fromResult(judgeNamedGrant(allowed, body))
  const given = valueAt(body, ["password"])
  const password = typeof given === "string" && Result.isSuccess(parsePassword(given))
    ? Redacted.make(given)
    : yield* (yield* SecretGenerator).next
  // Hashing is slow on purpose: it happens before the transaction, which would hold a connection meanwhile.
  const hash = yield* (yield* PasswordHasher).hash(password)
  const create = Effect.gen(function*() {
    yield* (yield* PartnerTree).hold(caller.root_id, "shared")
    const { owner, request } = yield* Effect.fromResult(together({
      request: decodeRequest(body),
      group: namedGroup(body),
      owner: yield* referencedPartner(scopeOf(allowed), body, ["partner_id"], caller.partner_id)
    }))
    const at = yield* now
    const user = newUser(request, {
      user_id: (yield* (yield* IdGenerator).next) as UserId,
      partner_id: owner.record,
      created_at: at
    })
    const users = yield* UserRepository
    yield* users.insert(owner, user, hash)
    yield* audited({
      at,
      caller,
      action: "user.create",
      subject_id: user.user_id,
      partner_id: user.partner_id,
      after: user
    })
    const created = yield* users.find(scopeOf(allowed), user.user_id)
    const detail = (yield* Effect.fromResult(judge(created))).record
    return request.password === undefined ? { ...detail, temporary_password: Redacted.value(password) } : detail
  })
  return yield* (yield* UnitOfWork).atomically(
    once<CreateUserResponseData>(allowed, (user) => user.partner_id)(create)
  )
})
