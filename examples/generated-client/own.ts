import { makeClient } from "@lastro/adapters-http/api"
import { Effect, Redacted } from "effect"
import { FetchHttpClient } from "effect/http"
import type { Access } from "./generated.ts"

/** Our own typed client, signed in by its secret: each operation is an Effect that answers the record or fails with the refusal. */
export const signIn = ({ baseUrl, client_id, client_secret }: Access) =>
  Effect.gen(function*() {
    const anonymous = yield* makeClient({ baseUrl })
    const { access_token } = yield* anonymous.token.issueToken({
      payload: { grant_type: "client_credentials", client_id, client_secret }
    })
    return yield* makeClient({ baseUrl, accessToken: Effect.succeed(Redacted.make(access_token)) })
  }).pipe(Effect.provide(FetchHttpClient.layer))
