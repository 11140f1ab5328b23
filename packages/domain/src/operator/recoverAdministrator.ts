import { Effect, Option, type Redacted, Result, Schema } from "effect"
import { type GroupSlug } from "../access/Group.ts"
import { recordChange } from "../event/recordChange.ts"
import { asOperator, judgeFound, NotFound } from "../hierarchy/Scope.ts"
import { LoginAttempts, loginWindowMs } from "../identity/LoginAttempts.ts"
import { type PasswordHash, PasswordHasher } from "../identity/PasswordHasher.ts"
import { type Principal, PrincipalRepository } from "../identity/Principal.ts"
import { RefreshTokenRepository } from "../identity/RefreshToken.ts"
import { userAttempts } from "../identity/verifySecret.ts"
import { combineChecks } from "../input/combineChecks.ts"
import { decode } from "../input/decode.ts"
import { Refusal } from "../input/Refusal.ts"
import { SecretGenerator } from "../ports/generators.ts"
import { PartnerTree } from "../ports/PartnerTree.ts"
import { UnitOfWork } from "../ports/UnitOfWork.ts"
import { eventsOfUser, type UserListItem } from "../user/UserDetail.ts"
import { UserRepository } from "../user/UserRepository.ts"
import { Cpf } from "../values/Cpf.ts"
import { Email } from "../values/Email.ts"
import { type PartnerId, type UserId } from "../values/ids.ts"
import { Name } from "../values/Name.ts"
import { Phone } from "../values/Phone.ts"
import { addMillis, currentTimestamp } from "../values/Timestamp.ts"
import { administratorGroup, createAdministrator } from "./createAdministrator.ts"

/** The user with this e-mail address belongs to another partner than the given one. */
export class UserOfAnotherPartner extends Refusal(
  "UserOfAnotherPartner",
  "The user with this e-mail address belongs to another partner. Choose that partner, or another e-mail address.",
  [
    "partner_id"
  ]
)<{
  /** The partner of the user. */
  readonly partner_id: PartnerId
}> {}

/** Options of {@link recoverAdministrator}. Both are required to create an administrator. */
export interface RecoveryOptions {
  /** The partner of the administrator. A user of another partner is not changed. */
  readonly partner_id?: PartnerId | undefined
  /** The data of a new administrator, for an e-mail address that no user has. */
  readonly person?: { readonly name: string; readonly phone: string; readonly cpf: string } | undefined
}

/** An administrator that can sign in again. Show the password once. */
export interface RecoveredAdministrator {
  readonly user_id: UserId
  readonly partner_id: PartnerId
  readonly email: string
  readonly password: Redacted.Redacted
  /** True if no user had the e-mail address and one was created. */
  readonly created: boolean
  /** The former group of the user. Null if the user was created. */
  readonly former_group: GroupSlug | null
  /**
   * False if the partner of the user, or one of its ancestors, is inactive. Until all of them are active, the user
   * cannot sign in.
   */
  readonly partners_active: boolean
}

const decodeEmail = decode(Email)
const decodePerson = decode(Schema.Struct({ name: Name, phone: Phone, cpf: Cpf }))

/** Makes an existing user an active administrator with a new password, and ends its sessions. */
const resetUser = Effect.fnUntraced(function*(principal: Principal, hash: PasswordHash) {
  const users = yield* UserRepository
  const { partner_id } = principal
  const id = principal.subject as UserId
  const user = yield* Effect.fromResult(judgeFound(yield* users.findForUpdate(asOperator.scope(partner_id), id)))
  const at = yield* currentTimestamp
  const { partners: _partners, ...before } = user.record
  const after: UserListItem = {
    ...before,
    status: "ACTIVE",
    group: administratorGroup,
    must_change_password: true
  }
  yield* users.update(user, after, asOperator.inScope(partner_id))
  yield* users.setPassword(user, hash)
  yield* (yield* RefreshTokenRepository).revokeUser(id, at)
  yield* recordChange({
    events: eventsOfUser(before, after),
    at,
    caller: null,
    action: "user.recover",
    subject_id: id,
    partner_id,
    before,
    after
  })
  return {
    user_id: id,
    partner_id,
    created: false,
    former_group: before.group.slug,
    partners_active: principal.partners_active
  }
})

/** Creates an administrator of a partner. Fails with NotFound if the partner does not exist. */
const createAdministratorOf = Effect.fnUntraced(function*(
  partner: PartnerId,
  person: Pick<UserListItem, "name" | "email" | "phone" | "cpf">,
  hash: PasswordHash
) {
  const found = yield* (yield* PartnerTree).find(asOperator.scope(partner), partner)
  const partner_id = (yield* Effect.fromResult(judgeFound(found))).record
  const user_id = yield* createAdministrator(partner_id, { ...person, must_change_password: true }, hash)
  const stored = yield* (yield* PrincipalRepository).find("user", user_id)
  const partners_active = Option.isSome(stored) && stored.value.partners_active
  return { user_id, partner_id, created: true, former_group: null, partners_active }
})

/** Deletes the failed sign-ins with an e-mail address, so that the new password works at once. */
const clearFailures = Effect.fnUntraced(function*(email: string) {
  const attempts = yield* LoginAttempts
  const username = userAttempts(email)
  const since = addMillis(yield* currentTimestamp, -loginWindowMs)
  // One read returns at most 50 failures, so they are read until none is left.
  for (;;) {
    const failures = yield* attempts.failures(username, "", since)
    if (failures.length === 0) return
    yield* Effect.forEach(new Set(failures.map(({ ip }) => ip)), (ip) => attempts.clear(username, ip))
  }
})

/**
 * Makes the user with this e-mail address an active administrator with a generated password, which must be changed at
 * the next sign-in. Its sessions and tokens end, and its failed sign-ins no longer count. Without such a user, creates
 * an administrator of the partner from the data of the person. Fails with UserOfAnotherPartner if the user belongs to
 * another partner. Fails with NotFound if there is no such user and the options do not allow a new one. For the
 * operator only.
 */
export const recoverAdministrator = Effect.fn("recoverAdministrator")(function*(
  address: string,
  options: RecoveryOptions = {}
) {
  const { partner_id } = options
  const { email, person } = yield* Effect.fromResult(combineChecks({
    email: decodeEmail(address, ["email"]),
    person: options.person === undefined ? Result.succeed(undefined) : decodePerson(options.person)
  }))
  const password = yield* (yield* SecretGenerator).next
  const hash = yield* (yield* PasswordHasher).hash(password)
  const recover = Effect.gen(function*() {
    const known = yield* (yield* PrincipalRepository).findByEmail(email)
    if (Option.isSome(known)) {
      const { principal } = known.value
      if (partner_id !== undefined && partner_id !== principal.partner_id) {
        return yield* new UserOfAnotherPartner({ partner_id: principal.partner_id })
      }
      yield* clearFailures(email)
      return yield* resetUser(principal, hash)
    }
    if (partner_id === undefined || person === undefined) return yield* new NotFound()
    yield* clearFailures(email)
    return yield* createAdministratorOf(partner_id, { ...person, email }, hash)
  })
  const recovered = yield* (yield* UnitOfWork).atomically(recover)
  return { ...recovered, email, password } satisfies RecoveredAdministrator
})
