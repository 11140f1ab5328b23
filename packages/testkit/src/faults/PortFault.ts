import { Context, Data, Effect } from "effect"

/** The calls that a fault hits. */
export interface FaultTiming {
  /** The first call to hit, counted from when the fault was set. Default: 1. */
  readonly nth?: number | undefined
  /** The number of calls to hit. `Infinity`: all calls until the fault is lifted. Default: 1. */
  readonly times?: number | undefined
}

/** A failure of a call that may fail with an `E`. */
export interface FailureOptions<E = unknown> extends FaultTiming {
  /** An error of the method's error channel, for example `new Busy({ retry_after_seconds: 1 })`. */
  readonly error?: E | undefined
  /** A defect, for example a lost database connection. Default without `error`: an `InjectedFault`. */
  readonly defect?: unknown
}

/** A fault that was set on a method of a port. */
export interface FaultSwitch extends Disposable {
  /** The number of calls hit so far. */
  readonly hits: number
  /** Lifts the fault: further calls are not hit. */
  readonly lift: () => void
}

/** A fault that a test injected into a port. */
export class InjectedFault extends Data.TaggedError("InjectedFault")<{
  readonly port: string
  readonly method: string
  /** Whether the call ran before its answer was lost. */
  readonly done: boolean
}> {
  override readonly message: string = this.done
    ? `Injected fault: ${this.port}.${this.method} ran and its answer was lost.`
    : `Injected fault: ${this.port}.${this.method} failed.`
}

/** A recorded call of a port. */
export interface PortCall {
  /** The port's name, for example `PartnerRepository`. */
  readonly port: string
  readonly method: string
  readonly args: ReadonlyArray<unknown>
  /** The faults that hit the call, in the order in which they were set. */
  readonly faults: ReadonlyArray<"delayed" | "failed" | "lost">
}

/** A call that has not started: the key of its port, its method, its arguments, and its effect. */
export interface InterceptedCall<A, E, R> {
  readonly key: string
  readonly method: string
  readonly args: ReadonlyArray<unknown>
  readonly call: Effect.Effect<A, E, R>
}

/** Applies faults to a call. */
export type Intercept = <A, E, R>(call: InterceptedCall<A, E, R>) => Effect.Effect<A, E, R>

/** Whether calls bypass faults and recording. True while a fixture stores records for a test. */
export const FaultsBypassed = Context.Reference<boolean>("@lastro/testkit/faults/PortFault/FaultsBypassed", {
  defaultValue: () => false
})

/** Runs an effect without faults. Its calls are not recorded. */
export const withoutFaults: <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R> = Effect.provideService(
  FaultsBypassed,
  true
)
