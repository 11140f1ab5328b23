import { type Effect } from "effect"
import { type Encoded } from "../errors/encodeRefusal.ts"
import { type Refusal } from "../errors/Refusal.ts"
import { type RateGate } from "../limits/rateGate.ts"
import { type Exchange } from "../pipeline/Exchange.ts"
import { type HandlerServices } from "./ApiRoutes.ts"

/** Answers a request for a page. */
export type ServePage = (exchange: Exchange) => Effect.Effect<Encoded, Refusal, HandlerServices>

/** A path of the console, with what it answers by method. */
export interface ConsoleRoute {
  readonly path: `/${string}`
  readonly serve: Readonly<Partial<Record<"GET" | "POST", ServePage>>>
}

/** What the API gives to the console. */
interface ConsoleOptions {
  /** The base URL of the API. */
  readonly issuer: string
  /** The rate limit of a caller. A page counts as a request of the API. */
  readonly callerGate: RateGate
  /** The rate limit of the token operations. It applies to sign-in. */
  readonly tokenGate: RateGate
}

/** Pages for people. `makeConsole` of `@lastro/adapters-http/console` makes them. */
export interface Console {
  readonly routes: (options: ConsoleOptions) => ReadonlyArray<ConsoleRoute>
  /** Encodes an error as a page, in the language of the browser. */
  readonly encode: (refusal: Refusal, exchange: Exchange) => Encoded
}
