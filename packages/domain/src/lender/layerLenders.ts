import { Context, Effect, Layer } from "effect"
import { Lender } from "./Lender.ts"
import {
  defaultQuotePatienceMs,
  isLenderCode,
  type LenderRegistry,
  Lenders,
  type LenderStatus,
  type RegisteredLender
} from "./Lenders.ts"
import { LenderSettings, type LenderSettingsValues } from "./LenderSettings.ts"

/** A lender of {@link layerLenders}, with settings of its own. */
export interface LenderEntry<E = never, R = never> {
  readonly layer: Layer.Layer<Lender, E, R>
  /** The name for people. Default: the code. */
  readonly label?: string | undefined
  /** Default: active. */
  readonly status?: LenderStatus | undefined
  /** Default: the surrounding `LenderSettings`. */
  readonly settings?: LenderSettingsValues | undefined
}

/** Options of {@link layerLenders}. */
export interface LendersOptions {
  /** The waiting time of a quote for a slow lender, in milliseconds. Default: 15 seconds. */
  readonly quotePatienceMs?: number | undefined
}

/** A lender code is not valid, or there is no lender. */
export class LendersRefused extends Error {
  override readonly name = "LendersRefused"
}

/**
 * The code of the lender whose layer is being built. An adapter uses it as the label `lender` of its metrics. Default:
 * null, which means the name of the adapter.
 */
export const LenderCode = Context.Reference<string | null>("@lastro/domain/lender/layerLenders/LenderCode", {
  defaultValue: () => null
})

type AnyEntry<E, R> = Layer.Layer<Lender, E, R> | LenderEntry<E, R>

/**
 * Provides several lenders, by code and in order of preference: `layerLenders({ parana: layerHttpLender(…) })`. A code
 * is a lower-case letter, then up to 31 lower-case letters, digits and hyphens. It is stored with quotes, offers and
 * contracts, so it must never change. It is also the name of the lender in callbacks, metrics and the throttle. Dies
 * with `LendersRefused` if a code is not valid, or if there is no lender.
 */
export const layerLenders = <E = never, R = never>(
  lenders: Readonly<Record<string, AnyEntry<E, R>>>,
  { quotePatienceMs = defaultQuotePatienceMs }: LendersOptions = {}
): Layer.Layer<Lender, E, R> =>
  Layer.effectContext(Effect.gen(function*() {
    const registered: Array<RegisteredLender> = []
    for (const [code, entry] of Object.entries(lenders)) {
      if (!isLenderCode(code)) {
        return yield* Effect.die(
          new LendersRefused(
            "The code of a lender must be a lower-case letter and up to 31 lower-case letters, digits and hyphens."
          )
        )
      }
      const { label = code, layer, settings, status = "active" } = "layer" in entry ? entry : { layer: entry }
      const context = yield* Effect.provideService(Layer.build(Layer.fresh(layer)), LenderCode, code)
      const adapter = Context.get(context, Lender)
      const lender = Lender.of({ ...adapter, requirements: { ...adapter.requirements, name: code } })
      registered.push({ code, label, status, lender, settings: settings ?? (yield* LenderSettings) })
    }
    const [first] = registered
    if (first === undefined) return yield* Effect.die(new LendersRefused("An installation needs at least one lender."))
    const registry: LenderRegistry = { lenders: registered, quote_patience_ms: quotePatienceMs }
    return Context.make(Lender, first.lender).pipe(Context.add(Lenders, registry))
  }))
