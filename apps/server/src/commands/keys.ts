import { generateSigningKey } from "@lastro/adapters-http/security"
import { keyLeadSeconds, publishedKeysAt, signingKeyAt, SigningKeyRepository } from "@lastro/domain/identity"
import { retireSigningKey, revokeSigningKey } from "@lastro/domain/operator"
import { currentTimestamp } from "@lastro/domain/values"
import { Effect, Option } from "effect"
import { Argument, Command } from "effect/cli"
import { confirmChange, yes } from "./OperatorTerminal.ts"
import { json, printList, printRecord } from "./records.ts"
import { mapRefusals, refuse } from "./refused.ts"
import { settings, withPorts } from "./withPorts.ts"

/** Fails if the signing keys come from a file, because commands cannot change that file. */
const requireKeysInDatabase = Effect.flatMap(
  settings,
  ({ signing_keys_file }) =>
    signing_keys_file === undefined
      ? Effect.void
      : refuse("The signing keys come from the file in LASTRO_SIGNING_KEYS. Change that file instead.")
)

const list = Command.make("list", { json }, ({ json }) =>
  Effect.gen(function*() {
    const keys = yield* (yield* SigningKeyRepository).all
    const at = yield* currentTimestamp
    const signing = Option.map(signingKeyAt(keys, at), ({ kid }) => kid)
    const published = new Set(publishedKeysAt(keys, at))
    const stateOf = (key: typeof keys[number]) => {
      if (Option.contains(signing, key.kid)) return "signs"
      return published.has(key) ? "verifies" : "ended"
    }
    const records = keys.map((key) => ({
      kid: key.kid,
      created_at: key.created_at,
      retired_at: key.retired_at,
      state: stateOf(key)
    }))
    yield* printList(json, records, {
      empty: "There are no signing keys. The server creates one for its first access token.",
      columns: {
        kid: ({ kid }) => kid,
        created_at: ({ created_at }) => created_at,
        retired_at: ({ retired_at }) => retired_at ?? "live",
        state: ({ state }) => state
      }
    })
  }).pipe(withPorts)).pipe(
    Command.withDescription(
      "List all signing keys, one per line, as tab-separated columns with a header: id, creation time, retirement time " +
        "(live if not retired), and state (signs, verifies or ended)."
    ),
    Command.withShortDescription("List signing keys"),
    Command.withExamples([{ command: "lastro keys list", description: "Show which key signs now" }])
  )

const rotate = Command.make("rotate", { json }, ({ json }) =>
  Effect.gen(function*() {
    yield* requireKeysInDatabase
    const key = yield* generateSigningKey
    const repository = yield* SigningKeyRepository
    yield* repository.insert(key, { onlyIfEmpty: false })
    const signing = signingKeyAt(yield* repository.all, yield* currentTimestamp)
    const isOnlyKey = Option.isSome(signing) && signing.value.kid === key.kid
    yield* printRecord(
      json,
      { kid: key.kid, signs_in_seconds: isOnlyKey ? 0 : keyLeadSeconds },
      isOnlyKey
        ? `${key.kid} is published and signs now, because there was no other live key.`
        : `${key.kid} is published and will sign in ${keyLeadSeconds / 60} minutes. Retire the old key after that.`
    )
  }).pipe(withPorts)).pipe(
    Command.withDescription(
      `Add a signing key. It is published immediately and signs after ${
        keyLeadSeconds / 60
      } minutes, when every verifier has fetched it.`
    ),
    Command.withShortDescription("Add a signing key"),
    Command.withExamples([{
      command: "lastro keys rotate",
      description: "Add a key. Later retire the old one with lastro keys retire KID"
    }])
  )

const kidArgument = Argument.String("kid").pipe(
  Argument.withDescription("Id of the key, as shown by lastro keys list. Put -- before an id that begins with a hyphen")
)

const retire = Command.make(
  "retire",
  { json, kid: kidArgument },
  ({ json, kid }) =>
    Effect.andThen(requireKeysInDatabase, retireSigningKey(kid)).pipe(
      mapRefusals({
        NotFound: "No live signing key has this id.",
        LastSigningKey: "This is the last live signing key. Add another one first: lastro keys rotate."
      }),
      Effect.andThen(
        printRecord(json, { kid, status: "retired" }, `${kid} is retired. Its tokens stay valid until they expire.`)
      ),
      withPorts
    )
).pipe(
  Command.withDescription(
    "Retire a signing key. It signs no new tokens. Tokens that it has signed stay valid until they expire."
  ),
  Command.withShortDescription("Retire a signing key"),
  Command.withExamples([{
    command: "lastro keys retire gVr1yPYCkVRyYYAjqlkM7rqLzZPBlA9mV0yz_5NQnSE",
    description: "Retire a key by its id"
  }])
)

const revoke = Command.make(
  "revoke",
  { json, kid: kidArgument, yes },
  ({ json, kid, yes }) =>
    requireKeysInDatabase.pipe(
      Effect.andThen(confirmChange(yes, `Revoke signing key ${kid} and end all of its tokens?`)),
      Effect.andThen(revokeSigningKey(kid, generateSigningKey)),
      mapRefusals({ NotFound: "No signing key has this id." }),
      Effect.flatMap((replacement) =>
        printRecord(
          json,
          { kid, status: "revoked", replacement: replacement?.kid ?? null },
          `${kid} is revoked. Every node refuses its tokens within 10 seconds.` +
            (replacement === undefined ? "" : ` The new key ${replacement.kid} signs from now on.`)
        )
      ),
      withPorts
    )
).pipe(
  Command.withDescription(
    "Revoke a signing key that others may know. It is deleted, and every node refuses its tokens within 10 seconds: users and API " +
      "clients must sign in again. If it is the last live key, a new key replaces it. See docs/incidents.md."
  ),
  Command.withShortDescription("End a leaked signing key and all of its tokens"),
  Command.withExamples([{
    command: "lastro keys revoke gVr1yPYCkVRyYYAjqlkM7rqLzZPBlA9mV0yz_5NQnSE",
    description: "End a leaked key"
  }])
)

export const keys = Command.make("keys").pipe(
  Command.withDescription("List, rotate, retire and revoke the keys that sign access tokens, without downtime"),
  Command.withSubcommands([list, rotate, retire, revoke])
)
