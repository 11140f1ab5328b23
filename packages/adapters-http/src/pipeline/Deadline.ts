import { type Clock, type Duration } from "effect"

/** The default time limit of a request. */
export const defaultRequestTimeout: Duration.Input = "15 seconds"

/** Returns the monotonic time of a clock in milliseconds. */
export const monotonicMillisOf = (clock: Clock.Clock): number => Number(clock.monotonicTimeNanosUnsafe() / 1_000_000n)

/** The time by which a request must have its response. */
export class Deadline {
  readonly #limit: number
  #at: number

  /** `limit` is the time limit in milliseconds, `started` the monotonic time at which it began. */
  constructor(limit: number, started: number) {
    this.#limit = limit
    this.#at = started + limit
  }

  /** The monotonic time of the deadline in milliseconds. */
  get at(): number {
    return this.#at
  }

  /** Starts the time limit again at `waitEnd`, the end of a wait that the client requested. */
  postpone(waitEnd: number): void {
    this.#at = Math.max(this.#at, waitEnd + this.#limit)
  }
}
