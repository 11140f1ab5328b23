import { Effect, Option } from "effect"
import { HttpClient, HttpClientError, type HttpClientRequest, HttpClientResponse } from "effect/http"
import { type NetAddress } from "effect/net"
import { lookup, type LookupAddress } from "node:dns"
import { Agent, type ClientRequest, type IncomingMessage, request as askInTheClear } from "node:http"
import { Agent as EncryptedAgent, request as askEncrypted } from "node:https"
import { type LookupFunction } from "node:net"
import { addressOf } from "./lenderAddress.ts"

/** Finds the addresses that a name has at present. */
export type Resolve = (
  name: string,
  options: { readonly all: true },
  answer: (error: Error | null, addresses: Array<LookupAddress>) => void
) => void

/** What a transport may do. */
export interface TransportOptions {
  /** Judges every address at the moment a connection is made to it, so that a name cannot lead elsewhere later. */
  readonly mayConnect: (address: NetAddress.IpAddress) => boolean
  readonly resolve?: Resolve
}

/** The most bytes of an answer; the largest that a lender has reason to give is a tenth of that. */
const mostBytes = 1024 * 1024

const failure = (code: string): Error => Object.assign(new Error(code), { code })

const guarded = ({ mayConnect, resolve = lookup }: TransportOptions): LookupFunction => (name, options, answer) => {
  resolve(name, { ...options, all: true }, (error, found) => {
    if (error !== null) return answer(error, [])
    const allowed = found.filter(({ address }) => Option.exists(addressOf(address), mayConnect))
    const [first] = allowed
    if (first === undefined) return answer(failure("ADDRESS_REFUSED"), [])
    if (options.all === true) answer(null, allowed)
    else answer(null, first.address, first.family)
  })
}

const bytesOf = (incoming: IncomingMessage): Promise<Uint8Array> =>
  new Promise((resolve, reject) => {
    const chunks: Array<Buffer> = []
    let length = 0
    incoming.on("data", (chunk: Buffer) => {
      length += chunk.length
      if (length > mostBytes) incoming.destroy(failure("ANSWER_TOO_LONG"))
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

/** Statuses whose answers have no body, which `Response` insists on. */
const bodiless: ReadonlySet<number | undefined> = new Set([204, 205, 304])

const answerTo = async (outgoing: ClientRequest, body: Uint8Array | undefined): Promise<Response> => {
  const incoming = await new Promise<IncomingMessage>((resolve, reject) => {
    outgoing.on("error", reject)
    outgoing.on("response", resolve)
    outgoing.end(body)
  })
  const bytes = await bytesOf(incoming)
  const { statusCode: status = 0 } = incoming
  return new Response(bodiless.has(status) ? null : bytes, { status, headers: headersOf(incoming) })
}

const bodyOf = ({ body }: HttpClientRequest.HttpClientRequest): Uint8Array | undefined =>
  body._tag === "Uint8Array" ? body.body : undefined

const closing = <A extends Agent>(agent: A) =>
  Effect.acquireRelease(Effect.succeed(agent), () => Effect.sync(() => agent.destroy()))

/**
 * An HTTP client for one lender: it keeps connections, follows no redirect, reads no more than a megabyte, and connects only to
 * addresses that are allowed.
 */
export const makeLenderTransport = Effect.fnUntraced(function*(options: TransportOptions) {
  const agentOptions = { keepAlive: true, lookup: guarded(options) }
  const clear = yield* closing(new Agent(agentOptions))
  const encrypted = yield* closing(new EncryptedAgent(agentOptions))
  return HttpClient.make((request, url, signal) =>
    Effect.tryPromise({
      try: () => {
        const body = bodyOf(request)
        const headers = { ...request.headers, ...(body === undefined ? {} : { "content-length": body.length }) }
        const { method } = request
        return answerTo(
          url.protocol === "https:"
            ? askEncrypted(url, { agent: encrypted, headers, method, signal })
            : askInTheClear(url, { agent: clear, headers, method, signal }),
          body
        )
      },
      catch: (cause) =>
        new HttpClientError.HttpClientError({ reason: new HttpClientError.TransportError({ request, cause }) })
    }).pipe(Effect.map((response) => HttpClientResponse.fromWeb(request, response)))
  )
})
