import { Effect, Option, Redacted } from "effect"
import { Flag } from "effect/cli"
import { type CommandRefused, refuse } from "./refused.ts"
import { settings } from "./withPorts.ts"

/** A response of the API. `body` is its JSON, or undefined. */
export interface Reply {
  readonly status: number
  readonly body: unknown
}

/** Returns the value at a path of a response. Undefined if it is absent. */
export const valueAt = ({ body }: Pick<Reply, "body">, ...path: ReadonlyArray<string | number>): unknown =>
  path.reduce<unknown>((value, key) => Object(value)[key] as unknown, body)

/** A running server, called as one API client. */
export interface RemoteServer {
  readonly url: string
  /** Sends a request, which is a POST if it has a body. Renews an expired access token. */
  readonly call: (path: string, json?: unknown) => Effect.Effect<Reply, CommandRefused>
}

const text = (name: string, description: string) =>
  Flag.String(name).pipe(Flag.withDescription(description), Flag.optional)

/** The flags that select a running server and an API client. */
export const remoteFlags = {
  server: text("server", "URL of the running server. Default: the value of LASTRO_ISSUER"),
  token: text("token", "Access token, instead of an API client"),
  clientId: text("client-id", "Id of the API client. Default: the value of LASTRO_BOOTSTRAP_CLIENT_ID"),
  clientSecret: text("client-secret", "Secret of the API client. Default: the value of LASTRO_BOOTSTRAP_CLIENT_SECRET")
}

type RemoteOptions = { readonly [Name in keyof typeof remoteFlags]: Option.Option<string> }

/** Maximum time of a request in milliseconds. */
const timeoutMs = 20_000

/** Sends a request. Fails if no server answers. */
const send = (url: string, init: RequestInit): Effect.Effect<Reply, CommandRefused> =>
  Effect.catch(
    Effect.tryPromise(async (signal) => {
      const limit = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)])
      const response = await fetch(url, { ...init, redirect: "error", signal: limit })
      const content = await response.text()
      const isJson = response.headers.get("content-type")?.startsWith("application/json") === true
      return { status: response.status, body: isJson && content !== "" ? JSON.parse(content) as unknown : undefined }
    }),
    () => refuse(`No server answers at ${new URL(url).origin}. Start it, or pass its URL with --server.`)
  )

/** Sends a request with an access token and an optional JSON body. */
export const sendJson = (url: string, token: string, json?: unknown): Effect.Effect<Reply, CommandRefused> =>
  send(url, {
    headers: { authorization: `Bearer ${token}`, ...json === undefined ? {} : { "content-type": "application/json" } },
    ...json === undefined ? {} : { method: "POST", body: JSON.stringify(json) }
  })

/** Connects to the server that the flags select. The first call requests a token. */
export const openRemoteServer = Effect.fnUntraced(function*(options: RemoteOptions) {
  const { bootstrap, issuer } = yield* settings
  const url = Option.getOrElse(options.server, () => issuer).replace(/\/$/, "")
  if (!/^https?:\/\/./.test(url) || !URL.canParse(url)) return yield* refuse("--server must be an http or https URL.")
  const id = Option.getOrElse(options.clientId, () => bootstrap.client_id)
  const secret = Option.match(options.clientSecret, {
    onNone: () => bootstrap.client_secret && Redacted.value(bootstrap.client_secret),
    onSome: (given) => given
  })
  const issue = Effect.gen(function*() {
    if (Option.isSome(options.token)) return options.token.value
    if (id === undefined || secret === undefined) {
      return yield* refuse(
        "No API client is given. Pass --client-id and --client-secret, or set LASTRO_BOOTSTRAP_CLIENT_ID and " +
          "LASTRO_BOOTSTRAP_CLIENT_SECRET."
      )
    }
    const form = { grant_type: "client_credentials", client_id: id, client_secret: secret }
    const issued = yield* send(`${url}/api/v1/oauth/token`, { method: "POST", body: new URLSearchParams(form) })
    const token = valueAt(issued, "access_token")
    if (typeof token === "string") return token
    return yield* refuse(`${url} refused the API client with status ${issued.status}. Check its id and secret.`)
  })
  let known: string | undefined
  const call: RemoteServer["call"] = (path, json) =>
    Effect.gen(function*() {
      known ??= yield* issue
      const reply = yield* sendJson(`${url}${path}`, known, json)
      if (reply.status !== 401) return reply
      known = yield* issue
      return yield* sendJson(`${url}${path}`, known, json)
    })
  const server: RemoteServer = { url, call }
  return server
})

/** Fails with the status and the message of a response that is not a success. */
export const expectSuccess = (reply: Reply, what: string): Effect.Effect<Reply, CommandRefused> =>
  reply.status < 300
    ? Effect.succeed(reply)
    : refuse(`${what} got status ${reply.status}: ${String(valueAt(reply, "error", "message") ?? "no message")}`)
