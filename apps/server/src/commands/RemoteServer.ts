import { Effect, Option, Redacted } from "effect"
import { Flag } from "effect/cli"
import { type CommandRefused, refuse } from "./refused.ts"
import { settings } from "./withPorts.ts"

/** A response. `body` is its JSON, or undefined if it is not JSON. */
export interface Reply {
  readonly status: number
  readonly body: unknown
}

/** Returns the value at a path of a response's body. Undefined if it is absent. */
export const fieldOf = ({ body }: Pick<Reply, "body">, ...path: ReadonlyArray<string | number>): unknown =>
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

const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Sends a request. Follows no redirect. Fails if no server answers. */
const send = (url: string, init: RequestInit): Effect.Effect<Reply, CommandRefused> =>
  Effect.catch(
    Effect.tryPromise(async (signal) => {
      const limit = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)])
      const response = await fetch(url, { ...init, redirect: "manual", signal: limit })
      return { status: response.status, body: parseJson(await response.text()) }
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
    if (issued.status === 400 || issued.status === 401) {
      return yield* refuse(`${url} refused the API client with status ${issued.status}. Check its id and secret.`)
    }
    return String(fieldOf(yield* expectSuccess(issued, "The access token"), "access_token"))
  })
  let token: string | undefined
  const call: RemoteServer["call"] = (path, json) =>
    Effect.gen(function*() {
      token ??= yield* issue
      const reply = yield* sendJson(`${url}${path}`, token, json)
      if (reply.status !== 401 || Option.isSome(options.token)) return reply
      token = yield* issue
      return yield* sendJson(`${url}${path}`, token, json)
    })
  const server: RemoteServer = { url, call }
  return server
})

/** Fails with the status and the message of a response that is not a success with JSON. */
export const expectSuccess = (reply: Reply, what: string): Effect.Effect<Reply, CommandRefused> => {
  if (reply.status < 300 && reply.body !== undefined) return Effect.succeed(reply)
  const message = fieldOf(reply, "error", "message") ?? fieldOf(reply, "error_description")
  const got = `${what} got status ${reply.status}`
  return refuse(
    message === undefined ? `${got} and no message of the API. Check --server.` : `${got}: ${String(message)}`
  )
}
