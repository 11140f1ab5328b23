import { type Application } from "@lastro/domain/loan"
import { layerScriptedLender, type QuoteAnswer, ScriptedLender } from "@lastro/testkit"
import { Context, Effect, Layer } from "effect"

/** Makes a scripted lender that outlives the nodes that use it. */
export const makeScriptedLender = Effect.map(Layer.build(Layer.fresh(layerScriptedLender)), (context) => ({
  script: Context.get(context, ScriptedLender),
  lender: Layer.succeedContext(context)
}))

/** Counts the requests to the lender for the first quote of an application. */
export const countQuoteRequests = ({ calls }: ScriptedLender["Service"], { quotes }: Application) =>
  Effect.map(
    calls,
    (made) => made.filter((call) => call._tag === "Quote" && call.request.quote_id === quotes[0].quote_id).length
  )

/** A quote request that is never answered. */
export const neverAnswer: QuoteAnswer = (_request) => Effect.never
