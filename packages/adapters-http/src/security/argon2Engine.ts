import { Data, Effect } from "effect"
import { Kdf } from "effect/crypto"
import { type Argon2Hash } from "./PasswordHasher.ts"

/** Computes the argon2id hash of a secret, with the cost, salt and length of `hash`. */
export type DeriveArgon2 = (secret: Uint8Array, hash: Argon2Hash) => Effect.Effect<Uint8Array>

/** The runtime has no argon2id, and the library for such runtimes is not installed. */
export class Argon2Missing extends Data.TaggedError("Argon2Missing")<{ readonly cause: unknown }> {
  override readonly message = "This runtime has no Argon2, which hashes passwords: install @node-rs/argon2, or use " +
    "Node.js 24.7 or newer."
}

/** The part of @node-rs/argon2 that is used. */
interface Argon2Library {
  readonly hashRaw: (secret: Uint8Array, options: {
    readonly algorithm: number
    readonly memoryCost: number
    readonly timeCost: number
    readonly parallelism: number
    readonly outputLen: number
    readonly salt: Uint8Array
  }) => Promise<Uint8Array>
}

/** The number of argon2id in @node-rs/argon2. */
const argon2id = 2

/** Loads the library. Most runtimes do not need it. Bundlers omit it, because its name is not a constant. */
const loadLibrary = async (name: string = "@node-rs/argon2"): Promise<Argon2Library> => import(name)

const ofLibrary = ({ hashRaw }: Argon2Library): DeriveArgon2 => (secret, { cost, hash, salt }) =>
  Effect.map(
    Effect.promise(() =>
      hashRaw(secret, {
        algorithm: argon2id,
        memoryCost: cost.memory,
        timeCost: cost.passes,
        parallelism: cost.parallelism,
        outputLen: hash.length,
        salt
      })
    ),
    (bytes) => Uint8Array.from(bytes)
  )

const deriveWith = (kdf: Kdf.Kdf["Service"], secret: Uint8Array, { cost, hash, salt }: Argon2Hash) =>
  kdf.derive(Kdf.argon2id(cost), secret, { salt, length: hash.length })

/** The cheapest hash, to test whether the runtime has argon2id. */
const probe: Argon2Hash = {
  cost: { memory: 8, passes: 1, parallelism: 1 },
  salt: new Uint8Array(8),
  hash: new Uint8Array(4)
}

/**
 * Returns the argon2id of the runtime, or else that of @node-rs/argon2. Both compute the same hashes. Node.js has
 * argon2id from 24.7, and Bun from 1.4. Dies with Argon2Missing if the library is needed but cannot be loaded.
 */
export const argon2Engine = (
  kdf: Kdf.Kdf["Service"],
  load: typeof loadLibrary = loadLibrary
): Effect.Effect<DeriveArgon2> =>
  Effect.matchEffect(deriveWith(kdf, new Uint8Array(1), probe), {
    onSuccess: () => Effect.succeed<DeriveArgon2>((secret, hash) => Effect.orDie(deriveWith(kdf, secret, hash))),
    onFailure: () =>
      Effect.orDie(
        Effect.map(
          Effect.tryPromise({ try: () => load(), catch: (cause) => new Argon2Missing({ cause }) }),
          ofLibrary
        )
      )
  })
