import { authenticated, type Caller, claimsOf, PrincipalRepository, TokenSigner, Unauthenticated } from "@lastro/domain"
import { Effect, Option } from "effect"
import { CallerBuilder } from "../given/aCaller.ts"
import { aClient, ClientBuilder } from "../given/aClient.ts"
import { aUser, UserBuilder } from "../given/aUser.ts"
import { owned, storeClient, storeUser } from "./store.ts"

/** Somebody who can ask: a user or an API client that is stored already, or one that is described. */
export type Somebody =
  | Caller
  | CallerBuilder
  | ClientBuilder
  | UserBuilder
  | { readonly user_id: string }
  | { readonly client_id: string }

/** The user or API client that a caller is: stored, unless it is already. */
const storeCaller = Effect.fnUntraced(function*({ group, kind, must_change_password, partner_id, subject }: Caller) {
  const found = yield* (yield* PrincipalRepository).find(kind, subject)
  if (Option.isSome(found)) return
  yield* kind === "user"
    ? storeUser(aUser({ user_id: subject, must_change_password }).of(partner_id).inGroup(group))
    : storeClient(aClient().called(subject).of(partner_id).inGroup(group))
})

/** A caller as its live record makes it, allowed no more than it was described with. */
const narrowed = Effect.fnUntraced(function*(caller: Caller) {
  const live = yield* authenticated(caller.kind, caller.subject)
  const permissions = new Set(Array.from(live.permissions).filter((one) => caller.permissions.has(one)))
  return { ...live, permissions }
})

const described = Effect.fnUntraced(function*(caller: Caller) {
  yield* storeCaller(caller)
  return yield* narrowed(caller)
})

/** The caller that somebody is. */
export const callerFor = Effect.fnUntraced(function*(somebody: Somebody) {
  if (somebody instanceof CallerBuilder) {
    return yield* described(yield* yield* owned(somebody, (partner) => somebody.at(partner)))
  }
  if (somebody instanceof UserBuilder) return yield* authenticated("user", (yield* storeUser(somebody)).user_id)
  if (somebody instanceof ClientBuilder) return yield* authenticated("client", (yield* storeClient(somebody)).client_id)
  if ("user_id" in somebody) return yield* authenticated("user", somebody.user_id)
  if ("client_id" in somebody) return yield* authenticated("client", somebody.client_id)
  return yield* described(somebody)
})

/** An access token that speaks for somebody. */
export const tokenFor = Effect.fnUntraced(function*(somebody: Somebody) {
  const { group, kind, permissions, subject } = yield* callerFor(somebody)
  const principal = yield* (yield* PrincipalRepository).find(kind, subject)
  if (Option.isNone(principal)) return yield* new Unauthenticated({ reason: "unknown" })
  return yield* (yield* TokenSigner).sign(claimsOf(principal.value, group, permissions))
})
