import { layerLenders, Lender } from "@lastro/domain/lender"
import { Context, Effect, Layer } from "effect"
import { layerScriptedLender } from "./layerScriptedLender.ts"
import { ScriptedLender } from "./ScriptedLender.ts"

/** The scripts of several lenders, by their codes. */
export class ScriptedLenders extends Context.Service<
  ScriptedLenders,
  ReadonlyMap<string, ScriptedLender["Service"]>
>()("@lastro/testkit/lender/layerScriptedLenders/ScriptedLenders") {}

/**
 * Provides several scripted lenders, by their codes in order of preference. Each has a script and recorded calls of its
 * own. Dies with `LendersRefused` for an invalid code. Faults of the port `Lender` do not affect these lenders.
 */
export const layerScriptedLenders = (codes: ReadonlyArray<string>): Layer.Layer<Lender | ScriptedLenders> =>
  Layer.effectContext(Effect.gen(function*() {
    const scripts = new Map<string, ScriptedLender["Service"]>()
    const layers: Record<string, Layer.Layer<Lender>> = {}
    for (const code of codes) {
      const context = yield* Layer.build(Layer.fresh(layerScriptedLender))
      scripts.set(code, Context.get(context, ScriptedLender))
      layers[code] = Layer.succeed(Lender, Context.get(context, Lender))
    }
    return Context.add(yield* Layer.build(layerLenders(layers)), ScriptedLenders, scripts)
  }))
