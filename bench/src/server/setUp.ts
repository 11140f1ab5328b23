import * as NodeCrypto from "@effect/platform-node/NodeCrypto"
import { PgClient } from "@effect/sql-pg"
import { layerPasswordHasher } from "@lastro/adapters-http/security"
import { PasswordHasher } from "@lastro/domain/identity"
import { seed as fill, vacuum } from "@lastro/seed"
import { Effect, Redacted, type Scope } from "effect"
import { SqlClient } from "effect/sql"
import { listingUsers, password } from "./callers.ts"
import { callerInputs } from "./inputs.ts"
import { startLastro } from "./startLastro.ts"
import { startPeer } from "./startPeer.ts"

/** Numbers of records to generate, and the seed of the generator. */
export interface Size {
  readonly partners: number
  readonly users: number
  readonly applications: number
  readonly seed: number
}

/** The URLs with which the servers connect to the database. */
interface Addresses {
  readonly lastro: string
  readonly peer: string
}

/** Returns the addresses for the servers, based on the URL of the database. */
type AddressesOf = (url: string) => Effect.Effect<Addresses, never, Scope.Scope>

/** Connects both servers to the database directly, without a proxy. */
export const direct: AddressesOf = (url) => Effect.succeed({ lastro: url, peer: url })

/** Additional environment variables of the servers. */
export interface Environments {
  readonly lastro: Readonly<Record<string, string>>
  readonly peer: Readonly<Record<string, string>>
}

/** Generates data, starts both servers on one database, and chooses callers and their records. */
export const setUp = Effect.fn("setUp")(
  function*(size: Size, addressesOf: AddressesOf, environments: Environments = { lastro: {}, peer: {} }) {
    const sql = yield* SqlClient.SqlClient
    const { config: { url } } = yield* PgClient.PgClient
    if (url === undefined) return yield* Effect.die(new Error("The database has no URL"))
    const passwordHash = yield* (yield* PasswordHasher).hash(Redacted.make(password))
    yield* fill({ ...size, passwordHash })
    yield* vacuum()
    const addresses = yield* addressesOf(Redacted.value(url))
    const lastro = yield* startLastro(addresses.lastro, environments.lastro)
    const peer = yield* startPeer(addresses.peer, lastro, environments.peer)
    const callers = yield* Effect.forEach(
      yield* listingUsers(sql),
      (user) => callerInputs(sql, lastro.url, user)
    )
    return { passwordHash, lastro, peer, callers }
  },
  Effect.provide(layerPasswordHasher()),
  Effect.provide(NodeCrypto.layer)
)

/** The running servers and the callers. */
export type Bench = Effect.Success<ReturnType<typeof setUp>>
