import { parseRequestId, RequestId } from "@lastro/domain/audit"
import { ClientAddress } from "@lastro/domain/identity"
import { IdGenerator } from "@lastro/domain/ports"
import { Cause, Clock, Context, Effect, Exit, Option, References } from "effect"
import { refusalCounters } from "../admission/AdmissionMeter.ts"
import { slotOf } from "../admission/Slot.ts"
import { type Encoded } from "../errors/encodeRefusal.ts"
import { InternalFailure, MalformedRequest, OutcomeUnknown, ServiceUnavailable } from "../errors/HttpRefusals.ts"
import { ignoresForwarding } from "../limits/clientNetwork.ts"
import { warnOfForwarding } from "../limits/warnOfForwarding.ts"
import { Deadline, monotonicMillisOf } from "./Deadline.ts"
import { type Exchange } from "./Exchange.ts"
import { defectOf, describeDefect, isTransient, isUndecided } from "./failureOf.ts"
import { hasValidHost } from "./hasValidHost.ts"
import { type Incoming } from "./Incoming.ts"
import { makeExchange } from "./makeExchange.ts"
import { addSpan, endSpan, type Observation, observeRoute } from "./observeRoute.ts"
import { type PathParams } from "./Operation.ts"
import { isRead, type Outgoing, respond } from "./respond.ts"
import { RunningRequest } from "./RunningRequest.ts"
import { type ServerContext } from "./ServerContext.ts"

const readOrMakeRequestId = ({ headers }: Incoming, { next }: IdGenerator["Service"]): Effect.Effect<string> => {
  const sent = parseRequestId(headers["x-request-id"])
  if (sent !== undefined) return Effect.succeed(sent)
  // A failing id generator must not fail the request.
  return Effect.catchDefect(next, () => Effect.succeed("unknown"))
}

/** Adds the request id, the client address and the span to the context of the domain and the log. */
const addRequestContext = <R>(
  context: Context.Context<R>,
  { client, request_id }: Exchange,
  { span }: Observation
): Context.Context<R> => {
  const annotations = { ...Context.get(context, References.CurrentLogAnnotations), request_id }
  return addSpan(
    Context.add(
      Context.add(Context.add(context, RequestId, request_id), ClientAddress, client),
      References.CurrentLogAnnotations,
      annotations
    ),
    span
  )
}

/**
 * If true, the log of a failed request contains the whole cause, with messages and stacks. Set it for development only,
 * because messages may contain personal data. Default: false.
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

/** Logs the warning about `X-Forwarded-For` before the effect runs, if the warning applies. */
const warnFirst = <A, R>(
  { headers, remoteAddress }: Incoming,
  { forwarding, trustedProxies }: ServerContext,
  answered: Effect.Effect<A, never, R>
): Effect.Effect<A, never, R> => {
  const forwardedFor = headers["x-forwarded-for"]
  return forwardedFor !== undefined &&
      ignoresForwarding(Option.getOrUndefined(remoteAddress), forwardedFor, trustedProxies)
    ? Effect.andThen(warnOfForwarding(forwarding), answered)
    : answered
}

type Failure = InternalFailure | MalformedRequest | OutcomeUnknown | ServiceUnavailable

/** A request with its complete context. */
interface Opened<R> {
  readonly exchange: Exchange
  readonly observation: Observation
  readonly context: Context.Context<R>
}

/** The pipeline of a route. It is created once, when the server starts. */
export interface Handler<R> {
  /**
   * Starts the work of a request. Calls `onSettled` once: with the response, or, if the work was interrupted, with the
   * reason why there is none. If the work does not wait for anything, the call happens before this method returns.
   */
  readonly start: (
    request: Incoming,
    params: PathParams,
    context: Context.Context<R | IdGenerator>,
    onSettled: (exit: Exit.Exit<Outgoing>) => void
  ) => RunningRequest
}

/**
 * Makes the handler of a route: assigns a request id, adds the request context, ends the request at its deadline, turns
 * defects into responses, and records metrics, a span and a log line.
 */
export const handleRequest = <R>(
  route: string,
  around: ServerContext,
  encodeFailure: (failure: Failure, exchange: Exchange) => Encoded,
  handle: (exchange: Exchange, params: PathParams) => Effect.Effect<Encoded, never, R>
): Handler<R> => {
  const refuseDefect = (cause: Cause.Cause<never>, exchange: Exchange): Effect.Effect<Encoded> => {
    if (Cause.hasInterruptsOnly(cause)) return Effect.failCause(cause)
    const defect = defectOf(cause)
    const [refusal, message] = isUndecided(defect)
      ? [new OutcomeUnknown(), "request failed: connection lost during commit; responding 503"] as const
      : isTransient(defect)
      ? [new ServiceUnavailable(), "request failed: dependency unavailable; responding 503"] as const
      : [new InternalFailure(), "request failed: internal error; responding 500"] as const
    return Effect.as(logDefect(message, cause), encodeFailure(refusal, exchange))
  }
  const { inSpan, record } = observeRoute(route)
  const answer = (exchange: Exchange, observation: Observation, encoded: Encoded): Effect.Effect<Outgoing> =>
    Effect.map(record(observation, encoded.status), () => respond(exchange, encoded))
  const refuseTimeout = ({ context, exchange, observation }: Opened<R>): Effect.Effect<Outgoing> =>
    Effect.andThen(
      Effect.andThen(logTimeout, countTimeout),
      Effect.suspend(() =>
        answer(
          exchange,
          observation,
          encodeFailure(
            // At its deadline, work that has begun to commit cannot be undone, so the change may have been made.
            isRead(exchange.request) ? new ServiceUnavailable() : new OutcomeUnknown(),
            exchange
          )
        )
      )
    ).pipe(
      Effect.tap((outgoing) => endSpan(observation, Exit.succeed(outgoing))),
      Effect.provideContext(context)
    )
  const start: Handler<R>["start"] = (request, params, context, onSettled) => {
    const clock = Context.get(context, Clock.Clock)
    const slot = slotOf(request.source)
    const deadline = new Deadline(around.timeLimit, monotonicMillisOf(clock) - (slot?.waited ?? 0))
    slot?.claim()
    let opened: Opened<R> | undefined
    const open = (observation: Observation, request_id: string): Opened<R> => {
      const exchange = makeExchange(request, request_id, deadline, slot, around)
      return opened = { exchange, observation, context: addRequestContext<R>(context, exchange, observation) }
    }
    const work = (request_id: string) =>
      inSpan(request, clock, (observation) => {
        const { context: complete, exchange } = open(observation, request_id)
        const handled = hasValidHost(request)
          ? handle(exchange, params)
          : Effect.sync(() => encodeFailure(new MalformedRequest(), exchange))
        const send = (encoded: Encoded) => answer(exchange, observation, encoded)
        const answered = Effect.matchCauseEffect(warnFirst(request, around, handled), {
          onFailure: (cause) => Effect.flatMap(refuseDefect(cause, exchange), send),
          onSuccess: send
        })
        return Effect.updateContext(answered, (_: Context.Context<R>) => complete)
      })
    const running = new RunningRequest({
      deadline,
      slot,
      clock,
      watch: around.deadlines,
      // The deadline may pass while the id generator is still running. Then there is no complete context.
      onTimeout: Effect.suspend(() =>
        opened === undefined
          ? Effect.provideContext(
            inSpan(request, clock, (observation) => refuseTimeout(open(observation, "unknown"))),
            context
          )
          : refuseTimeout(opened)
      ),
      onSettled
    })
    running.start(Effect.flatMap(readOrMakeRequestId(request, Context.get(context, IdGenerator)), work), context)
    return running
  }
  return { start }
}

/** Runs a handler in the current fiber. If the fiber is interrupted, the work of the request is interrupted too. */
export const runHandler = <R>(
  { start }: Handler<R>,
  request: Incoming,
  params: PathParams
): Effect.Effect<Outgoing, never, R | IdGenerator> =>
  Effect.contextWith((context: Context.Context<R | IdGenerator>) =>
    Effect.callback<Outgoing>((resume) => {
      let onEnd: (() => void) | undefined
      const running = start(request, params, context, (exit) => {
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
