import { type Principal, PrincipalRepository } from "@lastro/domain"
import { Effect, Option } from "effect"

/** The principal of this kind, or null. */
export const principalOf = (kind: Principal["kind"], subject: string) =>
  Effect.gen(function*() {
    return Option.getOrNull(yield* (yield* PrincipalRepository).find(kind, subject))
  })

/** The principal who signs in with this e-mail and its hash, or null. */
export const principalByEmail = (email: string) =>
  Effect.gen(function*() {
    return Option.getOrNull(yield* (yield* PrincipalRepository).findByEmail(email))
  })
