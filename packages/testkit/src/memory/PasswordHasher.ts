import { type PasswordHash, PasswordHasher } from "@lastro/domain"
import { Effect, Layer, Option, Redacted, Ref } from "effect"
import { digest } from "./digest.ts"

const hashOf = (salt: string, secret: Redacted.Redacted): PasswordHash =>
  `$not-secure$${salt}$${digest(`${salt}$${Redacted.value(secret)}`)}` as PasswordHash

/** Hashes in microseconds, salted with a counter. Not secure: for tests only. */
export const layer = Layer.effect(
  PasswordHasher,
  Effect.map(Ref.make(0), (count) =>
    PasswordHasher.of({
      hash: (secret) => Effect.map(Ref.updateAndGet(count, (last) => last + 1), (salt) => hashOf(String(salt), secret)),
      verify: (secret, hash) =>
        Effect.sync(() => Option.isSome(hash) && hashOf(hash.value.split("$")[2] ?? "", secret) === hash.value)
    }))
)
