import { Effect, Redacted } from "effect"
import { HttpClient, HttpClientRequest } from "effect/http"
import { HttpApiClient } from "effect/http-api"
import { Api } from "./Api.ts"

/** Where the API is and how its client proves itself. */
export interface ClientOptions {
  /** Scheme, host and port, as in `https://api.example.com`. */
  readonly baseUrl: string
  /** Gives the access token of each request; absent for the operations that need none. */
  readonly accessToken?: Effect.Effect<Redacted.Redacted>
  /** The language of the messages of errors: `en` or `pt-BR`. */
  readonly language?: string
}

/**
 * A typed client of the API: a function for each operation, by group and name, which succeeds with the record it answers
 * and fails with the error envelope. Needs an `HttpClient`, such as `FetchHttpClient.layer`.
 */
export const makeClient = ({ accessToken, baseUrl, language }: ClientOptions) =>
  HttpApiClient.make(Api, {
    baseUrl,
    transformClient: (client) =>
      client.pipe(
        HttpClient.mapRequest((request) =>
          language === undefined ? request : HttpClientRequest.setHeader(request, "accept-language", language)
        ),
        HttpClient.mapRequestEffect((request) =>
          accessToken === undefined
            ? Effect.succeed(request)
            : Effect.map(accessToken, (token) => HttpClientRequest.bearerToken(request, Redacted.value(token)))
        )
      )
  })
