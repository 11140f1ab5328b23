import { callerKey, PasswordChangeRequired } from "@lastro/domain/access"
import { judgeSubject, Unauthenticated } from "@lastro/domain/identity"
import { Effect } from "effect"
import { type Encoded } from "../errors/encodeRefusal.ts"
import { type Refusal } from "../errors/Refusal.ts"
import { type HandlerServices } from "../mount/ApiRoutes.ts"
import { type ConsoleOptions } from "../mount/Console.ts"
import { runAsCaller } from "../pipeline/asCaller.ts"
import { type Exchange } from "../pipeline/Exchange.ts"
import { parseQuery } from "../pipeline/parseQuery.ts"
import { basePathOf } from "../security/parseIssuer.ts"
import { formatsOf } from "./formats.ts"
import { languageFor, redirect, wordsOf } from "./responses.ts"
import { sessionForm, sessionOf } from "./Session.ts"
import { type Visit } from "./Visit.ts"

/** Returns the functions that identify the user of a request. */
export const makeVisits = ({ callerGate, issuer, tokenGate }: ConsoleOptions) => {
  const origin = { issuer }
  const base = basePathOf(issuer)

  const framed = (exchange: Exchange) => ({ base, exchange, words: wordsOf[languageFor(exchange)] })

  /** Identifies the user of a request. The request counts toward the user's rate limit, like one of the API. */
  const visitOf = Effect.fnUntraced(function*(exchange: Exchange) {
    const claims = yield* sessionOf(exchange, origin, tokenGate)
    exchange.running.claims = claims
    const principal = yield* Effect.fromResult(judgeSubject(claims))
    const bucket = callerKey(principal)
    yield* Effect.fromResult(callerGate(bucket, {}, exchange.clock))
    const caller = yield* runAsCaller(claims, bucket, exchange.slot, Effect.succeed)
    const language = languageFor(exchange)
    const visit: Visit = {
      ...framed(exchange),
      caller,
      language,
      formats: formatsOf(language),
      form: yield* sessionForm({ ...claims, subject: principal.subject }),
      params: exchange.params,
      query: parseQuery(exchange.request.url),
      refused: undefined
    }
    return visit
  })

  /** Redirects a browser without a session to the sign-in, and a user with a temporary password to its change. */
  const orSignIn = (exchange: Exchange, serving: Effect.Effect<Encoded, Refusal, HandlerServices>) =>
    Effect.catch(serving, (refusal): Effect.Effect<Encoded, Refusal> => {
      if (refusal instanceof Unauthenticated) {
        const lost = exchange.request.method === "POST" ? "lost&" : ""
        return Effect.succeed(
          redirect(`${base}/console/sign-in?${lost}back=${encodeURIComponent(exchange.request.url)}`)
        )
      }
      return refusal instanceof PasswordChangeRequired
        ? Effect.succeed(redirect(`${base}/console/password`))
        : Effect.fail(refusal)
    })

  return { origin, base, framed, visitOf, orSignIn }
}

export type Visits = ReturnType<typeof makeVisits>
