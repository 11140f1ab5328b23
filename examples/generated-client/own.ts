import { makeClient } from "@lastro/adapters-http/api"
import { Effect, Redacted } from "effect"
import { FetchHttpClient } from "effect/http"
import type { Access } from "./generated.ts"

/**
 * Signs in with the client secret. Each operation is an Effect that succeeds with the record or fails with the error.
 */
export const signIn = ({ baseUrl, client_id, client_secret }: Access) =>
  Effect.gen(function*() {
    const anonymous = yield* makeClient({ baseUrl })
    const { access_token } = yield* anonymous.token.issueToken({
      payload: { grant_type: "client_credentials", client_id, client_secret }
    })
    return yield* makeClient({ baseUrl, accessToken: Effect.succeed(Redacted.make(access_token)) })
  }).pipe(Effect.provide(FetchHttpClient.layer))
