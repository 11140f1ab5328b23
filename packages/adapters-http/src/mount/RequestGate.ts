import { NodeCondition } from "@lastro/domain/adapters"
import { LruCache } from "@lastro/domain/values"
import { type Context, Effect } from "effect"
import { type IpNetwork } from "effect/net"
import { type IncomingMessage, type ServerResponse } from "node:http"
import { Admission } from "../admission/Admission.ts"
import { admissionLimits, defaultConcurrency } from "../admission/admissionLimits.ts"
import { AdmissionMeter } from "../admission/AdmissionMeter.ts"
import { RefusalPacer } from "../admission/RefusalPacer.ts"
import { attachSlot } from "../admission/Slot.ts"
import { type WorkKind } from "../admission/WaitingLine.ts"
import { describeRefusal } from "../errors/describeRefusal.ts"
import { ServiceUnavailable } from "../errors/HttpRefusals.ts"
import { clientAddress, clientNetwork } from "../limits/clientNetwork.ts"
import { endpoints } from "../pipeline/endpoints.ts"
import { refuseRequest, refuseWebRequest, unroutedRefusal } from "../pipeline/refuseRequest.ts"

/** Options that determine which requests run, wait or are refused. */
export interface AdmissionOptions {
  /**
   * Maximum number of requests that run at the same time, at least 4. Set it to the number of database connections that
   * requests may use. Further requests wait in a queue of 256 reads and 256 writes for at most 1 s. Default: 8.
   */
  readonly concurrency?: number
  /** Proxies whose `X-Forwarded-For` is trusted. Default: none. */
  readonly trustedProxies?: ReadonlyArray<IpNetwork.IpNetwork>
  /**
   * Returns true while this process must not serve the API, for example during maintenance. All requests then get 503,
   * except for health checks, metrics, keys and documents. A node with a wrong clock or an unsupported schema refuses
   * them in any case. Default: never.
   */
  readonly isClosed?: () => boolean
}

/** The limits of the cache of callers: the number of `Authorization` headers, and their length. */
const rememberedHeaders = { count: 10_000, length: 4_096 }

const operationPrefix = "/api/v1/"

/**
 * The paths of token operations, which have limits of their own: a password hash takes much processor time, but no
 * database connection.
 */
const exempt: ReadonlySet<string> = new Set(endpoints.flatMap(({ kind, path }) => kind === "token" ? [path] : []))

/**
 * Returns whether a URL belongs to an operation. Returns true for every URL in absolute form, which is rare, because only
 * the router resolves it.
 */
const isOperation = (url: string): boolean => !url.startsWith("/") || url.startsWith(operationPrefix)

/** Returns whether requests for a URL need a slot. Health checks, metrics, keys and documents need none. */
const needsSlot = (url: string): boolean => isOperation(url) && !exempt.has(url.split("?", 1)[0] ?? "")

const kindOf = (method: string | undefined): WorkKind => method === "GET" || method === "HEAD" ? "read" : "write"

const refusal = unroutedRefusal(describeRefusal(new ServiceUnavailable()))

/**
 * Decides which requests run now, wait or are answered with 503, before any work for them begins. A refusal takes far
 * less processor time than a request. So an overloaded node still serves as many requests as it can.
 */
export class RequestGate {
  readonly #admission: Admission
  readonly #trustedProxies: ReadonlyArray<IpNetwork.IpNetwork>
  readonly #isClosed: () => boolean
  readonly #pacer = new RefusalPacer()
  /** The callers of verified tokens, by `Authorization` header. */
  readonly #callers = new LruCache<string, string>(rememberedHeaders.count)

  constructor(
    { concurrency = defaultConcurrency, isClosed = () => false, trustedProxies = [] }: AdmissionOptions,
    meter: AdmissionMeter
  ) {
    this.#isClosed = isClosed
    this.#admission = new Admission(admissionLimits(concurrency), meter)
    this.#trustedProxies = trustedProxies
  }

  /** Calls `serve` when the request is admitted, or answers the request with 503. `url` is the URL within the API. */
  admit(request: IncomingMessage, response: ServerResponse, url: string, serve: () => void): void {
    if (isOperation(url) && this.#isClosed()) {
      return this.#pacer.refuse(() => refuseRequest(request, response, refusal))
    }
    if (!needsSlot(url)) return serve()
    const { authorization, "x-forwarded-for": forwarded } = request.headers
    const forwardedFor = typeof forwarded === "string" ? forwarded : undefined
    const slot = this.#admission.enter(
      {
        kind: kindOf(request.method),
        caller: this.#callerOf(
          authorization,
          () => clientAddress(request.socket.remoteAddress, forwardedFor, this.#trustedProxies)
        ),
        onIdentified: (caller) => this.#remember(authorization, caller)
      },
      (slot) => {
        attachSlot(request, slot)
        serve()
      },
      () => this.#pacer.refuse(() => refuseRequest(request, response, refusal))
    )
    if (response.writableEnded) return
    response.once("close", () => {
      if (!slot.isClaimed()) slot.release()
    })
  }

  /**
   * Answers a Fetch API request: with `serve` when it is admitted, or else with 503. `url` is the URL within the API.
   */
  admitWeb(
    request: Request,
    url: string | undefined,
    peer: string | undefined,
    serve: () => Promise<Response>
  ): Promise<Response> {
    if (url !== undefined && isOperation(url) && this.#isClosed()) {
      return new Promise((resolve) => this.#pacer.refuse(() => resolve(refuseWebRequest(request, refusal))))
    }
    if (url === undefined || !needsSlot(url)) return serve()
    const { headers, method, signal } = request
    const authorization = headers.get("authorization") ?? undefined
    const forwardedFor = headers.get("x-forwarded-for") ?? undefined
    return new Promise((resolve) => {
      const slot = this.#admission.enter(
        {
          kind: kindOf(method),
          caller: this.#callerOf(authorization, () => clientAddress(peer, forwardedFor, this.#trustedProxies)),
          onIdentified: (caller) => this.#remember(authorization, caller)
        },
        (slot) => {
          attachSlot(request, slot)
          resolve(
            serve().finally(() => {
              if (!slot.isClaimed()) slot.release()
            })
          )
        },
        () => this.#pacer.refuse(() => resolve(refuseWebRequest(request, refusal)))
      )
      signal.addEventListener("abort", () => {
        if (slot.isClaimed()) return
        slot.release()
        resolve(new Response(null, { status: 499 }))
      }, { once: true })
    })
  }

  /**
   * Returns the key of the caller: the verified subject of the token if the token is in the cache, or else the network
   * of the client.
   */
  #callerOf(authorization: string | undefined, address: () => ReturnType<typeof clientAddress>): string {
    const known = authorization === undefined ? undefined : this.#callers.get(authorization)
    return known ?? `address:${clientNetwork(address())}`
  }

  #remember(authorization: string | undefined, caller: string): void {
    if (authorization === undefined || authorization.length > rememberedHeaders.length) return
    this.#callers.set(authorization, caller)
  }
}

const neverClosed = () => false

/**
 * Opens a gate. It records metrics and logs with the context of the calling fiber, and refuses requests while the node
 * in this context must not serve them.
 */
export const openGate = ({ isClosed = neverClosed, ...options }: AdmissionOptions): Effect.Effect<RequestGate> =>
  Effect.contextWith((context: Context.Context<never>) =>
    Effect.map(NodeCondition, (node) => {
      const isNodeClosed = node === null ? isClosed : () => !node.mayServe() || isClosed()
      return new RequestGate({ ...options, isClosed: isNodeClosed }, new AdmissionMeter(context))
    })
  )
