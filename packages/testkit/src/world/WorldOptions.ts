import { type Lender } from "@lastro/domain"
import { type Layer, type LogLevel } from "effect"

/** How a test's world begins. */
export interface WorldOptions {
  /** Where the clock stands, ISO 8601: `2026-01-31T12:00:00.000Z` unless given. */
  readonly now?: string | undefined
  /**
   * The ids of new records: counted up from `01900000-0000-7000-9000-000000000001`, after those that are given; or `random`. Entries of
   * the audit have ids too.
   */
  readonly ids?: "sequential" | "random" | ReadonlyArray<string> | undefined
  /** Temporary passwords, client secrets and refresh tokens: counted up, after those that are given. */
  readonly secrets?: "sequential" | ReadonlyArray<string> | undefined
  /** What is logged, from which level on: nothing unless given, as faults that a test asked for are no news. */
  readonly logs?: LogLevel.LogLevel | undefined
}

/** A world with another lender than the one that a test scripts. */
export interface WithLender {
  /** `layerSandboxLender({ stepMs: 0 })`, say. */
  readonly lender: Layer.Layer<Lender>
}
