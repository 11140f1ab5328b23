import { authenticated, type Caller, claimsOf, PrincipalRepository, TokenSigner, Unauthenticated } from "@lastro/domain"
import { Effect, Option } from "effect"
import { CallerBuilder } from "../given/aCaller.ts"
import { aClient, ClientBuilder } from "../given/aClient.ts"
import { aUser, UserBuilder } from "../given/aUser.ts"
import { TestMistake } from "../given/TestMistake.ts"
import { MemoryDatabase } from "../memory/MemoryDatabase.ts"
import { type Acquaintances, type Known } from "./Acquaintances.ts"
import { owned, storeClient, storeUser } from "./store.ts"

/** Somebody who can ask: a user or an API client that is stored already, or one that is described. */
export type Somebody =
  | Caller
  | CallerBuilder
  | ClientBuilder
  | UserBuilder
  | { readonly user_id: string }
  | { readonly client_id: string }

/** The user or API client that a caller is: stored, unless it is or was already. */
const storeCaller = Effect.fnUntraced(function*(caller: Caller) {
  const { group, kind, must_change_password, partner_id, subject } = caller
  const { clients, users } = yield* (yield* MemoryDatabase).state
  const all: ReadonlyMap<string, unknown> = kind === "user" ? users : clients
  if (!all.has(subject)) {
    yield* kind === "user"
      ? storeUser(aUser({ user_id: subject, must_change_password }).of(partner_id).inGroup(group))
      : storeClient(aClient().called(subject).of(partner_id).inGroup(group))
  }
  return caller
})

const ofUser = ({ user_id }: { readonly user_id: string }): Known => ({ kind: "user", subject: user_id })

const ofClient = ({ client_id }: { readonly client_id: string }): Known => ({ kind: "client", subject: client_id })

const isCaller = (somebody: object): somebody is Caller =>
  "permissions" in somebody && somebody.permissions instanceof Set

/** The user or API client that somebody is. */
const known = Effect.fnUntraced(function*(somebody: Somebody, among: Acquaintances) {
  if (somebody instanceof CallerBuilder) {
    const described = Effect.flatten(owned(somebody, (partner) => somebody.at(partner)))
    return yield* among.of(somebody, Effect.flatMap(described, storeCaller))
  }
  if (somebody instanceof UserBuilder) return yield* among.of(somebody, Effect.map(storeUser(somebody), ofUser))
  if (somebody instanceof ClientBuilder) return yield* among.of(somebody, Effect.map(storeClient(somebody), ofClient))
  // Not every test is type-checked.
  const other: object = Object(somebody)
  if (isCaller(other)) return yield* storeCaller(other)
  if ("user_id" in other) return ofUser(other as { readonly user_id: string })
  if ("client_id" in other) return ofClient(other as { readonly client_id: string })
  return yield* Effect.fail(
    new TestMistake(
      "this is nobody who can ask: that is aCaller(), aUser(), aClient(), or who has a user_id or client_id"
    )
  )
})

const mayNotAsk = (kind: Caller["kind"], cause: Unauthenticated): TestMistake => {
  const who = kind === "user" ? "user" : "API client"
  const why = cause.reason === "inactive"
    ? "it is inactive, or a partner above it is"
    : "it is not stored, or is no more"
  return new TestMistake(`nobody can ask as this ${who}: ${why}`, { cause })
}

/**
 * The caller that somebody is, as their live record makes them, allowed no more than they were described with. `among` knows whom
 * builders have become.
 */
export const callerFor = Effect.fnUntraced(function*(somebody: Somebody, among: Acquaintances) {
  const { kind, permissions, subject } = yield* known(somebody, among)
  const live = yield* Effect.mapError(authenticated(kind, subject), (cause) => mayNotAsk(kind, cause))
  const all = Array.from(live.permissions)
  return permissions === undefined ? live : { ...live, permissions: new Set(all.filter((one) => permissions.has(one))) }
})

/** An access token that speaks for somebody. */
export const tokenFor = Effect.fnUntraced(function*(somebody: Somebody, among: Acquaintances) {
  const { group, kind, permissions, subject } = yield* callerFor(somebody, among)
  const principal = yield* (yield* PrincipalRepository).find(kind, subject)
  if (Option.isNone(principal)) return yield* Effect.fail(mayNotAsk(kind, new Unauthenticated({ reason: "unknown" })))
  return yield* (yield* TokenSigner).sign(claimsOf(principal.value, group, permissions))
})
