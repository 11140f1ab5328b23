import { keepRequestId, parseRequestId, RequestId } from "@lastro/domain/audit"
import { addressBehind, ClientAddress } from "@lastro/domain/identity"
import { IdGenerator, TenantMeter } from "@lastro/domain/ports"
import { Cause, Clock, Context, Effect, Exit, Option, References, Result } from "effect"
import { refusalCounters } from "../admission/AdmissionMeter.ts"
import { slotOf } from "../admission/Slot.ts"
import { type Encoded } from "../errors/encodeRefusal.ts"
import { InternalFailure, MalformedRequest, OutcomeUnknown, ServiceUnavailable } from "../errors/HttpRefusals.ts"
import { ignoresForwarding } from "../limits/clientNetwork.ts"
import { warnOfForwarding } from "../limits/warnOfForwarding.ts"
import { lastCallerOf } from "./asCaller.ts"
import { defectOf, describeDefect, isTransient, isUndecided } from "./describeDefect.ts"
import {
  type Exchange,
  hasValidHost,
  type Incoming,
  isRead,
  makeExchange,
  type PathParams,
  type ServerContext
} from "./Exchange.ts"
import { addSpan, endSpan, type Observation, observeRoute } from "./observeRoute.ts"
import { respond } from "./respond.ts"
import { monotonicMillisOf, type Outgoing, RunningRequest } from "./RunningRequest.ts"

/** The ids of a request. */
interface RequestIds {
  /** The id in the response. */
  readonly sent: string
  /** The id in logs and in the audit (AUDIT-04). */
  readonly kept: string
}

/** The id of a request if the id generator fails. A failing port must not fail the request. */
const unknownId = "unknown"

/** Reads or makes the id of a request, and runs its work. */
const withRequestId = <A, R>(
  { headers }: Incoming,
  { next }: IdGenerator["Service"],
  work: (ids: RequestIds) => Effect.Effect<A, never, R>
): Effect.Effect<A, never, R> => {
  const sent = parseRequestId(headers["x-request-id"])
  const run = (kept: string | null) => work({ sent: sent ?? kept ?? unknownId, kept: kept ?? unknownId })
  return Effect.matchCauseEffect(sent === undefined ? next : keepRequestId(sent), {
    onFailure: (cause) => Cause.hasInterruptsOnly(cause) ? Effect.failCause(cause) : run(null),
    onSuccess: run
  })
}

/** Adds the request id, the client address and the span to the context of the domain and the log. */
const addRequestContext = <R>(
  context: Context.Context<R>,
  { client, request }: Exchange,
  { annotations, span }: Observation,
  request_id: string,
  server: ServerContext
): Context.Context<R> => {
  const address = isUntrustedForward(request, server) ? addressBehind(client) : client
  Object.assign(annotations, Context.get(context, References.CurrentLogAnnotations), { request_id })
  return addSpan(
    Context.add(
      Context.add(Context.add(context, RequestId, request_id), ClientAddress, address),
      References.CurrentLogAnnotations,
      annotations
    ),
    span
  )
}

/**
 * If true, the log of a failed request contains the whole cause, with messages and stacks. Messages may contain
 * personal data, so set it for development only. Default: false.
 */
export const LogCauses: Context.Reference<boolean> = Context.Reference<boolean>(
  "@lastro/adapters-http/pipeline/exchanged/LogCauses",
  { defaultValue: () => false }
)

const logDefect = (message: string, cause: Cause.Cause<never>): Effect.Effect<void> =>
  Effect.flatMap(
    LogCauses,
    (logsCauses) =>
      logsCauses
        ? Effect.logError(message, cause)
        : Effect.annotateLogs(Effect.logError(message), { ...describeDefect(defectOf(cause)) })
  )

const countTimeout: Effect.Effect<void> = Effect.contextWith((context: Context.Context<never>) =>
  Effect.sync(() => refusalCounters.deadline.updateUnsafe(1, context))
)

const logTimeout = Effect.logWarning("request exceeded its time limit; responding 503")

/** Returns whether a peer that is not a trusted proxy forwarded the request. */
const isUntrustedForward = (
  { headers, remoteAddress }: Incoming,
  { trustedProxies }: Pick<ServerContext, "trustedProxies">
): boolean => ignoresForwarding(Option.getOrUndefined(remoteAddress), headers["x-forwarded-for"], trustedProxies)

/** Counts a request and its processor time for the tenant of its caller. */
const countForTenant = (context: Context.Context<never>, { claims }: RunningRequest, busy_ms: number): void => {
  const root = claims === undefined ? undefined : lastCallerOf(claims)?.root_id
  const at_ms = monotonicMillisOf(Context.get(context, Clock.Clock))
  Context.get(context, TenantMeter).count(at_ms, root ?? "", { requests: 1, busy_ms })
}

/** Runs an effect. Before it, logs the warning about `X-Forwarded-For` if an untrusted peer sent this header. */
const warnFirst = <A, E, R>(
  request: Incoming,
  server: ServerContext,
  answered: Effect.Effect<A, E, R>
): Effect.Effect<A, E, R> => {
  const { forwarding } = server
  return forwarding !== undefined && isUntrustedForward(request, server)
    ? Effect.andThen(warnOfForwarding(forwarding), answered)
    : answered
}

/** The errors that the pipeline itself responds with. */
type PipelineRefusal = InternalFailure | MalformedRequest | OutcomeUnknown | ServiceUnavailable

/** Selects the error and the log message for a defect. */
const refusalOfDefect = (defect: unknown): readonly [PipelineRefusal, string] => {
  if (isUndecided(defect)) {
    return [new OutcomeUnknown(), "request failed: connection lost during commit; responding 503"]
  }
  return isTransient(defect)
    ? [new ServiceUnavailable(), "request failed: dependency unavailable; responding 503"]
    : [new InternalFailure(), "request failed: internal error; responding 500"]
}

/** A request with its complete context. */
interface Opened<R> {
  readonly exchange: Exchange
  readonly observation: Observation
  readonly context: Context.Context<R>
}

/**
 * The pipeline of a route, created once when the server starts. It starts the work of a request, and calls `onSettled`
 * once: with the response, or, if the work was interrupted, with the reason why there is none. If the work waits for
 * nothing, it calls `onSettled` before it returns.
 */
export type Handler<R> = (
  request: Incoming,
  params: PathParams,
  context: Context.Context<R | IdGenerator>,
  onSettled: (exit: Exit.Exit<Outgoing>) => void
) => RunningRequest

/** The headers that describe the body of a successful response. They are removed from the response to a defect. */
const headersOfAnswer = ["etag", "location", "retry-after", "idempotency-replayed"]

/**
 * Makes the handler of a route. It assigns a request id, adds the request context, and ends the request at its
 * deadline. It turns errors and defects into responses, and records metrics, a span and a log line.
 */
export const handleRequest = <E, R>(
  route: string,
  server: ServerContext,
  encode: (refusal: E | PipelineRefusal, exchange: Exchange) => Encoded,
  serve: (exchange: Exchange) => Effect.Effect<Encoded, E, R>
): Handler<R> => {
  const { inSpan, record } = observeRoute(route)

  /** Records a response with the context of the request. */
  const answer = ({ context, exchange, observation }: Opened<R>, outgoing: Outgoing): Effect.Effect<Outgoing> =>
    Effect.as(record(observation, outgoing.status, context, exchange.running.claims), outgoing)

  const refuseDefect = (cause: Cause.Cause<never>, exchange: Exchange): Effect.Effect<Outgoing> => {
    if (Cause.hasInterruptsOnly(cause)) return Effect.failCause(cause)
    const [refusal, message] = refusalOfDefect(defectOf(cause))
    for (const name of headersOfAnswer) delete exchange.headers[name]
    return Effect.map(logDefect(message, cause), () => respond(exchange, encode(refusal, exchange)))
  }

  const refuseTimeout = (opened: Opened<R>): Effect.Effect<Outgoing> => {
    const { context, exchange, observation } = opened
    return Effect.andThen(
      Effect.andThen(logTimeout, countTimeout),
      Effect.suspend(() => {
        // A commit in progress at the deadline cannot be undone, so the change may have been made.
        const refusal = isRead(exchange.request) ? new ServiceUnavailable() : new OutcomeUnknown()
        return answer(opened, respond(exchange, encode(refusal, exchange)))
      })
    ).pipe(
      Effect.tap((outgoing) => endSpan(observation, Exit.succeed(outgoing))),
      Effect.provideContext(context)
    )
  }

  return (request, params, context, onSettled) => {
    const clock = Context.get(context, Clock.Clock)
    const slot = slotOf(request.source)
    slot?.claim()
    /** Undefined until the request has its ids. */
    let opened: Opened<R> | undefined
    const open = (observation: Observation, { kept, sent }: RequestIds): Opened<R> => {
      const exchange = makeExchange(request, params, sent, running, slot, clock, server)
      return opened = {
        exchange,
        observation,
        context: addRequestContext<R>(context, exchange, observation, kept, server)
      }
    }
    const work = (ids: RequestIds) =>
      inSpan(request, clock, (observation) => {
        const current = open(observation, ids)
        const { context: complete, exchange } = current
        const send = (outgoing: Outgoing) => answer(current, outgoing)
        const refuse = (cause: Cause.Cause<never>) => Effect.flatMap(refuseDefect(cause, exchange), send)
        const encodeAndSend = (encodeNow: () => Encoded) => {
          let outgoing: Outgoing
          try {
            outgoing = respond(exchange, encodeNow())
          } catch (defect) {
            // A response that cannot be encoded is a defect, too.
            return refuse(Cause.die(defect))
          }
          return send(outgoing)
        }
        const served: Effect.Effect<Encoded, E | MalformedRequest, R> = hasValidHost(request)
          ? serve(exchange)
          : Effect.fail(new MalformedRequest())
        const answered = Effect.matchCauseEffect(warnFirst(request, server, served), {
          onFailure: (cause) => {
            const refusal = Cause.findError(cause)
            return Result.isFailure(refusal)
              ? refuse(refusal.failure)
              : encodeAndSend(() => encode(refusal.success, exchange))
          },
          onSuccess: (encoded) => encodeAndSend(() => encoded)
        })
        return Effect.withFiber((fiber) => {
          // The fiber ends with the request, so nothing needs its earlier context again.
          fiber.setContext(complete)
          return answered
        })
      })
    const running: RunningRequest = new RunningRequest({
      timeLimit: server.timeLimit,
      slot,
      clock,
      deadlines: server.deadlines,
      onTimeout: Effect.suspend(() => {
        if (opened !== undefined) return refuseTimeout(opened)
        // The id generator is still running.
        const ids = { sent: unknownId, kept: unknownId }
        const refused = inSpan(request, clock, (observation) => refuseTimeout(open(observation, ids)))
        return Effect.provideContext(refused, context)
      }),
      onSettled,
      onEnded: (busy_ms) => countForTenant(context, running, busy_ms)
    })
    running.start(withRequestId(request, Context.get(context, IdGenerator), work), context)
    return running
  }
}

/** Runs a handler in the current fiber. An interruption of the fiber interrupts the work of the request. */
export const runHandler = <R>(
  handler: Handler<R>,
  request: Incoming,
  params: PathParams
): Effect.Effect<Outgoing, never, R | IdGenerator> =>
  Effect.contextWith((context: Context.Context<R | IdGenerator>) =>
    Effect.callback<Outgoing>((resume) => {
      let onEnd: (() => void) | undefined
      const running = handler(request, params, context, (exit) => {
        resume(exit)
        onEnd?.()
      })
      return Effect.callback<void>((resume) => {
        if (running.isSettled) return resume(Effect.void)
        onEnd = () => resume(Effect.void)
        running.abort()
      })
    })
  )
