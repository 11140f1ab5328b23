import {
  ApiClientRepository,
  createApiClient,
  groupWithId,
  parseUuid,
  type PartnerId,
  revokeApiClient,
  rotateApiClient
} from "@lastro/domain"
import { Console, Effect, Redacted, Result } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { refused, refusedAs } from "./refused.ts"
import { withPorts } from "./withPorts.ts"

const clientId = Argument.String("client-id").pipe(Argument.withDescription("The client's id"))

const printSecret = (
  { client, secret }: { readonly client: { readonly client_id: string }; readonly secret: Redacted.Redacted }
) =>
  Console.log(
    `client_id      ${client.client_id}\nclient_secret  ${Redacted.value(secret)}\n\nThe secret is shown this once.`
  )

const create = Command.make("create", {
  partner: Flag.String("partner").pipe(Flag.withDescription("The id of the partner it acts for")),
  group: Flag.Literals("group", ["admin", "manager", "operator", "viewer"]).pipe(
    Flag.withDescription("What it may do")
  )
}, ({ group, partner }) =>
  Effect.gen(function*() {
    const id = parseUuid(partner)
    if (Result.isFailure(id)) return yield* refused("The id of a partner is a UUID.")
    return yield* createApiClient(id.success as PartnerId, group).pipe(
      refusedAs({ NotFound: "There is no such partner." }),
      Effect.flatMap(printSecret),
      withPorts
    )
  })).pipe(Command.withDescription("Makes an API client and prints its secret, this once"))

const list = Command.make("list", {}, () =>
  Effect.gen(function*() {
    for (
      const { client_id, created_at, group_id, partner_id, revoked_at } of yield* (yield* ApiClientRepository).list
    ) {
      yield* Console.log(
        [client_id, partner_id, groupWithId(group_id).slug, created_at, revoked_at ?? "active"].join("\t")
      )
    }
  }).pipe(withPorts)).pipe(Command.withDescription("Lists API clients: id, partner, group, created, revoked"))

const rotate = Command.make("rotate", { clientId }, ({ clientId }) =>
  rotateApiClient(clientId).pipe(
    refusedAs({ NotFound: "There is no such client, or it is revoked." }),
    Effect.flatMap(printSecret),
    withPorts
  )).pipe(Command.withDescription("Gives a client a new secret; the old one and its tokens end at once"))

const revoke = Command.make("revoke", { clientId }, ({ clientId }) =>
  revokeApiClient(clientId).pipe(
    refusedAs({ NotFound: "There is no such client, or it is revoked." }),
    Effect.andThen(Console.log(`${clientId} is revoked.`)),
    withPorts
  )).pipe(Command.withDescription("Ends a client; its tokens end at once"))

/** Manages API clients. */
export const clients = Command.make("clients").pipe(
  Command.withDescription("Makes, lists, rotates and revokes API clients"),
  Command.withSubcommands([create, list, rotate, revoke])
)
