import { Effect, Option, Ref } from "effect"
import { HttpClient, type HttpClientError, HttpClientRequest, HttpClientResponse } from "effect/http"

/** A version of the lender protocol. */
export type ProtocolVersion = 1 | 2

const header = "lastro-lender-protocol"

const versionOf = ({ headers }: HttpClientResponse.HttpClientResponse): ProtocolVersion =>
  headers[header] === "2" ? 2 : 1

/** A reference that no contract has. Reading it is the cheapest request that every lender answers. */
export const probeReference = "lastro-protocol"

/**
 * Returns whether a status shows that the lender processed the request. Redirects, rejected credentials and outages do
 * not.
 */
const isProcessed = (status: number): boolean =>
  status < 300 || status >= 400 && status < 500 && ![401, 403, 407, 408, 425, 429].includes(status)

type Decode<A, E> = (response: HttpClientResponse.HttpClientResponse) => Effect.Effect<A, E>

/** Detects the protocol version of one lender from its responses, and remembers it in this process. */
export interface LenderProtocol {
  /** An HTTP client that offers version 2 with each request, and remembers if a response has version 2. */
  readonly client: HttpClient.HttpClient
  /** Decodes a response with the schemas of its version, and remembers that version. */
  readonly decodeByVersion: <A, B, E1, E2>(
    v1: Decode<A, E1>,
    v2: Decode<B, E2>
  ) => (response: HttpClientResponse.HttpClientResponse) => Effect.Effect<A | B, E1 | E2>
  /** Returns the last detected version. None if no response has shown it yet. */
  readonly seen: Effect.Effect<Option.Option<ProtocolVersion>>
  /**
   * Returns the last detected version. If there is none, runs `probe`, and returns the version of its response. Check
   * the response with {@link checkProbe}.
   */
  readonly version: <E>(
    probe: Effect.Effect<HttpClientResponse.HttpClientResponse, E>
  ) => Effect.Effect<ProtocolVersion, E>
}

/** Fails if the response to a probe does not show the version reliably. */
export const checkProbe = (
  response: HttpClientResponse.HttpClientResponse
): Effect.Effect<HttpClientResponse.HttpClientResponse, HttpClientError.HttpClientError> =>
  HttpClientResponse.filterStatus(response, (status) => versionOf(response) === 2 || isProcessed(status))

/**
 * Detects the protocol version of a lender. A response with the version header has version 2. A valid response without
 * it has version 1. Any other response without it shows nothing, because a proxy may have sent it.
 */
export const makeLenderProtocol = (transport: HttpClient.HttpClient): LenderProtocol => {
  const seen = Ref.makeUnsafe(Option.none<ProtocolVersion>())
  const remember = (version: ProtocolVersion) => Ref.set(seen, Option.some(version))
  return {
    client: transport.pipe(
      HttpClient.mapRequest(HttpClientRequest.setHeader(header, "2")),
      HttpClient.tap((response) => versionOf(response) === 2 ? remember(2) : Effect.void)
    ),
    decodeByVersion: (v1, v2) => (response) => {
      if (versionOf(response) === 2) return v2(response)
      return Effect.tap(v1(response), () => remember(1))
    },
    seen: Ref.get(seen),
    version: (probe) =>
      Effect.flatMap(
        Ref.get(seen),
        (known) => Option.isSome(known) ? Effect.succeed(known.value) : Effect.map(probe, versionOf)
      )
  }
}
