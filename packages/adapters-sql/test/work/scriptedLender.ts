import { type Application } from "@lastro/domain"
import { layerScriptedLender, type QuoteAnswer, ScriptedLender } from "@lastro/testkit"
import { Context, Effect, Layer } from "effect"

/** A scripted lender that outlives the nodes that ask it. */
export const scripted = Effect.map(Layer.build(Layer.fresh(layerScriptedLender)), (context) => ({
  script: Context.get(context, ScriptedLender),
  lender: Layer.succeedContext(context)
}))

/** How often the lender was asked for the first quote of an application. */
export const timesAsked = ({ calls }: ScriptedLender["Service"], { quotes }: Application) =>
  Effect.map(
    calls,
    (made) => made.filter((call) => call._tag === "Quote" && call.request.quote_id === quotes[0].quote_id).length
  )

/** No answer, ever. */
export const never: QuoteAnswer = (_request) => Effect.never
