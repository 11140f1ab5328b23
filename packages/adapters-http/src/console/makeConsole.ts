import { authorize, type Caller, PasswordChangeRequired, type Permission } from "@lastro/domain/access"
import { type ExportName } from "@lastro/domain/export"
import { NotFound } from "@lastro/domain/hierarchy"
import { Unauthenticated } from "@lastro/domain/identity"
import { Effect, Option, Result } from "effect"
import { type ApiError } from "../api/ApiError.ts"
import { type Encoded } from "../errors/encodeRefusal.ts"
import { MalformedBody } from "../errors/HttpRefusals.ts"
import { type Language, languages } from "../errors/Language.ts"
import { type Refusal } from "../errors/Refusal.ts"
import { type Console, type ConsoleRoute, type ServePage } from "../mount/Console.ts"
import { openCsvExport } from "../pipeline/csvExport.ts"
import { type Exchange } from "../pipeline/Exchange.ts"
import { applicationsQuery } from "./applicationFilters.ts"
import { icon, scriptFile, styleSheet } from "./assets.ts"
import { formatsOf } from "./formats.ts"
import { html } from "./html.ts"
import { pageText } from "./layout.ts"
import { makeSignInServers } from "./makeSignInServers.ts"
import { makeVisits, type Visits } from "./makeVisits.ts"
import { pages } from "./pages.ts"
import { parseRejection, type Rejection } from "./Rejection.ts"
import {
  assetRoute,
  encodeForPage,
  encodePage,
  headers,
  keepLanguage,
  page,
  readFields,
  redirect,
  wordsOf
} from "./responses.ts"
import { isOwnForm } from "./Session.ts"
import { type Page, type Visit } from "./Visit.ts"

/** The lists that can be downloaded. */
const csvLists: ReadonlyArray<readonly [path: `/${string}`, name: ExportName]> = [
  ["/console/applications/csv", "listApplications"],
  ["/console/commissions/csv", "listCommissions"],
  ["/console/partners/csv", "listPartners"],
  ["/console/users/csv", "listUsers"],
  ["/console/audit/csv", "listAudit"]
]

/** The paths of one to four segments that no other page has. */
const unknownPaths = ["/console/:a", "/console/:a/:b", "/console/:a/:b/:c", "/console/:a/:b/:c/:d"] as const

const languageNamed = (text: string | undefined): Language | undefined => languages.find((one) => one === text)

/** Returns a visit whose pages are in a language. */
const inLanguage = (visit: Visit, language: Language): Visit => ({
  ...visit,
  language,
  words: wordsOf[language],
  formats: formatsOf(language)
})

/** Fails unless the user has the permission of a page. The operations of the page check it, too. */
const requirePermission = ({ caller }: { readonly caller: Caller }, permission: Permission | null) =>
  permission === null ? Effect.void : Effect.fromResult(authorize(caller, permission))

/** Returns whether an error is due to the address of a page. The user can then continue with another page. */
const isOfRequest = (refusal: Refusal): boolean =>
  ["NotFound", "OutsideHierarchy", "PermissionDenied", "ValidationFailed"].includes(refusal._tag)

/** Shows an error that is due to the address as a page with the navigation. */
const orErrorPage = <R>(exchange: Exchange, visit: Visit, serving: Effect.Effect<Encoded, Refusal, R>) =>
  Effect.catchIf(serving, isOfRequest, (refusal) => Effect.succeed(encodePage(refusal, exchange, visit)))

/** Returns the functions that serve a page, run the action of a form, and send a list as CSV. */
const makePageServers = ({ base, orSignIn, visitOf }: Visits) => {
  const show = ({ permission, view }: Page): ServePage => (exchange) =>
    orSignIn(
      exchange,
      Effect.gen(function*() {
        const visit = yield* visitOf(exchange)
        const serving = Effect.gen(function*() {
          yield* requirePermission(visit, permission)
          const shown = yield* view(visit)
          return page(shown.status ?? 200, pageText(visit, shown))
        })
        return yield* orErrorPage(exchange, visit, serving)
      })
    )

  const act = ({ actions = {}, permission, view }: Page): ServePage => (exchange) =>
    orSignIn(
      exchange,
      Effect.gen(function*() {
        const arrived = yield* visitOf(exchange)
        yield* requirePermission(arrived, permission)
        const fields = yield* readFields(exchange)
        // The user can have chosen another language after the form was opened. Its numbers are in the earlier one.
        const visit = inLanguage(arrived, languageNamed(fields["written_in"]) ?? arrived.language)
        const action = fields["action"] ?? ""
        // Show the same page again, with the rejected form.
        const repeat = Effect.fnUntraced(
          function*(status: number, rejection: Rejection, language: Language = visit.language) {
            const refused = { action, fields, rejection, error: rejection.errors[language] }
            const repeated: Visit = { ...inLanguage(visit, language), refused }
            return page(status, pageText(repeated, yield* view(repeated)))
          }
        )
        const rejected = (errorIn: (language: Language) => ApiError): Rejection => ({
          language: visit.language,
          errors: { en: errorIn("en"), "pt-BR": errorIn("pt-BR") }
        })
        if (!isOwnForm(exchange, fields["form"], visit.form)) {
          const { expired, failed } = visit.words
          // Only a page of the console itself can be stale. Another site must not fill in a form.
          return exchange.request.headers["sec-fetch-site"] === "same-origin"
            ? yield* repeat(
              403,
              rejected((language) => ({
                code: "PERMISSION_DENIED",
                message: wordsOf[language].expired,
                request_id: exchange.request_id,
                details: []
              }))
            )
            : page(403, pageText(visit, { title: failed, body: html`<p>${expired}</p>` }))
        }
        const language = languageNamed(fields["language"])
        if (language !== undefined) {
          const rejection = parseRejection(fields["rejection"])
          if (Option.isNone(rejection)) return yield* new MalformedBody()
          // A response sets one cookie. If it is that of a renewed session, the browser sends the form once more.
          if (exchange.headers["set-cookie"] !== undefined) {
            return { ...redirect(`${base}${exchange.request.url}`), status: 307 }
          }
          keepLanguage(exchange, language)
          return yield* repeat(200, rejection.value, language)
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
        const encodeIn = (language: Language) => encodeForPage(refusal, language, exchange.request_id)
        const { headers: more, status } = encodeIn(visit.language)
        const shown = yield* repeat(status, rejected((language) => encodeIn(language).body.error))
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

/** Makes the console. Pass it to the API, or to a mount without the API. */
export const makeConsole = (): Console => ({
  encode: encodePage,
  routes: (options) => {
    const visits = makeVisits(options)
    const { act, sendCsv, show } = makePageServers(visits)
    const showUnknown = show({ path: "/console", permission: null, view: () => Effect.fail(new NotFound()) })
    const { chooseLanguage, doSignIn, doSignOut, offerSignIn, showSignOut } = makeSignInServers(visits, options)
    return [
      ...[styleSheet, scriptFile, icon].map(assetRoute),
      { path: "/console/", serve: { GET: () => Effect.succeed(redirect(`${visits.base}/console`)) } },
      { path: "/console/sign-in", serve: { GET: offerSignIn, POST: doSignIn } },
      { path: "/console/sign-out", serve: { GET: showSignOut, POST: doSignOut } },
      { path: "/console/language", serve: { GET: chooseLanguage } },
      ...csvLists.map(([path, name]) => ({ path, serve: { GET: sendCsv(name) } })),
      ...pages.map((entry): ConsoleRoute => ({
        path: entry.path,
        serve: { GET: show(entry), ...(entry.actions === undefined ? {} : { POST: act(entry) }) }
      })),
      ...unknownPaths.map((path): ConsoleRoute => ({ path, serve: { GET: showUnknown, POST: showUnknown } }))
    ]
  }
})
