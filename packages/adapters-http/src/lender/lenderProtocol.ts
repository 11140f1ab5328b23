import { Effect, Option, Ref } from "effect"
import { HttpClient, type HttpClientError, HttpClientRequest, HttpClientResponse } from "effect/http"

/** A version of the lender protocol. */
export type ProtocolVersion = 1 | 2

const header = "lastro-lender-protocol"

/** Returns the version with which the lender answered. */
const versionOf = ({ headers }: HttpClientResponse.HttpClientResponse): ProtocolVersion =>
  headers[header] === "2" ? 2 : 1

/** A reference that no contract has. Reading it is the cheapest request that every lender answers. */
export const probeReference = "lastro-protocol"

/** Returns whether a status shows that the lender has read the request. A redirect, a refused credential and an outage do not. */
const isRead = (status: number): boolean =>
  status < 300 || status >= 400 && status < 500 && ![401, 403, 407, 408, 425, 429].includes(status)

type Decode<A, E> = (response: HttpClientResponse.HttpClientResponse) => Effect.Effect<A, E>

/** The version of one lender, as far as this process has seen it. */
export interface LenderProtocol {
  /** Offers version 2 with each request, and remembers a lender that speaks it. */
  readonly client: HttpClient.HttpClient
  /** Decodes a response with the schemas of the version that it was sent with, and remembers the version. */
  readonly decode: <A, B, E1, E2>(
    v1: Decode<A, E1>,
    v2: Decode<B, E2>
  ) => (response: HttpClientResponse.HttpClientResponse) => Effect.Effect<A | B, E1 | E2>
  /** Returns the last seen version. None if no response has shown one. */
  readonly seen: Effect.Effect<Option.Option<ProtocolVersion>>
  /** Returns the last seen version. If there is none, runs `probe`, whose response shows it ({@link checkProbe}). */
  readonly version: <E>(
    probe: Effect.Effect<HttpClientResponse.HttpClientResponse, E>
  ) => Effect.Effect<ProtocolVersion, E>
}

/** Fails if a response to the probe does not show the version. */
export const checkProbe = (
  response: HttpClientResponse.HttpClientResponse
): Effect.Effect<HttpClientResponse.HttpClientResponse, HttpClientError.HttpClientError> =>
  HttpClientResponse.filterStatus(response, (status) => versionOf(response) === 2 || isRead(status))

/**
 * Tracks the version of a lender. A response with the header shows version 2. A valid answer without the header shows version 1. Any
 * other response without the header is not remembered, because a proxy may have sent it.
 */
export const makeLenderProtocol = (transport: HttpClient.HttpClient): LenderProtocol => {
  const seen = Ref.makeUnsafe(Option.none<ProtocolVersion>())
  const see = (version: ProtocolVersion) => Ref.set(seen, Option.some(version))
  return {
    client: transport.pipe(
      HttpClient.mapRequest(HttpClientRequest.setHeader(header, "2")),
      HttpClient.tap((response) => versionOf(response) === 2 ? see(2) : Effect.void)
    ),
    decode: (v1, v2) => (response) => versionOf(response) === 2 ? v2(response) : Effect.tap(v1(response), () => see(1)),
    seen: Ref.get(seen),
    version: (probe) =>
      Effect.flatMap(
        Ref.get(seen),
        (known) => Option.isSome(known) ? Effect.succeed(known.value) : Effect.map(probe, versionOf)
      )
  }
}
