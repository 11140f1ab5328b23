import { type PasswordHash, PasswordHasher } from "@lastro/domain/identity"
import { passwordHasherSuite } from "@lastro/testkit/suites"
import { type Context, Effect, Layer, Option, Redacted } from "effect"
import { createHash, randomBytes, scryptSync, timingSafeEqual } from "node:crypto"
import { type Fault } from "./Fault.ts"

type Hasher = Context.Service.Shape<typeof PasswordHasher>

const digest = (secret: Redacted.Redacted): string =>
  `fast$${createHash("sha256").update(Redacted.value(secret)).digest("hex")}`

const slowHash = (secret: Redacted.Redacted, salt: string): string =>
  `slow$${salt}$${scryptSync(Redacted.value(secret), salt, 32, { N: 2048 }).toString("hex")}`

const isEqual = (one: string, other: string): boolean =>
  one.length === other.length && timingSafeEqual(Buffer.from(one), Buffer.from(other))

/** A correct hasher whose slow hash takes about five milliseconds. */
const sound: Hasher = {
  hash: (secret) => Effect.sync(() => slowHash(secret, randomBytes(8).toString("hex")) as PasswordHash),
  hashGenerated: (secret) => Effect.sync(() => digest(secret) as PasswordHash),
  verify: (secret, hash) =>
    Effect.sync(() => {
      const stored: string = Option.getOrElse(hash, () => "")
      if (isEqual(digest(secret), stored)) return true
      return isEqual(slowHash(secret, stored.split("$")[1] ?? ""), stored)
    })
}

const hasher = (fault: string, detectedBy: RegExp, override: Partial<Hasher>) => ({
  fault: `PasswordHasher: ${fault}`,
  detectedBy,
  suite: (runner) =>
    passwordHasherSuite("broken", Layer.succeed(PasswordHasher, PasswordHasher.of({ ...sound, ...override })), runner)
} satisfies Fault)

/** Keeps the first 72 bytes of a secret, as bcrypt does. */
const truncate = (secret: Redacted.Redacted) =>
  Redacted.make(Buffer.from(Redacted.value(secret)).subarray(0, 72).toString())

/** Broken adapters of PasswordHasher. */
export const passwordFaults: ReadonlyArray<Fault> = [
  hasher("reads only the first 72 bytes of a secret", /reads the whole secret/, {
    hash: (secret) => sound.hash(truncate(secret)),
    verify: (secret, hash) => sound.verify(truncate(secret), hash)
  }),
  hasher("reads a secret only up to a NUL", /reads the whole secret/, {
    hash: (secret) => sound.hash(Redacted.make(Redacted.value(secret).split("\u0000")[0] ?? "")),
    verify: (secret, hash) => sound.verify(Redacted.make(Redacted.value(secret).split("\u0000")[0] ?? ""), hash)
  }),
  hasher("computes nothing if there is no hash", /computes as much/, {
    verify: (secret, hash) => Option.isNone(hash) ? Effect.succeed(false) : sound.verify(secret, hash)
  }),
  hasher("computes no slow hash for a fast one", /computes as much/, {
    verify: (secret, hash) =>
      Option.isSome(hash) && hash.value.startsWith("fast")
        ? Effect.sync(() => digest(secret) === hash.value)
        : sound.verify(secret, hash)
  })
]
