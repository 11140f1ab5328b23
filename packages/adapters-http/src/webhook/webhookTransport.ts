import { errorCode } from "@lastro/domain/values"
import { type WebhookFault } from "@lastro/domain/webhook"
import { Effect, Option, Predicate } from "effect"
import { type NetAddress } from "effect/net"
import { type LookupAddress, promises as dns } from "node:dns"
import { Agent, type OutgoingHttpHeaders, request as requestHttp } from "node:http"
import { Agent as EncryptedAgent, request as requestHttps } from "node:https"
import { type LookupFunction } from "node:net"
import { parseAddress } from "../lender/lenderAddress.ts"
import { acquireAgent, failure } from "../lender/lenderTransport.ts"
import { isLocalName } from "./webhookAddress.ts"

/** Resolves a host name to all of its addresses. Rejects with an error that has a code. */
export type ResolveName = (name: string) => Promise<ReadonlyArray<LookupAddress>>

const notFound: ReadonlySet<string | undefined> = new Set(["ENODATA", "ENOTFOUND"])

const localAddresses: ReadonlyArray<LookupAddress> = [
  { address: "127.0.0.1", family: 4 },
  { address: "::1", family: 6 }
]

const withFamily = (family: 4 | 6, addresses: Promise<ReadonlyArray<string>>) =>
  addresses.then((found) => found.map((address): LookupAddress => ({ address, family })))

/**
 * Resolves a name by DNS with a timeout. If DNS does not have the name, uses the resolver of the system, which also
 * reads the hosts file. It is not used first, because it occupies one of few threads while name servers do not answer.
 */
export const resolveByDns: ResolveName = async (name) => {
  if (isLocalName({ hostname: name })) return localAddresses
  // A resolver reads the addresses of the name servers when it is created.
  const resolver = new dns.Resolver({ timeout: 2_000, tries: 2 })
  const lookups = await Promise.allSettled([
    withFamily(4, resolver.resolve4(name)),
    withFamily(6, resolver.resolve6(name))
  ])
  const addresses = lookups.flatMap((lookup) => lookup.status === "fulfilled" ? lookup.value : [])
  if (addresses.length > 0) return addresses
  const failed = lookups.find((lookup) => lookup.status === "rejected" && !notFound.has(errorCode(lookup.reason)))
  if (failed?.status === "rejected") throw failed.reason
  return dns.lookup(name, { all: true })
}

const addressForbidden = failure("ADDRESS_FORBIDDEN")

/** Returns the function that resolves the host name of a connection. It fails unless all addresses are allowed. */
const guardedLookup =
  (resolve: ResolveName, mayConnect: (address: NetAddress.IpAddress) => boolean): LookupFunction =>
  (name, { all, family }, answer) => {
    resolve(name).then((addresses) => {
      if (!addresses.every(({ address }) => Option.exists(parseAddress(address), mayConnect))) throw addressForbidden
      const usable = addresses.filter((address) => family !== 4 && family !== 6 || address.family === family)
      const [first] = usable
      if (first === undefined) throw failure("ENOTFOUND")
      return { first, usable: [...usable] }
    }).then(
      ({ first, usable }) => all === true ? answer(null, usable) : answer(null, first.address, first.family),
      (error: Error) => answer(error, [])
    )
  }

/** Limits of the connections. */
export interface TransportLimits {
  /** Maximum number of connections to one host. */
  readonly perHost: number
  /** Maximum number of connections per protocol. Must be higher than the number of used and idle ones together. */
  readonly total: number
  /** Maximum number of idle connections per protocol. */
  readonly idle: number
  /** Milliseconds after which an idle connection is closed. */
  readonly idleMs: number
  /** Maximum size of a response. A longer one closes the connection. */
  readonly responseBytes: number
}

/** A request of the transport. */
export interface Post {
  readonly url: URL
  readonly headers: OutgoingHttpHeaders
  readonly body: string
  readonly mayConnect: (address: NetAddress.IpAddress) => boolean
  readonly signal: AbortSignal
}

/** The status of a response, and its `Retry-After` header. */
export interface PostAnswer {
  readonly status: number
  readonly retryAfter: string | undefined
}

/** Closes idle connections above a total maximum. An agent limits them only per host. */
const closeIdle = ({ freeSockets }: Agent, most: number): void => {
  const idle = Object.values(freeSockets).flatMap((sockets = []) => sockets)
  idle.slice(most).forEach((socket) => socket.destroy())
}

/**
 * Returns a function that posts a body. It keeps connections alive within limits, follows no redirects, and connects
 * only to allowed addresses: the checked address is the one it connects to. Rejects if the response does not arrive
 * completely.
 */
export const makePost = Effect.fnUntraced(function*(
  { idle, idleMs, perHost, responseBytes, total }: TransportLimits,
  resolve: ResolveName,
  authorities: ReadonlyArray<string> | undefined
) {
  const options = {
    keepAlive: true,
    maxSockets: perHost,
    maxFreeSockets: 10,
    maxTotalSockets: total,
    timeout: idleMs,
    maxHeaderSize: 16_384
  }
  const plain = yield* acquireAgent(new Agent(options))
  const encrypted = yield* acquireAgent(
    new EncryptedAgent(authorities === undefined ? options : { ...options, ca: [...authorities] })
  )

  const postOnce = ({ body, headers, mayConnect, signal, url }: Post) =>
    new Promise<PostAnswer>((answer, reject) => {
      // Node.js does not resolve a host that is an address, so check it here.
      if (Option.exists(parseAddress(url.hostname), (address) => !mayConnect(address))) throw addressForbidden
      const init = { method: "POST", headers, signal, lookup: guardedLookup(resolve, mayConnect) }
      const isEncrypted = url.protocol === "https:"
      closeIdle(isEncrypted ? encrypted : plain, idle)
      const request = isEncrypted
        ? requestHttps(url, { ...init, agent: encrypted })
        : requestHttp(url, { ...init, agent: plain })
      request.on("error", (error) => reject(Object.assign(error, { isStale: request.reusedSocket })))
      request.on("close", () => reject(failure("ECONNRESET")))
      request.on("response", (incoming) => {
        const received = { status: incoming.statusCode ?? 0, retryAfter: incoming.headers["retry-after"] }
        let length = 0
        incoming.on("data", (chunk: Buffer) => {
          length += chunk.length
          if (length <= responseBytes) return
          answer(received)
          incoming.destroy()
        })
        incoming.on("end", () => answer(received))
        incoming.on("error", reject)
      })
      request.end(body)
    })

  /** Posts a second time if the receiver closed an idle connection at the moment of the request. */
  return (post: Post): Promise<PostAnswer> =>
    postOnce(post).catch((error: unknown) =>
      isStale(error) && !post.signal.aborted ? postOnce(post) : Promise.reject(error)
    )
})

/** Returns whether a reused connection was closed before a response arrived. */
const isStale = (error: unknown): boolean =>
  Predicate.hasProperty(error, "isStale") && error.isStale === true && resetCodes.has(errorCode(error))

const resetCodes: ReadonlySet<string | undefined> = new Set(["ECONNRESET", "EPIPE"])

const nameCodes: ReadonlySet<string | undefined> = new Set([
  "EAI_AGAIN",
  "EAI_FAIL",
  "EAI_NODATA",
  "EAI_NONAME",
  "EBADNAME",
  "EREFUSED",
  "ESERVFAIL",
  "ETIMEOUT",
  ...notFound
])

/** The error codes of OpenSSL, of Node.js and of certificate verification (X509_STORE_CTX_get_error(3)). */
const tlsCode =
  /^(?:CERT_|CRL_|DEPTH_ZERO_|ERR_SSL_|ERR_TLS_|HOSTNAME_|INVALID_CA|PATH_LENGTH|SELF_SIGNED_|UNABLE_TO_|EPROTO)/

/** Returns why there is no response. */
export const faultOf = (error: unknown): WebhookFault => {
  const code = errorCode(error) ?? ""
  if (code === "ADDRESS_FORBIDDEN") return code
  if (nameCodes.has(code)) return "NAME_NOT_FOUND"
  if (tlsCode.test(code)) return "TLS"
  return "CONNECTION"
}
