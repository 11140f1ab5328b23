import { Context, Data, Effect } from "effect"

/** Selects the calls that a fault affects. */
export interface FaultTiming {
  /** The first affected call: 1 is the first call after the fault was set, 2 is the second. Default: 1. */
  readonly nth?: number | undefined
  /** Number of affected calls. With `Infinity`, every call until the fault is removed. Default: 1. */
  readonly times?: number | undefined
}

/** The failure to inject into a call. `E` is the error type of the call. */
export interface FailureOptions<E = unknown> extends FaultTiming {
  /** A typed error of the method, for example `new Busy({ retry_after_seconds: 1 })`. */
  readonly error?: E | undefined
  /** A defect, for example a lost database connection. Default: an `InjectedFault`, unless `error` is set. */
  readonly defect?: unknown
}

/** A fault that was set on a method of a port. */
export interface FaultSwitch extends Disposable {
  /** The number of calls affected so far. */
  readonly hits: number
  /** Removes the fault. Later calls are not affected. */
  readonly lift: () => void
}

/** A fault that a test injected into a port. */
export class InjectedFault extends Data.TaggedError("InjectedFault")<{
  readonly port: string
  readonly method: string
  /** True if the call was executed and only its result was lost. */
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
  /** The faults that affected the call, in the order in which they were set. */
  readonly faults: ReadonlyArray<"delayed" | "failed" | "lost">
}

/** A call that has not started yet: the key of the port, the method, the arguments and the effect. */
export interface InterceptedCall<A, E, R> {
  readonly key: string
  readonly method: string
  readonly args: ReadonlyArray<unknown>
  readonly call: Effect.Effect<A, E, R>
}

/** Applies faults to a call. */
export type Intercept = <A, E, R>(call: InterceptedCall<A, E, R>) => Effect.Effect<A, E, R>

/** Wraps a call to observe its start and its end. */
export type ObserveCall = <A, E, R>(call: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>

/** The observer of the port calls of an effect. Default: none. */
export const ObservedCalls = Context.Reference<ObserveCall>("@lastro/testkit/faults/PortFault/ObservedCalls", {
  defaultValue: () => (call) => call
})

/** True while a fixture stores records for a test. Port calls are then not recorded, and faults do not affect them. */
export const FaultsBypassed = Context.Reference<boolean>("@lastro/testkit/faults/PortFault/FaultsBypassed", {
  defaultValue: () => false
})

/** Runs an effect. Its port calls are not recorded, and faults do not affect them. */
export const withoutFaults: <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R> = Effect.provideService(
  FaultsBypassed,
  true
)
