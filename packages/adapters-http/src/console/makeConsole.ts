import { authorize, type Caller, callerKey, PasswordChangeRequired, type Permission } from "@lastro/domain/access"
import { type ExportName } from "@lastro/domain/export"
import { NotFound } from "@lastro/domain/hierarchy"
import { judgeSubject, TokenRefused, Unauthenticated } from "@lastro/domain/identity"
import { Effect, Option, Result } from "effect"
import { type ApiError } from "../api/ApiError.ts"
import { type Encoded } from "../errors/encodeRefusal.ts"
import { type Refusal } from "../errors/Refusal.ts"
import { type HandlerServices } from "../mount/ApiRoutes.ts"
import { type Console, type ConsoleOptions, type ConsoleRoute, type ServePage } from "../mount/Console.ts"
import { runAsCaller } from "../pipeline/asCaller.ts"
import { openCsvExport } from "../pipeline/csvExport.ts"
import { type Exchange } from "../pipeline/Exchange.ts"
import { parseQuery } from "../pipeline/parseQuery.ts"
import { basePathOf } from "../security/parseIssuer.ts"
import { applicationsQuery } from "./applicationsPage.ts"
import { icon, scriptFile, styleSheet } from "./assets.ts"
import { formatsOf } from "./formats.ts"
import { html } from "./html.ts"
import { pageText } from "./layout.ts"
import { pages } from "./pages.ts"
import {
  assetRoute,
  encodeForPage,
  encodePage,
  headers,
  keepLanguage,
  languageFor,
  page,
  pathWithin,
  readFields,
  redirect,
  wordsOf
} from "./responses.ts"
import { expectedVisitorForm, isOwnForm, sessionForm, sessionOf, signIn, signOut, visitorForm } from "./Session.ts"
import { signInView } from "./signInPage.ts"
import { type Page, type Visit } from "./Visit.ts"

/** The lists that can be downloaded. */
const csvLists: ReadonlyArray<readonly [path: `/${string}`, name: ExportName]> = [
  ["/console/applications/csv", "listApplications"],
  ["/console/commissions/csv", "listCommissions"],
  ["/console/partners/csv", "listPartners"],
  ["/console/users/csv", "listUsers"],
  ["/console/audit/csv", "listAudit"]
]

/** Fails unless the user has the permission of a page. The operations of the page check it, too. */
const requirePermission = ({ caller }: { readonly caller: Caller }, permission: Permission | null) =>
  permission === null ? Effect.void : Effect.fromResult(authorize(caller, permission))

/** Returns whether an error is due to the address of a page. The user can then continue with another page. */
const isOfRequest = (refusal: Refusal): boolean =>
  ["NotFound", "OutsideHierarchy", "PermissionDenied", "ValidationFailed"].includes(refusal._tag)

/** Shows an error that is due to the address as a page with the navigation. */
const orErrorPage = <R>(exchange: Exchange, visit: Visit, serving: Effect.Effect<Encoded, Refusal, R>) =>
  Effect.catchIf(serving, isOfRequest, (refusal) => Effect.succeed(encodePage(refusal, exchange, visit)))

/** Returns the functions that identify the user of a request. */
const makeVisits = ({ callerGate, issuer, tokenGate }: ConsoleOptions) => {
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

type Visits = ReturnType<typeof makeVisits>

/** Returns the functions that serve a page, run the action of a form, and send a list as CSV. */
const makePageServers = ({ base, orSignIn, visitOf }: Visits) => {
  const show = ({ permission, view }: Page): ServePage => (exchange) =>
    orSignIn(
      exchange,
      Effect.gen(function*() {
        const visit = yield* visitOf(exchange)
        const shown = Effect.gen(function*() {
          yield* requirePermission(visit, permission)
          return page(200, pageText(visit, yield* view(visit)))
        })
        return yield* orErrorPage(exchange, visit, shown)
      })
    )

  const act = ({ actions = {}, permission, view }: Page): ServePage => (exchange) =>
    orSignIn(
      exchange,
      Effect.gen(function*() {
        const visit = yield* visitOf(exchange)
        yield* requirePermission(visit, permission)
        const fields = yield* readFields(exchange)
        const action = fields["action"] ?? ""
        // Show the same page again, with the rejected form.
        const repeat = Effect.fnUntraced(function*(status: number, error: ApiError) {
          const repeated: Visit = { ...visit, refused: { action, fields, error } }
          return page(status, pageText(repeated, yield* view(repeated)))
        })
        if (!isOwnForm(exchange, fields["form"], visit.form)) {
          const { expired, failed } = visit.words
          // Only a page of the console itself can be stale. Another site must not fill in a form.
          return exchange.request.headers["sec-fetch-site"] === "same-origin"
            ? yield* repeat(403, {
              code: "PERMISSION_DENIED",
              message: expired,
              request_id: exchange.request_id,
              details: []
            })
            : page(403, pageText(visit, { title: failed, body: html`<p>${expired}</p>` }))
        }
        const run = Object.hasOwn(actions, action) ? actions[action] : undefined
        if (run === undefined) return yield* new NotFound()
        const result = yield* Effect.result(run(visit, fields))
        if (Result.isSuccess(result)) {
          return typeof result.success === "string"
            ? redirect(`${base}${result.success}`)
            : page(200, pageText(visit, result.success))
        }
        const refusal = result.failure
        if (refusal instanceof Unauthenticated || refusal instanceof PasswordChangeRequired) return yield* refusal
        const { body: { error }, headers: more, status } = encodeForPage(refusal, visit.language, exchange.request_id)
        const shown = yield* repeat(status, error)
        return { ...shown, headers: { ...more, ...shown.headers } }
      })
    )

  /** Sends a whole list as CSV, with the filters of the page. */
  const sendCsv = (name: ExportName): ServePage => (exchange) =>
    orSignIn(
      exchange,
      Effect.gen(function*() {
        const visit = yield* visitOf(exchange)
        const { caller, language } = visit
        const query = name === "listApplications" ? applicationsQuery(visit) : visit.query
        const opened = Effect.map(
          openCsvExport(name, caller, query, language),
          ({ content, headers: more, type }): Encoded => ({
            status: 200,
            headers: { ...headers, ...more },
            body: content,
            type
          })
        )
        return yield* orErrorPage(exchange, visit, opened)
      })
    )

  return { show, act, sendCsv }
}

/** Returns the functions that serve the sign-in, the sign-out and the choice of a language. */
const makeSignInServers = ({ base, framed, origin, visitOf }: Visits, { tokenGate }: ConsoleOptions) => {
  const showSignIn = Effect.fnUntraced(function*(exchange: Exchange, problem?: string, status = 200, email = "") {
    const frame = framed(exchange)
    const query = parseQuery(exchange.request.url)
    const back = typeof query["back"] === "string" ? query["back"] : ""
    const form = yield* visitorForm(exchange, origin)
    const view = signInView({ ...frame, form, problem, back, email, isOut: query["out"] !== undefined })
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

/** Makes the console. Pass it to the API, or to a mount without the API. */
export const makeConsole = (): Console => ({
  encode: encodePage,
  routes: (options) => {
    const visits = makeVisits(options)
    const { act, sendCsv, show } = makePageServers(visits)
    const { chooseLanguage, doSignIn, doSignOut, offerSignIn, showSignOut } = makeSignInServers(visits, options)
    return [
      ...[styleSheet, scriptFile, icon].map(assetRoute),
      { path: "/console/sign-in", serve: { GET: offerSignIn, POST: doSignIn } },
      { path: "/console/sign-out", serve: { GET: showSignOut, POST: doSignOut } },
      { path: "/console/language", serve: { GET: chooseLanguage } },
      ...csvLists.map(([path, name]) => ({ path, serve: { GET: sendCsv(name) } })),
      ...pages.map((entry): ConsoleRoute => ({
        path: entry.path,
        serve: { GET: show(entry), ...(entry.actions === undefined ? {} : { POST: act(entry) }) }
      }))
    ]
  }
})
