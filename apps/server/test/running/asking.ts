import { Effect } from "effect"
import { credentials, type RunningServer } from "./serving.ts"

/** A response. `body` is its JSON; undefined without one. */
export interface Reply {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  readonly body: unknown
}

/** A request. Sends `json` as JSON, `form` as form fields, or `body` unchanged. */
export interface Sent {
  readonly method?: string
  readonly token?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly json?: unknown
  readonly form?: Readonly<Record<string, string>>
  readonly body?: string
}

const contentOf = ({ body, form, json }: Sent): { readonly type?: string; readonly body?: string } =>
  body !== undefined
    ? { type: "application/json", body }
    : json !== undefined
    ? { type: "application/json", body: JSON.stringify(json) }
    : form === undefined
    ? {}
    : { type: "application/x-www-form-urlencoded", body: new URLSearchParams(form).toString() }

/** Sends a request to a server. */
export const ask = ({ url }: Pick<RunningServer, "url">, path: string, sent: Sent = {}): Effect.Effect<Reply> =>
  Effect.promise(async (signal) => {
    const { body, type } = contentOf(sent)
    const response = await fetch(`${url}${path}`, {
      method: sent.method ?? (body === undefined ? "GET" : "POST"),
      headers: {
        ...(type === undefined ? {} : { "content-type": type }),
        ...(sent.token === undefined ? {} : { authorization: `Bearer ${sent.token}` }),
        ...sent.headers
      },
      ...(body === undefined ? {} : { body }),
      signal
    })
    const text = await response.text()
    const isJson = response.headers.get("content-type")?.startsWith("application/json") === true
    return {
      status: response.status,
      headers: response.headers,
      text,
      body: isJson && text !== "" ? JSON.parse(text) as unknown : undefined
    }
  })

/** The value at a path of the response JSON; undefined if absent. */
export const at = ({ body }: Reply, ...path: ReadonlyArray<string | number>): unknown =>
  path.reduce<unknown>((value, key) => Object(value)[key] as unknown, body)

/** Signs in an API client and returns the token response. */
export const signIn = (
  server: Pick<RunningServer, "url">,
  client_id: string = credentials.LASTRO_BOOTSTRAP_CLIENT_ID,
  client_secret: string = credentials.LASTRO_BOOTSTRAP_CLIENT_SECRET
): Effect.Effect<Reply> =>
  ask(server, "/api/v1/oauth/token", { form: { grant_type: "client_credentials", client_id, client_secret } })

/** Signs in a user with a password and returns the token response. */
export const logIn = (
  server: Pick<RunningServer, "url">,
  username: string = credentials.LASTRO_BOOTSTRAP_ADMIN_EMAIL,
  password: string = credentials.LASTRO_BOOTSTRAP_ADMIN_PASSWORD
): Effect.Effect<Reply> => ask(server, "/api/v1/oauth/token", { form: { grant_type: "password", username, password } })

/** The subject of an access token. */
const subjectOf = (token: string): string =>
  (JSON.parse(Buffer.from(token.split(".")[1] ?? "", "base64url").toString()) as { readonly sub: string }).sub

/** Sets another password for the first administrator, who can do nothing else before. Returns the new password. */
export const changeFirstPassword = (
  server: Pick<RunningServer, "url">,
  username: string = credentials.LASTRO_BOOTSTRAP_ADMIN_EMAIL,
  current_password: string = credentials.LASTRO_BOOTSTRAP_ADMIN_PASSWORD
): Effect.Effect<string> =>
  Effect.gen(function*() {
    const token = tokenOf(yield* logIn(server, username, current_password))
    const password = "another long enough password"
    yield* ask(server, `/api/v1/users/${subjectOf(token)}`, {
      method: "PATCH",
      token,
      json: { current_password, password }
    })
    return password
  })

/** The access token of a token response. */
export const tokenOf = (reply: Reply): string => String(at(reply, "access_token"))

/** Repeats a request that the server refuses with 503 and `Retry-After`, because it is busy. Returns OUTCOME_UNKNOWN at once. */
export const patiently = (request: Effect.Effect<Reply>): Effect.Effect<Reply> =>
  Effect.flatMap(
    request,
    (reply) =>
      reply.status === 503 && at(reply, "error", "code") !== "OUTCOME_UNKNOWN"
        ? Effect.andThen(
          Effect.sleep(`${Number(reply.headers.get("retry-after") ?? 1)} seconds`),
          patiently(request)
        )
        : Effect.succeed(reply)
  )
