import { Effect } from "effect"
import { at, type Reply, send, type Sent } from "../../../../packages/adapters-http/test/client.ts"
import { credentials, type RunningServer } from "./serving.ts"

export { at, type Reply, type Sent }

/** Sends a request to a server. A `body` is JSON. */
export const ask = ({ url }: Pick<RunningServer, "url">, path: string, sent: Sent = {}): Effect.Effect<Reply> =>
  send(url)(
    path,
    sent.body === undefined ? sent : { ...sent, headers: { "content-type": "application/json", ...sent.headers } }
  )

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
