import { layerWebhookSender, parseSecretsKeys } from "@lastro/adapters-http/webhook"
import { PersonalDataHasher } from "@lastro/domain/audit"
import { type DomainEvent, EventLog, parseEventTypes } from "@lastro/domain/event"
import { PartnerTree } from "@lastro/domain/ports"
import { currentTimestamp } from "@lastro/domain/values"
import { WebhookSender } from "@lastro/domain/webhook"
import { Console, Effect, Layer, Option, Result } from "effect"
import { Command, Flag } from "effect/cli"
import { IpNetwork } from "effect/net"
import { randomBytes } from "node:crypto"
import { json } from "./records.ts"
import { type CommandRefused, readPartnerId, refuse, reportFinding } from "./refused.ts"
import { expectSuccess, fieldOf, openRemoteServer, remoteFlags, type RemoteServer } from "./RemoteServer.ts"
import { exitWithSuccess } from "./serve.ts"
import { withPorts } from "./withPorts.ts"

/** Reads the events after a sequence. */
type ReadFeed<R> = (
  after: number,
  options: { readonly types?: string; readonly limit: number }
) => Effect.Effect<{ readonly events: ReadonlyArray<DomainEvent>; readonly next: number }, CommandRefused, R>

/** Maximum number of events per read. */
const batch = 100

/** The pause before the next read of a feed without new events. */
const pause = "500 millis"

/** A rare type of event. A read that is limited to this type passes over most of the feed. */
const rareType = "client.revoked"

/** Returns the sequence of the last event of a feed. */
const endOf = Effect.fnUntraced(function*<R>(read: ReadFeed<R>) {
  for (let after = 0;;) {
    const { next } = yield* read(after, { types: rareType, limit: 1_000 })
    if (next === after) return after
    after = next
  }
})

/** Sends to any address, and to this machine also by `http`. The signing secret is generated for this run. */
const layerSender = Layer.suspend(() =>
  layerWebhookSender({
    secretsKeys: Result.getOrThrow(parseSecretsKeys(randomBytes(32).toString("base64"))),
    allow: ["0.0.0.0/0", "::/0"].map((block) => IpNetwork.fromStringUnsafe(block)),
    isLoopbackAllowed: true
  })
).pipe(Layer.provide(Layer.succeed(PersonalDataHasher, PersonalDataHasher.of({ hash: Effect.succeed }))))

/** Fails if the sender cannot send to this URL. */
const checkUrl = (sender: WebhookSender["Service"], url: string) =>
  sender.refusalOf(url) === undefined
    ? Effect.void
    : refuse("--forward-to must be an https URL, or an http URL of this machine, without user and password.")

/** Forwards the events of a feed until the command is interrupted. */
const forward = Effect.fnUntraced(function*<R>(
  read: ReadFeed<R>,
  url: string,
  { after, from, json, types }: {
    readonly after: Option.Option<number>
    readonly from: string
    readonly json: boolean
    readonly types?: string
  }
) {
  const print = (record: object, text: string) => Console.log(json ? JSON.stringify(record) : text)
  const sender = yield* WebhookSender
  yield* checkUrl(sender, url)
  const secret = yield* sender.newSecret
  let last = Option.isSome(after) ? after.value : yield* endOf(read)
  yield* print(
    { from, forward_to: url, after: last, secret: secret.shown },
    `Forwarding events of ${from} to ${url}, after sequence ${last}.\nsecret  ${secret.shown}\n`
  )
  const send = Effect.fnUntraced(function*(event: DomainEvent) {
    const body = JSON.stringify(event)
    const at = yield* currentTimestamp
    const answer = yield* sender.send({ event_id: event.event_id, url, secrets: [secret.sealed], body, at })
    // Set for each event, because an interrupted command prints the sequence of the last one that was sent.
    last = event.sequence
    const outcome = answer.kind === "ANSWERED" ? answer.status : answer.reason
    const { duration_ms } = answer
    const { event_id, sequence, type } = event
    yield* print({ at, event_id, sequence, type, outcome, duration_ms }, [at, type, outcome, duration_ms].join("\t"))
  })
  const step = Effect.gen(function*() {
    const { events, next } = yield* read(last, types === undefined ? { limit: batch } : { types, limit: batch })
    yield* Effect.forEach(events, send, { discard: true })
    const isAtEnd = next === last && events.length === 0
    last = next
    if (isAtEnd) yield* Effect.sleep(pause)
  })
  // After a server restart, continue from the last sequence.
  const stepOrPause = Effect.catch(
    step,
    (refused) => Effect.andThen(Console.error(refused.message), Effect.sleep("2 seconds"))
  )
  const end = Effect.andThen(
    exitWithSuccess,
    Effect.suspend(() => print({ after: last }, `\nStopped after sequence ${last}. Continue with --after ${last}.`))
  )
  return yield* Effect.onInterrupt(Effect.forever(stepOrPause), () => end)
})

const flags = {
  url: Flag.String("forward-to").pipe(Flag.withDescription("URL that receives the events")),
  types: Flag.String("types").pipe(
    Flag.withDescription("Types and groups, separated by commas, such as proposal.*. Default: all"),
    Flag.optional
  ),
  after: Flag.Int("after").pipe(
    Flag.withDescription("Sequence after which to begin; 0: with the oldest event. Default: new events only"),
    Flag.filter((value) => value >= 0, () => "at least 0"),
    Flag.optional
  ),
  partner: Flag.String("partner").pipe(
    Flag.withDescription("Id of a partner: read its events from the configured database instead of a server"),
    Flag.optional
  ),
  json: json.pipe(Flag.withDescription("Print one JSON value on each line")),
  ...remoteFlags
}

const readTypes = (types = "") =>
  Result.match(parseEventTypes(types), {
    onFailure: () => refuse("--types contains an unknown type or group. docs/events.md lists them."),
    onSuccess: (known) => Effect.succeed(known)
  })

/** Returns the feed of a partner in the configured database. */
const feedOfPartner = Effect.fnUntraced(function*(partner: string) {
  const id = yield* readPartnerId(partner)
  const place = yield* (yield* PartnerTree).findPlace(id)
  if (Option.isNone(place)) return yield* reportFinding("The partner does not exist.")
  const log = yield* EventLog
  const read: ReadFeed<never> = (after, { limit, types }) =>
    Effect.flatMap(
      readTypes(types),
      (known) =>
        Effect.catchTag(
          log.read(id, place.value.root_id, { after, limit, ...known === undefined ? {} : { types: known } }),
          "EventsExpired",
          ({ oldest }) => refuse(`Events after this sequence were deleted because of their age. Use --after ${oldest}.`)
        )
    )
  return read
})

/** Returns the feed of a running server. */
const feedOfServer = (server: RemoteServer): ReadFeed<never> => (after, { limit, types = "" }) =>
  Effect.gen(function*() {
    const query = new URLSearchParams({ after: String(after), limit: String(limit), types })
    const reply = yield* expectSuccess(yield* server.call(`/api/v1/events?${query}`), "The feed of events")
    return {
      events: fieldOf(reply, "data") as ReadonlyArray<DomainEvent>,
      next: Number(fieldOf(reply, "next"))
    }
  })

/** Forwards the events of a running server to a URL, to develop a receiver. */
export const listen = Command.make("listen", flags, ({ after, json, partner, types, url, ...remote }) => {
  const options = { after, json, ...Option.isSome(types) ? { types: types.value } : {} }
  const forwardFromServer = Effect.flatMap(
    openRemoteServer(remote),
    (server) => forward(feedOfServer(server), url, { ...options, from: server.url })
  )
  const forwardFromDatabase = (id: string) =>
    withPorts(Effect.flatMap(feedOfPartner(id), (read) => forward(read, url, { ...options, from: `partner ${id}` })))
  const forwarding = Option.match(partner, { onNone: () => forwardFromServer, onSome: forwardFromDatabase })
  const checkTypes = readTypes(Option.getOrUndefined(types))
  return Effect.scoped(Effect.andThen(checkTypes, Effect.provide(forwarding, layerSender)))
}).pipe(
  Command.withDescription(
    "Forward the events of a running server to a URL on this machine, signed as the server signs webhooks. Prints the secret, then " +
      "one line for each event, as tab-separated columns: time, type, status or reason of the failure, and milliseconds. A failed " +
      "delivery is not repeated. Ends with Ctrl-C, and prints the last sequence."
  ),
  Command.withShortDescription("Forward events to a receiver in development"),
  Command.withExamples([
    {
      command: "lastro listen --forward-to http://127.0.0.1:4000/webhooks",
      description: "Forward new events to a receiver on this machine"
    },
    {
      command: "lastro listen --forward-to http://127.0.0.1:4000/webhooks --types 'proposal.*' --after 0",
      description: "Forward every event of proposals, the oldest first"
    }
  ])
)
