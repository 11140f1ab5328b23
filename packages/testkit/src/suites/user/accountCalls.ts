// A case is an entry point: it provides the ports that are no part of the storage.
// @effect-diagnostics strictEffectProvide:off
import { type Caller, groupBySlug, groupRecord, type GroupSlug } from "@lastro/domain/access"
import { type AuditLog, type PersonalDataHasher } from "@lastro/domain/audit"
import { type EventLog } from "@lastro/domain/event"
import { type IdempotencyStore } from "@lastro/domain/idempotency"
import {
  type ApiClientRepository,
  type LoginAttempts,
  type PrincipalRepository,
  type RefreshTokenRepository
} from "@lastro/domain/identity"
import { operations, type PermittedCall } from "@lastro/domain/operation"
import { type PartnerDetail, type PartnerRepository } from "@lastro/domain/partner"
import { IdGenerator, type PartnerTree, SecretGenerator, type UnitOfWork } from "@lastro/domain/ports"
import { type UserListItem, type UserRepository } from "@lastro/domain/user"
import { Effect, Layer, Option, Result } from "effect"
import { aCaller } from "../../builders/aCaller.ts"
import { freshId, freshSecret } from "../../builders/Fresh.ts"
import { storeUser } from "../../builders/storedRecords.ts"
import { layerCommonPasswords, layerPasswordHasher } from "../../memory/hashers.ts"
import { layerTokenSigner } from "../../memory/identity.ts"

/** The storage ports of the use cases that change users. */
export type AccountStorage =
  | ApiClientRepository
  | AuditLog
  | EventLog
  | IdempotencyStore
  | LoginAttempts
  | PartnerRepository
  | PartnerTree
  | PersonalDataHasher
  | PrincipalRepository
  | RefreshTokenRepository
  | UnitOfWork
  | UserRepository

/** Fakes of the other ports of these use cases. */
export const generators = Layer.mergeAll(
  layerCommonPasswords,
  layerPasswordHasher,
  layerTokenSigner,
  Layer.succeed(IdGenerator, IdGenerator.of({ next: freshId })),
  Layer.succeed(SecretGenerator, SecretGenerator.of({ next: freshSecret }))
)

type AccountPorts = AccountStorage | Layer.Success<typeof generators>

/** Stores a user of a partner in a group. */
export const memberOf = (partner: PartnerDetail, slug: GroupSlug, status: UserListItem["status"] = "ACTIVE") =>
  storeUser(partner, { group: groupRecord(groupBySlug(slug)), status })

/** Returns a stored user as a caller. `root` is the root of the user's tree. */
export const callerOf = (user: UserListItem, root: PartnerDetail) =>
  aCaller().at(user.partner_id, root).inGroup(user.group.slug).called(user.user_id)

const noInput = {
  query: {},
  budget: Number.POSITIVE_INFINITY,
  key: undefined,
  expected: () => true,
  isKnown: () => Option.none()
}

type AccountOperation = "createUser" | "deletePartner" | "deleteUser" | "updatePartner" | "updateUser"

/** Calls an operation with the permission check of a request. Returns `done`, or the `_tag` of the error. */
export const call = (name: AccountOperation, caller: Caller, id: string, body?: unknown) =>
  Effect.suspend(() => {
    type Permitted = Result.Result<
      PermittedCall<unknown, { readonly _tag: string }, AccountPorts>,
      { readonly _tag: string }
    >
    const permitted: Permitted = name === "createUser"
      ? operations.createUser.authorize(caller)
      : operations[name].authorize(caller, id)
    return Result.isFailure(permitted)
      ? Effect.succeed(permitted.failure._tag)
      : Effect.map(
        Effect.result(permitted.success.execute({ ...noInput, body })),
        (result): string => Result.isSuccess(result) ? "done" : result.failure._tag
      )
  }).pipe(Effect.provide(generators))
