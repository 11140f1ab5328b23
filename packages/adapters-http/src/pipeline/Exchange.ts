import { LruCache } from "@lastro/domain/values"
import { type Clock, Duration, type Effect, Option, Predicate, type Stream } from "effect"
import { type IpNetwork } from "effect/net"
import { type Slot } from "../admission/Slot.ts"
import { type Language, preferredLanguage } from "../errors/Language.ts"
import { clientAddress, clientNetwork } from "../limits/clientNetwork.ts"
import { type ForwardingWarning, forwardingWarning } from "../limits/warnOfForwarding.ts"
import { basePathOf } from "../security/parseIssuer.ts"
import { Deadlines, type RunningRequest } from "./RunningRequest.ts"

/** The settings that all requests of a server share. */
export interface ServerContext {
  /** Proxies whose `X-Forwarded-For` is trusted. */
  readonly trustedProxies: ReadonlyArray<IpNetwork.IpNetwork>
  /** The path prefix of the API in client URLs. It is empty, or starts with a slash. It never ends with a slash. */
  readonly basePath: string
  /** Maximum time of a request in milliseconds. */
  readonly timeLimit: number
  /** The warning about an ignored `X-Forwarded-For` header of an untrusted peer. Undefined: no warning. */
  readonly forwarding: ForwardingWarning | undefined
  readonly deadlines: Deadlines
}

/** Builds the context from the options of the API. Default of `requestTimeout`: 15 s. */
export const serverContextOf = (
  { issuer, requestTimeout = "15 seconds", trustedProxies = [] }: {
    /** Undefined if the server serves only documents. */
    readonly issuer?: string
    readonly requestTimeout?: Duration.Input | undefined
    readonly trustedProxies?: ReadonlyArray<IpNetwork.IpNetwork> | undefined
  }
): ServerContext => ({
  basePath: issuer === undefined ? "" : basePathOf(issuer),
  timeLimit: Duration.toMillis(Duration.fromInputUnsafe(requestTimeout)),
  trustedProxies,
  forwarding: issuer === undefined ? undefined : forwardingWarning(),
  deadlines: new Deadlines()
})

/**
 * A request in the form that the pipeline reads. Requests of Effect's HTTP server have this form. `NodeIncoming`
 * converts requests of Node's HTTP server to it.
 */
export interface Incoming {
  /** The request object of the platform, for example that of Node. */
  readonly source: object
  readonly method: string
  /** The path and query, without the mount prefix. */
  readonly url: string
  /** Header values by lower-case name. */
  readonly headers: Readonly<Record<string, string | undefined>>
  /** The peer address of the connection. */
  readonly remoteAddress: Option.Option<string>
  /** The whole body. */
  readonly arrayBuffer: Effect.Effect<ArrayBuffer, Error>
  /** The body in pieces. */
  readonly stream: Stream.Stream<Uint8Array, Error>
}

/** The path parameters as sent by the client, by their names in the API definition. */
export type PathParams = Readonly<Record<string, string | undefined>>

/** A request in the pipeline, with its context and the headers of its response. */
export interface Exchange {
  readonly request: Incoming
  readonly params: PathParams
  readonly request_id: string
  /** The path as sent, without query and base path. */
  readonly path: string
  /** The path prefix of the API in client URLs. */
  readonly basePath: string
  /** The rate-limit key of the client address, computed by `clientNetwork`. */
  readonly client: string
  /** Response headers by lower-case name. Every step of the pipeline may add some. */
  readonly headers: Record<string, string>
  /** The slot of the request. Undefined if the request needed none. */
  readonly slot: Slot | undefined
  readonly running: RunningRequest
  readonly clock: Clock.Clock
}

/** Headers of every response. They disable content sniffing and embedding by other origins. */
export const commonHeaders = {
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
  "referrer-policy": "no-referrer",
  "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
  "cross-origin-resource-policy": "same-origin"
}

/** Makes the {@link Exchange} of a request. */
export const makeExchange = (
  request: Incoming,
  params: PathParams,
  request_id: string,
  running: RunningRequest,
  slot: Slot | undefined,
  clock: Clock.Clock,
  server: ServerContext
): Exchange => ({
  request,
  params,
  request_id,
  path: pathOf(request.url),
  basePath: server.basePath,
  client: clientOf(request, server),
  headers: { ...commonHeaders, "x-request-id": request_id },
  slot,
  running,
  clock
})

export const pathOf = (url: string): string => {
  const end = url.indexOf("?")
  return end < 0 ? url : url.slice(0, end)
}

/** Returns whether a request is GET or HEAD. */
export const isRead = ({ method }: Pick<Incoming, "method">): boolean => method === "GET" || method === "HEAD"

/** Returns the preferred language of the caller. Call it only for messages, because each call parses the header. */
export const languageOf = ({ request }: Exchange): Language => preferredLanguage(request.headers["accept-language"])

/** The networks of recent peer addresses. Parsing an address takes longer than a lookup in this cache. */
const networks = new LruCache<string, string>(1_024)

/** Returns the network of a peer that is not a proxy. */
const networkOfPeer = (peer: string): string => {
  const known = networks.get(peer)
  if (known !== undefined) return known
  const network = clientNetwork(clientAddress(peer, undefined, []))
  networks.set(peer, network)
  return network
}

/** Returns the rate-limit key of the client of a request, computed by `clientNetwork`. */
const clientOf = ({ headers, remoteAddress }: Incoming, { trustedProxies }: ServerContext): string => {
  const peer = Option.getOrUndefined(remoteAddress)
  const forwardedFor = headers["x-forwarded-for"]
  return peer !== undefined && (forwardedFor === undefined || trustedProxies.length === 0)
    ? networkOfPeer(peer)
    : clientNetwork(clientAddress(peer, forwardedFor, trustedProxies))
}

/**
 * Returns the values of the `Host` headers. Compares the length of a name first, which is fast and excludes most names.
 */
const hostsOf = (rawHeaders: ReadonlyArray<unknown>): ReadonlyArray<unknown> => {
  const hosts: Array<unknown> = []
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index]
    if (typeof name === "string" && name.length === 4 && name.toLowerCase() === "host") {
      hosts.push(rawHeaders[index + 1])
    }
  }
  return hosts
}

/** The syntax of `Host` (RFC 9110 §7.2): a name, or an address in brackets, with an optional port. It may be empty. */
const hostSyntax = /^(?:[\w.~!$&'()*+,;=%-]*|\[[\da-f:.]+\])(?::\d*)?$/i

const hasHeaders = (source: object): boolean =>
  Predicate.hasProperty(source, "headers") && Object.keys(Object(source.headers)).length > 0

/**
 * Returns whether a request has exactly one valid `Host` header, as HTTP/1.1 requires (RFC 9112 §3.2). Returns true for
 * requests of the Fetch API and of other HTTP versions, which do not need it.
 */
export const hasValidHost = ({ source }: Incoming): boolean => {
  if (!Predicate.hasProperty(source, "rawHeaders") || !Array.isArray(source.rawHeaders)) return true
  // An adapter for serverless functions may create the request with headers, but without raw headers.
  if (source.rawHeaders.length === 0 && hasHeaders(source)) return true
  const [host, ...others] = hostsOf(source.rawHeaders)
  if (host !== undefined) return others.length === 0 && hostSyntax.test(String(host))
  return !(Predicate.hasProperty(source, "httpVersion") && source.httpVersion === "1.1")
}
