import { NodeCondition } from "@lastro/domain/adapters"
import { type TokenSigner } from "@lastro/domain/identity"
import { Context, Duration, Effect, Exit } from "effect"
import { type IpNetwork } from "effect/net"
import { type IncomingMessage, type ServerResponse } from "node:http"
import { Admission } from "../admission/Admission.ts"
import { admissionLimits, defaultConcurrency, lookupLimits } from "../admission/admissionLimits.ts"
import { AdmissionMeter } from "../admission/AdmissionMeter.ts"
import { RefusalPacer } from "../admission/RefusalPacer.ts"
import { attachSlot } from "../admission/Slot.ts"
import { describeRefusal } from "../errors/describeRefusal.ts"
import { ServiceUnavailable } from "../errors/HttpRefusals.ts"
import { AnonymousWork, defaultAnonymousLimit } from "../limits/AnonymousWork.ts"
import { clientAddress, clientNetwork } from "../limits/clientNetwork.ts"
import { limitSending, maxSendingMs } from "../limits/limitSending.ts"
import { type RateLimit } from "../limits/RateLimit.ts"
import { type BegunRequest, TokenGate, type VerifyToken } from "../limits/TokenGate.ts"
import { verifyBearer } from "../pipeline/asCaller.ts"
import { refuseRequest, refuseWebRequest, tooManyRequests, unroutedRefusal } from "../pipeline/refuseRequest.ts"
import { bearerOfSession, sessionCookie } from "../security/sessionCookie.ts"
import { Issuer } from "../security/TokenSigner.ts"
import { arrivingOf, kindOfPath, pathOf } from "./requestKind.ts"

/** Options that decide which requests run, wait or are rejected. */
export interface AdmissionOptions {
  /**
   * Maximum number of requests that run at the same time, at least 4. Default: 8. Set it to the number of database
   * connections for requests. Further requests wait in a queue of 256 reads and 256 writes, for at most 1 s.
   *
   * Two kinds of reads do not count, because they share connections: reads of one record by its id, and first pages of
   * lists without a query. Up to three times `concurrency` of each of these kinds run at the same time.
   */
  readonly concurrency?: number | undefined
  /** Proxies whose `X-Forwarded-For` is trusted. Default: none. */
  readonly trustedProxies?: ReadonlyArray<IpNetwork.IpNetwork> | undefined
  /**
   * Rate limit per client network, for requests that need no token (such as documents) and requests with an invalid
   * token. Also, at most 16 documents are sent to one network at the same time, and 256 to all networks. Does not
   * affect health checks and requests with a valid token. Default: 20 requests per second in bursts of 100.
   */
  readonly anonymousLimit?: RateLimit | undefined
  /**
   * Maximum time for a client to receive a document. After it, the connection is closed. Does not apply to a Fetch
   * handler, which does not send the response itself. Default: 60 s.
   */
  readonly documentTimeout?: Duration.Input | undefined
  /**
   * Returns true while this process must not serve the API, for example during maintenance. All requests then get 503,
   * except health checks, metrics, keys and documents. A node with a wrong clock or an unsupported schema responds in
   * the same way, even without this option. Default: always false.
   */
  readonly isClosed?: (() => boolean) | undefined
}

/** The status of a request whose client has disconnected. It is never sent. */
const clientClosed = 499

const serviceUnavailable = unroutedRefusal(describeRefusal(new ServiceUnavailable()))

/**
 * Decides whether a request runs now, waits, or gets 503, before any work for it begins. A refusal takes far less
 * processor time than a request, so an overloaded node still serves as many requests as it can.
 */
export class RequestGate {
  readonly #admission: Admission
  readonly #trustedProxies: ReadonlyArray<IpNetwork.IpNetwork>
  readonly #isClosed: () => boolean
  readonly #pacer = new RefusalPacer()
  readonly #anonymous: AnonymousWork
  readonly #tokens: TokenGate
  readonly #meter: AdmissionMeter
  readonly #documentMs: number
  readonly #sessionCookie: string

  constructor(
    {
      anonymousLimit = defaultAnonymousLimit,
      concurrency = defaultConcurrency,
      documentTimeout = maxSendingMs,
      isClosed,
      trustedProxies = []
    }: AdmissionOptions & { readonly isClosed: () => boolean },
    meter: AdmissionMeter,
    verify: VerifyToken,
    cookie: string
  ) {
    this.#meter = meter
    this.#documentMs = Duration.toMillis(Duration.fromInputUnsafe(documentTimeout))
    this.#anonymous = new AnonymousWork(anonymousLimit)
    this.#tokens = new TokenGate(this.#anonymous, verify)
    this.#isClosed = isClosed
    this.#admission = new Admission(admissionLimits(concurrency), lookupLimits(concurrency), meter)
    this.#trustedProxies = trustedProxies
    this.#sessionCookie = cookie
  }

  /**
   * Calls `serve`: for operations and console pages when the request gets a slot, and for other requests at once. If a
   * limit is reached, responds with 503 or 429 instead. `url` is the URL within the API.
   */
  admit(request: IncomingMessage, response: ServerResponse, url: string, serve: () => void): void {
    const path = pathOf(url)
    const kind = kindOfPath(path)
    if ((kind === "operation" || kind === "token") && this.#isClosed()) {
      return this.#pacer.refuse(() => refuseRequest(request, response, serviceUnavailable))
    }
    if (kind === "probe" || kind === "token") return serve()
    const { cookie, "x-forwarded-for": forwarded } = request.headers
    const authorization = request.headers.authorization ?? bearerOfSession(cookie, this.#sessionCookie)
    const forwardedFor = typeof forwarded === "string" ? forwarded : undefined
    const network = () => clientNetwork(clientAddress(request.socket.remoteAddress, forwardedFor, this.#trustedProxies))
    const refuseAnonymous = () => this.#refuseAnonymous(() => refuseRequest(request, response, tooManyRequests))
    if (kind === "document") {
      const end = this.#anonymous.startDocument(network())
      if (end === undefined) return refuseAnonymous()
      limitSending(response, this.#documentMs, end)
      return serve()
    }
    this.#tokens.begin(authorization, network, (begun) => {
      // The client may have disconnected while its token was verified.
      if (response.closed || request.socket.destroyed) return begun.end(clientClosed)
      const slot = this.#admission.enter(
        arrivingOf(request.method, url, begun),
        (slot) => {
          attachSlot(request, slot)
          serve()
        },
        () => this.#pacer.refuse(() => refuseRequest(request, response, serviceUnavailable))
      )
      const close = () => {
        if (!slot.isClaimed()) slot.release()
        begun.end(response.statusCode)
      }
      // The response may already be complete, although its event `close` is still to come.
      if (response.writableEnded) close()
      else response.on("close", close)
    }, refuseAnonymous)
  }

  /** Does the same as {@link admit} for a Fetch API request. `url` is undefined if it is outside the API. */
  admitWeb(
    request: Request,
    url: string | undefined,
    peer: string | undefined,
    serve: () => Promise<Response>
  ): Promise<Response> {
    const path = pathOf(url ?? "/")
    const kind = kindOfPath(path)
    if ((kind === "operation" || kind === "token") && this.#isClosed()) {
      return new Promise((resolve) => this.#pacer.refuse(() => resolve(refuseWebRequest(request, serviceUnavailable))))
    }
    if (kind === "probe" || kind === "token") return serve()
    const { headers } = request
    const authorization = headers.get("authorization") ??
      bearerOfSession(headers.get("cookie") ?? undefined, this.#sessionCookie)
    const forwardedFor = headers.get("x-forwarded-for") ?? undefined
    const network = () => clientNetwork(clientAddress(peer, forwardedFor, this.#trustedProxies))
    const refuseAnonymous = () =>
      new Promise<Response>((resolve) =>
        this.#refuseAnonymous(() => resolve(refuseWebRequest(request, tooManyRequests)))
      )
    if (kind === "document") {
      const end = this.#anonymous.startDocument(network())
      return end === undefined ? refuseAnonymous() : serve().finally(end)
    }
    return new Promise((resolve) =>
      this.#tokens.begin(
        authorization,
        network,
        (begun) => this.#enterWeb(request, url ?? "/", begun, serve, resolve),
        () => resolve(refuseAnonymous())
      )
    )
  }

  /** Calls `resolve` with the response of `serve` when the request gets a slot, or else with 503. */
  #enterWeb(
    request: Request,
    url: string,
    begun: BegunRequest,
    serve: () => Promise<Response>,
    resolve: (response: Response | Promise<Response>) => void
  ): void {
    const { signal } = request
    let isEnded = false
    const end = (status: number) => {
      if (!isEnded) begun.end(status)
      isEnded = true
    }
    const slot = this.#admission.enter(
      arrivingOf(request.method, url, begun),
      (slot) => {
        attachSlot(request, slot)
        const served = serve().finally(() => {
          if (!slot.isClaimed()) slot.release()
        })
        void served.then(({ status }) => end(status), () => end(clientClosed))
        resolve(served)
      },
      () => {
        end(503)
        this.#pacer.refuse(() => resolve(refuseWebRequest(request, serviceUnavailable)))
      }
    )
    const abort = () => {
      if (slot.isClaimed()) return
      slot.release()
      end(clientClosed)
      resolve(new Response(null, { status: clientClosed }))
    }
    // The client may have given up while its token was verified.
    if (signal.aborted) abort()
    else signal.addEventListener("abort", abort, { once: true })
  }

  #refuseAnonymous(answer: () => void): void {
    this.#meter.limited()
    this.#pacer.refuse(answer)
  }
}

/**
 * Opens a gate. It records metrics and logs with the context of the current fiber. It rejects requests while the node
 * in this context must not serve them.
 */
export const openGate = (
  { isClosed = () => false, ...options }: AdmissionOptions
): Effect.Effect<RequestGate, never, TokenSigner | Issuer> =>
  Effect.contextWith((context: Context.Context<TokenSigner | Issuer>) =>
    Effect.map(NodeCondition, (node) => {
      const isNodeClosed = node === null ? isClosed : () => !node.mayServe() || isClosed()
      const verify: VerifyToken = (authorization, onVerified) =>
        Effect.runForkWith(context)(verifyBearer(authorization)).addObserver((exit) => onVerified(Exit.isSuccess(exit)))
      const cookie = sessionCookie(Context.get(context, Issuer))
      return new RequestGate({ ...options, isClosed: isNodeClosed }, new AdmissionMeter(context), verify, cookie)
    })
  )
