import { Effect, Redacted } from "effect"
import { HttpClient, HttpClientRequest } from "effect/http"
import { HttpApiClient } from "effect/http-api"
import { Api } from "./Api.ts"

/** Options of the typed client. */
export interface ClientOptions {
  /** Scheme, host and port: `https://api.example.com`. */
  readonly baseUrl: string
  /** Provides the access token of each request. You can omit it if you only call operations that require no token. */
  readonly accessToken?: Effect.Effect<Redacted.Redacted>
  /** The language of messages of errors and rejections: `en` or `pt-BR`. Default: `en`. */
  readonly language?: string
}

/**
 * Creates a typed client of the API. It has one function for each operation, such as `client.partners.getPartner`. Each
 * function succeeds with the response record or fails with the error envelope. Requires an `HttpClient`, such as
 * `FetchHttpClient.layer`.
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
