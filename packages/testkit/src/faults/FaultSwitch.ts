/** Which calls a switch strikes. */
export interface Strikes {
  /** The first call that it strikes, counted from when it was set: 1 unless given. */
  readonly nth?: number | undefined
  /** How many calls it strikes: 1 unless given; `Infinity` for all until it is lifted. */
  readonly times?: number | undefined
}

/** How a call fails that may fail with an `E`. */
export interface Failing<E = unknown> extends Strikes {
  /** An error that the method promises, `new Busy({ retry_after_seconds: 1 })`. */
  readonly error?: E | undefined
  /** Anything else that goes wrong, as when the database is away; an `InjectedFault` where neither is given. */
  readonly defect?: unknown
}

/** A switch that was set. */
export interface FaultSwitch extends Disposable {
  /** How many calls it has struck. */
  readonly struck: number
  /** Takes it back: it strikes no further call. */
  readonly lift: () => void
}
