import { Context, Effect } from "effect"
import { type LenderName } from "../offer/QuotePart.ts"
import { Lender } from "./Lender.ts"
import { LenderSettings, type LenderSettingsValues } from "./LenderSettings.ts"

/** The code of a lender is a lower-case letter, then up to 31 lower-case letters, digits and hyphens. */
export const isLenderCode = (text: string): boolean => /^[a-z][a-z0-9-]{0,31}$/.test(text)

/**
 * The operator's status of a lender:
 * - active: it gets new quotes.
 * - draining: it gets no new quotes. Its offers can be accepted, and its contracts continue.
 * - stopped: it gets no new quotes, and its offers cannot be accepted. Its contracts continue.
 */
export const lenderStatuses = ["active", "draining", "stopped"] as const
/** The operator's status of a lender ({@link lenderStatuses}). */
export type LenderStatus = typeof lenderStatuses[number]

/** A lender of the installation, with its settings. */
export interface RegisteredLender extends LenderName {
  readonly status: LenderStatus
  /** The adapter. The name in its requirements is the code of the lender. */
  readonly lender: Lender["Service"]
  readonly settings: LenderSettingsValues
}

/** The lenders of an installation. */
export interface LenderRegistry {
  /** In order of preference. Never empty. */
  readonly lenders: ReadonlyArray<RegisteredLender>
  /**
   * The waiting time of a quote for a slow lender, in milliseconds. Null in an installation that was composed with one
   * `Lender`, whose quotes have one part.
   */
  readonly quote_patience_ms: number | null
}

/** The default of `quote_patience_ms`. */
export const defaultQuotePatienceMs = 15_000

/**
 * The lenders of an installation with lender codes. `layerLenders` provides it, with the first lender as `Lender`.
 * Default: null, which means that the installation has one `Lender`, whose code is the name of its adapter.
 */
export const Lenders = Context.Reference<LenderRegistry | null>("@lastro/domain/lender/Lenders", {
  defaultValue: () => null
})

/** Returns the lenders of the installation. */
export const lenderRegistry: Effect.Effect<LenderRegistry, never, Lender> = Effect.gen(function*() {
  const registry = yield* Lenders
  if (registry !== null) return registry
  const lender = yield* Lender
  const { name } = lender.requirements
  const only: RegisteredLender = {
    code: name,
    label: name,
    status: "active",
    lender,
    settings: yield* LenderSettings
  }
  return { lenders: [only], quote_patience_ms: null }
})

/** Returns the lender with a code. Undefined if it is not, or no longer, in the installation. */
export const findLender = ({ lenders }: LenderRegistry, code: string): RegisteredLender | undefined =>
  lenders.find((lender) => lender.code === code)

/**
 * A quote, an offer or a contract belongs to the lender whose code is stored with it. A record stored before lenders
 * had codes belongs to the only lender of the installation, if there is only one.
 * @rule LENDER-27
 */
export const lenderOfRecord = <L extends { readonly code: string }>(
  { lenders }: { readonly lenders: ReadonlyArray<L> },
  code: string | null
): L | undefined => {
  if (code !== null) return lenders.find((lender) => lender.code === code)
  return lenders.length === 1 ? lenders[0] : undefined
}

/**
 * Provides a lender and its settings to an effect, so that the effect calls only this lender. Adds the code of the
 * lender to the logs of the effect.
 */
export const atLender =
  ({ code, lender, settings }: RegisteredLender) =>
  <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, Exclude<R, Lender>> =>
    effect.pipe(
      Effect.provideService(Lender, lender),
      Effect.provideService(LenderSettings, settings),
      Effect.annotateLogs({ lender: code })
    )
