import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { createRemoteJWKSet, jwtVerify } from "jose"
import {
  allowInsecureRequests,
  type ClientAuth,
  clientCredentialsGrant,
  ClientSecretBasic,
  ClientSecretPost,
  type Configuration,
  discovery,
  fetchProtectedResource,
  genericGrantRequest,
  None,
  refreshTokenGrant,
  ResponseBodyError,
  tokenRevocation
} from "openid-client"
import { migratedDatabase } from "../../../packages/adapters-sql/test/postgres.ts"
import { changeFirstPassword } from "./running/asking.ts"
import { serveInProcess } from "./running/inProcess.ts"
import { freePort } from "./running/machine.ts"
import { credentials, onPostgres } from "./running/serving.ts"

const { LASTRO_BOOTSTRAP_CLIENT_ID: id, LASTRO_BOOTSTRAP_CLIENT_SECRET: secret } = credentials

const discovered = (url: string, client: string, auth: ClientAuth): Promise<Configuration> =>
  discovery(new URL(url), client, undefined, auth, { algorithm: "oauth2", execute: [allowInsecureRequests] })

const codeOf = (error: unknown): string => error instanceof ResponseBodyError ? error.error : String(error)

/** An API client signs in, an independent verifier checks its token, and it calls the API within its scope. */
const machine = async (url: string, auth: ClientAuth): Promise<void> => {
  const client = await discovered(url, id, auth)
  const { access_token, expires_in, refresh_token } = await clientCredentialsGrant(client, { scope: "partners:read" })
  assert.strictEqual(expires_in, 900)
  assert.isUndefined(refresh_token)
  const { jwks_uri = "" } = client.serverMetadata()
  const { payload, protectedHeader } = await jwtVerify(access_token, createRemoteJWKSet(new URL(jwks_uri)), {
    issuer: url,
    audience: url,
    typ: "at+jwt",
    algorithms: ["ES256"]
  })
  assert.isString(protectedHeader.kid)
  assert.deepStrictEqual([payload.sub, payload["client_id"], payload["scope"]], [id, id, "partners:read"])
  const get = (path: string) => fetchProtectedResource(client, access_token, new URL(path, url), "GET")
  assert.strictEqual((await get("/api/v1/partners")).status, 200)
  assert.strictEqual((await get("/api/v1/users")).status, 403)
}

/** A user signs in, refreshes the token and signs out. */
const person = async (url: string, password: string): Promise<void> => {
  const app = await discovered(url, "lastro", None())
  const first = await genericGrantRequest(app, "password", {
    username: credentials.LASTRO_BOOTSTRAP_ADMIN_EMAIL,
    password
  })
  const second = await refreshTokenGrant(app, first.refresh_token ?? "")
  const me = await fetchProtectedResource(app, second.access_token, new URL("/api/v1/users/me", url), "GET")
  assert.strictEqual(me.status, 200)
  await tokenRevocation(app, second.refresh_token ?? "")
  assert.strictEqual(await refreshTokenGrant(app, second.refresh_token ?? "").catch(codeOf), "invalid_grant")
}

describe("a stock OAuth 2 client", () => {
  it.live("discovers, signs in, verifies its token, calls the API, refreshes and revokes", () =>
    Effect.gen(function*() {
      const port = yield* freePort
      const url = `http://127.0.0.1:${port}`
      yield* serveInProcess({ ...onPostgres(yield* migratedDatabase), PORT: String(port), LASTRO_ISSUER: url })
      yield* Effect.promise(() => machine(url, ClientSecretBasic(secret)))
      yield* Effect.promise(() => machine(url, ClientSecretPost(secret)))
      const password = yield* changeFirstPassword({ url })
      yield* Effect.promise(() => person(url, password))
      const wrong = yield* Effect.promise(() => discovered(url, id, ClientSecretPost("wrong")))
      const code = yield* Effect.promise(() => clientCredentialsGrant(wrong).catch(codeOf))
      assert.strictEqual(code, "invalid_client")
    }))
})
