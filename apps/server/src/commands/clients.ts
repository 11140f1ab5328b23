import { groupWithId } from "@lastro/domain/access"
import { ApiClientRepository } from "@lastro/domain/identity"
import { createApiClient, revokeApiClient, rotateApiClient } from "@lastro/domain/operator"
import { parseName } from "@lastro/domain/values"
import { Duration, Effect, Option, Redacted } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { duration } from "../settings/readers.ts"
import { confirmChange, yes } from "./OperatorTerminal.ts"
import { json, printList, printRecord } from "./records.ts"
import { mapRefusals, readPartnerId, refuse } from "./refused.ts"
import { withPorts } from "./withPorts.ts"

const clientId = Argument.String("client-id").pipe(Argument.withDescription("Id of the API client"))

/** An API client with its new secret. */
interface Credentials {
  readonly client: { readonly client_id: string }
  readonly secret: Redacted.Redacted
}

const credentialsOf = ({ client, secret }: Credentials) => ({
  client_id: client.client_id,
  client_secret: Redacted.value(secret)
})

const credentialsText = ({ client, secret }: Credentials): string =>
  [
    `client_id      ${client.client_id}`,
    `client_secret  ${Redacted.value(secret)}`,
    "",
    "Save the secret: it is shown only once."
  ].join("\n")

const create = Command.make("create", {
  partner: Flag.String("partner").pipe(Flag.withDescription("Id of the partner that the client acts for")),
  group: Flag.Literals("group", ["admin", "manager", "operator", "viewer"]).pipe(
    Flag.withDescription("Group that defines the permissions of the client")
  ),
  name: Flag.optional(
    Flag.String("name").pipe(Flag.withDescription("Name for people, 2 to 120 characters. Default: the client id"))
  ),
  json
}, ({ group, json, name, partner }) =>
  Effect.gen(function*() {
    const partner_id = yield* readPartnerId(partner)
    const chosen = Option.isNone(name)
      ? undefined
      : yield* Effect.catch(
        Effect.fromResult(parseName(name.value)),
        () => refuse("--name must have 2 to 120 visible characters.")
      )
    return yield* createApiClient(partner_id, group, { name: chosen }).pipe(
      mapRefusals({ NotFound: "The partner does not exist." }),
      Effect.flatMap((credentials) => printRecord(json, credentialsOf(credentials), credentialsText(credentials))),
      withPorts
    )
  })).pipe(
    Command.withDescription(
      "Create an API client for a partner and print its credentials. The secret is shown only once."
    ),
    Command.withShortDescription("Create an API client and print its secret"),
    Command.withExamples([{
      command: "lastro clients create --partner 0197f3a2-5b1c-7d3e-8f4a-9b0c1d2e3f40 --group operator",
      description: "Create a client that may originate loans"
    }])
  )

const list = Command.make("list", { json }, ({ json }) =>
  Effect.gen(function*() {
    const stored = yield* (yield* ApiClientRepository).listAll
    const records = stored.map(({ client_id, created_at, group_id, name, partner_id, revoked_at }) => ({
      client_id,
      name,
      partner_id,
      group: groupWithId(group_id).slug,
      created_at,
      revoked_at
    }))
    yield* printList(json, records, {
      empty: "There are no API clients. Create one: lastro clients create.",
      columns: {
        client_id: ({ client_id }) => client_id,
        partner_id: ({ partner_id }) => partner_id,
        group: ({ group }) => group,
        created_at: ({ created_at }) => created_at,
        revoked_at: ({ revoked_at }) => revoked_at ?? "active",
        name: ({ name }) => name
      }
    })
  }).pipe(withPorts)).pipe(
    Command.withDescription(
      "List all API clients, one per line, as tab-separated columns with a header: id, partner, group, creation time, " +
        "revocation time (active if not revoked), and name."
    ),
    Command.withShortDescription("List API clients"),
    Command.withExamples([{ command: "lastro clients list", description: "List the clients of the embedded database" }])
  )

const overlap = Flag.String("overlap").pipe(
  Flag.withDescription(
    "Time for which the old secret and its tokens stay valid, such as 90m, 24h or 7d, at most 30d; 0 ends them at once"
  ),
  Flag.withDefault("24h")
)

const readOverlap = (text: string) =>
  text === "0"
    ? Effect.succeed(Duration.zero)
    : Effect.catch(
      Effect.fromResult(duration("--overlap", text)),
      ({ problem }) => refuse(`--overlap ${problem}, or 0.`)
    )

const endsEarlier = Flag.Boolean("end-earlier").pipe(
  Flag.withDescription(
    "End an earlier secret that is still valid. Without this flag, the command fails while there is such a secret"
  ),
  Flag.withDefault(false)
)

const rotate = Command.make(
  "rotate",
  { clientId, endsEarlier, json, overlap },
  ({ clientId, endsEarlier, json, overlap }) =>
    Effect.gen(function*() {
      const duration = yield* readOverlap(overlap)
      const rotation = { overlap: duration, ends_earlier: endsEarlier }
      const { ended_earlier, ...credentials } = yield* rotateApiClient(clientId, rotation)
        .pipe(
          mapRefusals({
            EarlierSecretValid:
              "An earlier secret is still valid, programs may use it, and this rotation would end it. Nothing was changed. Move these " +
              "programs to the present secret or to another API client, and set --end-earlier; or end every old secret at once with --overlap 0.",
            NotFound: "The API client does not exist or is revoked.",
            OverlapMalformed: "--overlap must be at most 30d."
          }),
          withPorts
        )
      const lines = [
        ...ended_earlier ? ["An even older secret was still valid. It is no longer valid."] : [],
        Duration.isZero(duration)
          ? "The old secret and its tokens are no longer valid."
          : `The old secret and its tokens stay valid for ${overlap}.`
      ]
      yield* printRecord(
        json,
        { ...credentialsOf(credentials), ended_earlier, overlap_seconds: Duration.toSeconds(duration) },
        [credentialsText(credentials), ...lines].join("\n")
      )
    })
).pipe(
  Command.withDescription(
    "Replace the secret of an API client and print the new one. The old secret and its tokens stay valid for 24 hours, or for the time of " +
      "--overlap. Refuses to end an earlier secret that is still valid, unless --end-earlier or --overlap 0 is set."
  ),
  Command.withShortDescription("Replace the secret of an API client"),
  Command.withExamples([
    {
      command: "lastro clients rotate 01a20124-ce36-7599-bb37-4b101c9bfbab",
      description: "Replace a secret, and change the client's settings within 24 hours"
    },
    {
      command: "lastro clients rotate 01a20124-ce36-7599-bb37-4b101c9bfbab --overlap 0",
      description: "Replace a leaked secret: the old one ends at once"
    }
  ])
)

const revoke = Command.make(
  "revoke",
  { clientId, json, yes },
  ({ clientId, json, yes }) =>
    confirmChange(yes, `Revoke API client ${clientId} and end its tokens now?`).pipe(
      Effect.andThen(revokeApiClient(clientId)),
      mapRefusals({ NotFound: "The API client does not exist or is revoked." }),
      Effect.andThen(printRecord(json, { client_id: clientId, status: "revoked" }, `${clientId} is revoked.`)),
      withPorts
    )
).pipe(
  Command.withDescription("Revoke an API client permanently. Its secret and tokens become invalid immediately."),
  Command.withShortDescription("Revoke an API client"),
  Command.withExamples([{
    command: "lastro clients revoke 01a20124-ce36-7599-bb37-4b101c9bfbab",
    description: "Revoke a client"
  }])
)

export const clients = Command.make("clients").pipe(
  Command.withDescription("Create, list, rotate and revoke API clients"),
  Command.withSubcommands([create, list, rotate, revoke])
)
