import { Effect, Redacted } from "effect"
import { HttpClient, HttpClientRequest } from "effect/http"
import { HttpApiClient } from "effect/http-api"
import { Api } from "./Api.ts"

/** Options of the typed client. */
export interface ClientOptions {
  /** Scheme, host and port: `https://api.example.com`. */
  readonly baseUrl: string
  /** Returns the access token for each request. Optional if you only call operations without a token. */
  readonly accessToken?: Effect.Effect<Redacted.Redacted>
  /** The language of error and rejection messages: `en` or `pt-BR`. Default: `en`. */
  readonly language?: string
}

/**
 * Creates a typed client of the API, with one function per operation, such as `client.partners.getPartner`. A function
 * succeeds with the response record, or fails with the error envelope. Requires an `HttpClient`, such as
 * `FetchHttpClient.layer`.
 */
export const makeClient = ({ accessToken, baseUrl, language }: ClientOptions) => {
  const withLanguage = (request: HttpClientRequest.HttpClientRequest) =>
    language === undefined ? request : HttpClientRequest.setHeader(request, "accept-language", language)
  const withToken = (request: HttpClientRequest.HttpClientRequest) =>
    accessToken === undefined
      ? Effect.succeed(request)
      : Effect.map(accessToken, (token) => HttpClientRequest.bearerToken(request, Redacted.value(token)))
  return HttpApiClient.make(Api, {
    baseUrl,
    transformClient: (client) =>
      client.pipe(HttpClient.mapRequest(withLanguage), HttpClient.mapRequestEffect(withToken))
  })
}
