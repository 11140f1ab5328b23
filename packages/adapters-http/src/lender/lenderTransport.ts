import { Effect, Option } from "effect"
import { HttpClient, HttpClientError, type HttpClientRequest, HttpClientResponse } from "effect/http"
import { type NetAddress } from "effect/net"
import { lookup, type LookupAddress } from "node:dns"
import { Agent, type ClientRequest, type IncomingMessage, request as requestHttp } from "node:http"
import { Agent as EncryptedAgent, request as requestHttps } from "node:https"
import { type LookupFunction } from "node:net"
import { version } from "../version/version.ts"
import { parseAddress } from "./lenderAddress.ts"

/** Resolves a host name to its addresses. */
export type Resolve = (
  name: string,
  options: { readonly all: true },
  answer: (error: Error | null, addresses: Array<LookupAddress>) => void
) => void

/** Options of the transport. */
export interface TransportOptions {
  /**
   * Returns whether a connection to an address is allowed. Called for every new connection, so a later change of the
   * DNS cannot redirect calls to another network.
   */
  readonly mayConnect: (address: NetAddress.IpAddress) => boolean
  readonly resolve?: Resolve
  /** Maximum size of a response. Default: 1 MiB, ten times the size of a valid response of a lender. */
  readonly maxResponseBytes?: number
}

/** The `User-Agent` header of the requests (RFC 9110 §10.1.5). */
const userAgent = `lastro/${version}`

const defaultResponseBytes = 1024 * 1024

/** The error code of a response that exceeds the maximum size. */
export const responseTooLarge = "RESPONSE_TOO_LARGE"

/** Makes an error with a code, like those of Node.js. */
export const failure = (code: string): Error => Object.assign(new Error(code), { code })

/** Returns the function that resolves the host name of a connection. It omits addresses that are not allowed. */
const guardLookup = ({ mayConnect, resolve = lookup }: TransportOptions): LookupFunction => (name, options, answer) => {
  resolve(name, { ...options, all: true }, (error, addresses) => {
    if (error !== null) return answer(error, [])
    const allowed = addresses.filter(({ address }) => Option.exists(parseAddress(address), mayConnect))
    const [first] = allowed
    if (first === undefined) return answer(failure("ADDRESS_REFUSED"), [])
    if (options.all === true) answer(null, allowed)
    else answer(null, first.address, first.family)
  })
}

const bytesOf = (incoming: IncomingMessage, maxBytes: number): Promise<Uint8Array> =>
  new Promise((resolve, reject) => {
    const chunks: Array<Buffer> = []
    let length = 0
    incoming.on("data", (chunk: Buffer) => {
      length += chunk.length
      if (length > maxBytes) incoming.destroy(failure(responseTooLarge))
      else chunks.push(chunk)
    })
    incoming.on("error", reject)
    incoming.on("end", () => resolve(Buffer.concat(chunks)))
  })

const headersOf = ({ headersDistinct }: IncomingMessage): Headers => {
  const headers = new Headers()
  for (const [name, values = []] of Object.entries(headersDistinct)) {
    for (const value of values) headers.append(name, value)
  }
  return headers
}

/** Statuses without a body. With one of them, the `Response` constructor throws if it receives a body. */
const bodiless: ReadonlySet<number | undefined> = new Set([204, 205, 304])

const sendRequest = async (
  outgoing: ClientRequest,
  body: Uint8Array | undefined,
  maxBytes: number
): Promise<Response> => {
  const incoming = await new Promise<IncomingMessage>((resolve, reject) => {
    outgoing.on("error", reject)
    outgoing.on("response", resolve)
    outgoing.end(body)
  })
  const bytes = await bytesOf(incoming, maxBytes)
  const { statusCode: status = 0 } = incoming
  return new Response(bodiless.has(status) ? null : bytes, { status, headers: headersOf(incoming) })
}

const bodyOf = ({ body }: HttpClientRequest.HttpClientRequest): Uint8Array | undefined =>
  body._tag === "Uint8Array" ? body.body : undefined

/** Closes the connections of an agent at the end of the scope. */
export const acquireAgent = <A extends Agent>(agent: A) =>
  Effect.acquireRelease(Effect.succeed(agent), () => Effect.sync(() => agent.destroy()))

/**
 * Makes an HTTP client for one lender. It keeps connections alive, follows no redirects, limits the size of responses,
 * and connects only to allowed addresses.
 */
export const makeLenderTransport = Effect.fnUntraced(function*(options: TransportOptions) {
  const agentOptions = { keepAlive: true, lookup: guardLookup(options) }
  const httpAgent = yield* acquireAgent(new Agent(agentOptions))
  const httpsAgent = yield* acquireAgent(new EncryptedAgent(agentOptions))
  return HttpClient.make((request, url, signal) =>
    Effect.tryPromise({
      try: () => {
        const body = bodyOf(request)
        const length = body === undefined ? {} : { "content-length": body.length }
        const headers = { "user-agent": userAgent, ...request.headers, ...length }
        const { method } = request
        return sendRequest(
          url.protocol === "https:"
            ? requestHttps(url, { agent: httpsAgent, headers, method, signal })
            : requestHttp(url, { agent: httpAgent, headers, method, signal }),
          body,
          options.maxResponseBytes ?? defaultResponseBytes
        )
      },
      catch: (cause) =>
        new HttpClientError.HttpClientError({ reason: new HttpClientError.TransportError({ request, cause }) })
    }).pipe(Effect.map((response) => HttpClientResponse.fromWeb(request, response)))
  )
})

/** The error codes of a connection that failed to open, so that the lender received nothing. */
const unreachedCodes: ReadonlySet<string | undefined> = new Set([
  "ADDRESS_REFUSED",
  "EAI_AGAIN",
  "ECONNREFUSED",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "ENOTFOUND"
])

/** Returns UNREACHED if the lender received nothing, and ASKED if it may have processed the call. */
export const reasonOfFailure = (code: string | undefined): "UNREACHED" | "ASKED" =>
  unreachedCodes.has(code) ? "UNREACHED" : "ASKED"

/** Maximum delay of `Retry-After`: one day. A longer delay counts as this maximum. */
const longestDelayMs = 24 * 60 * 60_000

const bound = (milliseconds: number): number => Math.min(Math.max(milliseconds, 0), longestDelayMs)

/** The obsolete format of an HTTP date, which has no time zone and is in UTC (RFC 9110 §5.6.7). */
const asctime = /^\w{3} \w{3} [ \d]\d \d\d:\d\d:\d\d \d{4}$/

/**
 * Parses a `Retry-After` header (RFC 9110 §10.2.3): a number of seconds, or an HTTP date. Returns the delay from `now`
 * in milliseconds, at least 0 and at most one day. Undefined if the header is absent or invalid.
 */
export const parseRetryAfter = (header: string | undefined, now: number): number | undefined => {
  const text = header?.trim() ?? ""
  if (/^\d{1,10}$/.test(text)) return bound(Number(text) * 1_000)
  // In all three formats, an HTTP date starts with a weekday.
  if (!/^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)/.test(text)) return undefined
  const at = Date.parse(asctime.test(text) ? `${text} GMT` : text)
  return Number.isNaN(at) ? undefined : bound(at - now)
}
