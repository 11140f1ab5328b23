import { TokenRefused, Unauthenticated } from "@lastro/domain/identity"
import { Effect, Option, Result } from "effect"
import { type ConsoleOptions, type ServePage } from "../mount/Console.ts"
import { type Exchange } from "../pipeline/Exchange.ts"
import { parseQuery } from "../pipeline/parseQuery.ts"
import { pageText } from "./layout.ts"
import { type Visits } from "./makeVisits.ts"
import { encodeForPage, keepLanguage, languageFor, page, pathWithin, readFields, redirect } from "./responses.ts"
import { expectedVisitorForm, isOwnForm, signIn, signOut, visitorForm } from "./Session.ts"
import { signInView } from "./signInPage.ts"

/** Returns the functions that serve the sign-in, the sign-out and the choice of a language. */
export const makeSignInServers = ({ base, framed, origin, visitOf }: Visits, { tokenGate }: ConsoleOptions) => {
  const showSignIn = Effect.fnUntraced(function*(exchange: Exchange, problem?: string, status = 200, email = "") {
    const frame = framed(exchange)
    const query = parseQuery(exchange.request.url)
    const back = typeof query["back"] === "string" ? query["back"] : ""
    const form = yield* visitorForm(exchange, origin)
    const { passwordSaved, signedOut } = frame.words
    const farewell = query["out"] === undefined ? undefined : signedOut
    const notice = query["changed"] === undefined ? farewell : passwordSaved
    const view = signInView({ ...frame, form, problem, back, email, notice })
    return page(status, pageText(frame, view))
  })

  /** Shows the sign-in to a browser without a session. Redirects a browser with a session. */
  const offerSignIn: ServePage = (exchange) =>
    Effect.catchIf(
      Effect.as(visitOf(exchange), redirect(`${base}/console`)),
      (refusal) => refusal instanceof Unauthenticated,
      () => {
        const { expired, lost } = parseQuery(exchange.request.url)
        const { words } = framed(exchange)
        if (lost !== undefined) return showSignIn(exchange, words.formLost)
        return showSignIn(exchange, expired === undefined ? undefined : words.expired)
      }
    )

  const doSignIn: ServePage = Effect.fnUntraced(function*(exchange: Exchange) {
    yield* Effect.fromResult(tokenGate(exchange.client, {}, exchange.clock))
    const { words } = framed(exchange)
    const fields = yield* readFields(exchange)
    const expected = yield* expectedVisitorForm(exchange, origin)
    // Either the browser has a session, or it sent no cookie, because the form is on another site. Redirect it to the
    // sign-in, which does not change a session.
    if (Option.isNone(expected)) return redirect(`${base}/console/sign-in?expired`)
    if (!isOwnForm(exchange, fields["form"], expected.value)) {
      return yield* showSignIn(exchange, words.expired, 403)
    }
    const { email = "", password = "" } = fields
    const entered = yield* Effect.result(signIn(exchange, origin, email, password))
    if (Result.isSuccess(entered)) return redirect(`${base}${pathWithin(fields["back"] ?? "")}`)
    const refusal = entered.failure
    if (refusal instanceof TokenRefused) return yield* showSignIn(exchange, words.wrongPassword, 401, email)
    const { body: { error }, headers: more, status } = encodeForPage(
      refusal,
      languageFor(exchange),
      exchange.request_id
    )
    const shown = yield* showSignIn(exchange, error.message, status, email)
    return { ...shown, headers: { ...more, ...shown.headers } }
  })

  const signedOut = redirect(`${base}/console/sign-in?out`)

  const doSignOut: ServePage = (exchange) =>
    Effect.catchIf(
      Effect.gen(function*() {
        const visit = yield* visitOf(exchange)
        const fields = yield* readFields(exchange)
        if (!isOwnForm(exchange, fields["form"], visit.form)) return redirect(`${base}/console`)
        yield* signOut(exchange, origin)
        return signedOut
      }),
      (refusal) => refusal instanceof Unauthenticated,
      () => Effect.succeed(signedOut)
    )

  /** The address of the sign-out has no page of its own, but a browser can have it in its history. */
  const showSignOut: ServePage = () => Effect.succeed(redirect(`${base}/console`))

  const chooseLanguage: ServePage = (exchange) =>
    Effect.sync(() => {
      const { back, to } = parseQuery(exchange.request.url)
      keepLanguage(exchange, to === "pt-BR" ? "pt-BR" : "en")
      return redirect(`${base}${pathWithin(typeof back === "string" ? back : "")}`)
    })

  return { offerSignIn, doSignIn, showSignOut, doSignOut, chooseLanguage }
}
