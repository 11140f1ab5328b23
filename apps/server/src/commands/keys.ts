import { generateSigningKey } from "@lastro/adapters-http"
import {
  keyLeadSeconds,
  now,
  publishedKeysAt,
  retireSigningKey,
  signingKeyAt,
  SigningKeyRepository
} from "@lastro/domain"
import { Console, Effect, Option } from "effect"
import { Argument, Command } from "effect/cli"
import { refused, refusedAs } from "./refused.ts"
import { settings, withPorts } from "./withPorts.ts"

/** Keys that the operator keeps in a file are changed there. */
const inDatabase = Effect.flatMap(
  settings,
  ({ signing_keys_file }) =>
    signing_keys_file === undefined
      ? Effect.void
      : refused("The signing keys are those of LASTRO_SIGNING_KEYS; change that file.")
)

const list = Command.make("list", {}, () =>
  Effect.gen(function*() {
    const keys = yield* (yield* SigningKeyRepository).all
    const at = yield* now
    const signing = Option.map(signingKeyAt(keys, at), ({ kid }) => kid)
    const published = new Set(publishedKeysAt(keys, at))
    for (const key of keys) {
      const state = Option.contains(signing, key.kid) ? "signs" : published.has(key) ? "verifies" : "ended"
      yield* Console.log([key.kid, key.created_at, key.retired_at ?? "live", state].join("\t"))
    }
  }).pipe(withPorts)).pipe(Command.withDescription("Lists the signing keys: id, created, retired, what it does now"))

const rotate = Command.make("rotate", {}, () =>
  Effect.gen(function*() {
    yield* inDatabase
    const key = yield* generateSigningKey
    yield* (yield* SigningKeyRepository).insert(key, { onlyIfEmpty: false })
    yield* Console.log(
      `${key.kid} is published now and signs in ${keyLeadSeconds / 60} minutes. Retire the old key after that.`
    )
  }).pipe(withPorts)).pipe(
    Command.withDescription("Adds a signing key, which takes over once every verifier can know it")
  )

const retire = Command.make(
  "retire",
  { kid: Argument.String("kid").pipe(Argument.withDescription("The key's id")) },
  ({ kid }) =>
    Effect.andThen(inDatabase, retireSigningKey(kid)).pipe(
      refusedAs({
        NotFound: "There is no such live key.",
        LastSigningKey: "It is the last live key; rotate first."
      }),
      Effect.andThen(Console.log(`${kid} signs no more; its tokens stay good until they expire.`)),
      withPorts
    )
).pipe(Command.withDescription("Ends a key's signing; its tokens stay good until they expire"))

/** Manages the keys that sign access tokens. */
export const keys = Command.make("keys").pipe(
  Command.withDescription("Manages the keys that sign access tokens, without downtime"),
  Command.withSubcommands([list, rotate, retire])
)
