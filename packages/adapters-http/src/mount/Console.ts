import { type Effect } from "effect"
import { type Encoded } from "../errors/encodeRefusal.ts"
import { type Refusal } from "../errors/Refusal.ts"
import { type RateGate } from "../limits/rateGate.ts"
import { type Exchange } from "../pipeline/Exchange.ts"
import { type HandlerServices } from "./ApiRoutes.ts"

export type ServePage = (exchange: Exchange) => Effect.Effect<Encoded, Refusal, HandlerServices>

/** A path of the console, with its handlers by method. */
export interface ConsoleRoute {
  readonly path: `/${string}`
  readonly serve: Readonly<Partial<Record<"GET" | "POST", ServePage>>>
}

/** The dependencies of the console. */
export interface ConsoleOptions {
  /** The base URL of the API. */
  readonly issuer: string
  /** The rate limit per caller. A page counts as one request of the API. */
  readonly callerGate: RateGate
  /** The rate limit of the token operations. It applies to sign-ins. */
  readonly tokenGate: RateGate
}

/** The pages for people, made by `makeConsole` of `@lastro/adapters-http/console`. */
export interface Console {
  readonly routes: (options: ConsoleOptions) => ReadonlyArray<ConsoleRoute>
  /** Encodes an error as a page, in the language of the browser. */
  readonly encode: (refusal: Refusal, exchange: Exchange) => Encoded
}
