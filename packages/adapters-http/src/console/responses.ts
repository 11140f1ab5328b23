import { NotFound } from "@lastro/domain/hierarchy"
import { ValidationFailed } from "@lastro/domain/input"
import { Effect, Result } from "effect"
import { type ApiError } from "../api/ApiError.ts"
import { type Encoded, type EncodedRefusal, encodeRefusal } from "../errors/encodeRefusal.ts"
import { MalformedBody } from "../errors/HttpRefusals.ts"
import { type Language, preferredLanguage } from "../errors/Language.ts"
import { type Refusal } from "../errors/Refusal.ts"
import { type ConsoleRoute } from "../mount/Console.ts"
import { type Exchange } from "../pipeline/Exchange.ts"
import { parseForm } from "../pipeline/parseForm.ts"
import { readText, whileArriving } from "../pipeline/readBody.ts"
import { type Asset } from "./assets.ts"
import { fieldLabel } from "./fieldLabel.ts"
import { formatsOf } from "./formats.ts"
import { html } from "./html.ts"
import { pageText, policy } from "./layout.ts"
import { type Visit } from "./Visit.ts"
import { type Words, wordsEn } from "./wordsEn.ts"
import { wordsPtBr } from "./wordsPtBr.ts"

const languageCookie = "lastro_language"

/** The texts of each language. */
export const wordsOf: Readonly<Record<Language, Words>> = { en: wordsEn, "pt-BR": wordsPtBr }

/** Returns the language of a browser: the one that the user chose, or else the one that the browser prefers. */
export const languageFor = ({ request }: Exchange): Language => {
  const chosen = new RegExp(`(?:^|;\\s*)${languageCookie}=(en|pt-BR)(?:;|$)`).exec(request.headers["cookie"] ?? "")?.[1]
  return chosen === "en" || chosen === "pt-BR" ? chosen : preferredLanguage(request.headers["accept-language"])
}

/** Stores the language that a user chose. */
export const keepLanguage = (exchange: Exchange, language: Language): void => {
  exchange.headers["set-cookie"] = `${languageCookie}=${language}; Path=/; Max-Age=31536000; SameSite=Lax; HttpOnly`
}

/** The headers of every page. */
export const headers = {
  "cache-control": "no-store",
  "content-security-policy": policy,
  vary: "Cookie, Accept-Language",
  // The address of a page contains ids of records, so it is not sent to other sites.
  "referrer-policy": "same-origin"
}

export const page = (status: number, text: string): Encoded => ({
  status,
  headers,
  body: text,
  type: "text/html; charset=utf-8"
})

/** Redirects the browser to another page of the console. */
export const redirect = (location: string): Encoded => ({
  status: 303,
  headers: { ...headers, location },
  body: "",
  type: "text/plain; charset=utf-8"
})

/** Serves a file that pages load. */
export const assetRoute = ({ path, text, type }: Asset): ConsoleRoute => ({
  path,
  serve: {
    GET: () =>
      Effect.succeed({
        status: 200,
        headers: { "cache-control": "public, max-age=31536000, immutable" },
        body: text,
        type
      })
  }
})

/** Reads the fields of a form. Rejects a form with a repeated field. */
export const readFields = Effect.fnUntraced(function*(exchange: Exchange) {
  const reading = readText(exchange.request, ["application/x-www-form-urlencoded"])
  const { text } = yield* whileArriving(exchange, reading)
  return yield* Effect.fromResult(Result.mapError(parseForm(text), () => new MalformedBody()))
})

/**
 * Returns the text if it is a path of the console, with its query, and otherwise `/console`. The path contains no dots,
 * encoded or not, so it cannot leave the console.
 */
export const pathWithin = (text: string): string =>
  /^\/console(?:\/[\w/-]*)?(?:\?[\w./=&%~:,+*-]*)?$/.test(text) ? text : "/console"

/** Returns the text of an error whose message in the API names a part of a request. Undefined for other errors. */
const ownText = ({ code }: ApiError, wait: string | undefined, words: Words): string | undefined => {
  if (code === "EARLIER_SECRET_VALID") return words.earlierSecret
  if (code === "PRECONDITION_FAILED") return words.changedMeanwhile
  return code === "RATE_LIMITED" && wait !== undefined ? words.tooMany(Math.ceil(Number(wait) / 60)) : undefined
}

/** Encodes an error for a page. Its bounds and its time to wait are written as people read them. */
export const encodeForPage = (refusal: Refusal, language: Language, request_id: string): EncodedRefusal => {
  const words = wordsOf[language]
  const { bound } = formatsOf(language)
  // The bound of a date can be another field.
  const boundOf = (value: string | number) => value === "birth_date" ? `“${words.birthDate}”` : bound(value)
  const encoded = encodeRefusal(refusal, language, request_id, boundOf)
  const { body: { error }, headers: { "retry-after": wait } } = encoded
  const message = ownText(error, wait, words) ?? error.message
  return { ...encoded, body: { error: { ...error, message } } }
}

/** Returns the name of a query parameter from the path of its error. */
export const nameOf = (field: string): string => field.replace(/^query\./, "")

/** Returns the path of a list with its filters, except the rejected ones. The file of a list leads to the list. */
const pathWithout = ({ path, request }: Exchange, fields: ReadonlyArray<string>): string => {
  const query = new URLSearchParams(request.url.split("?").slice(1).join("?"))
  for (const field of [...fields, "page"]) query.delete(nameOf(field))
  return [path.replace(/\/csv$/, ""), query.toString()].filter((part) => part !== "").join("?")
}

/** Encodes an error as a page, in the language of the browser. With a visit, the page has the navigation. */
export const encodePage = (refusal: Refusal, exchange: Exchange, visit?: Visit): Encoded => {
  const language = languageFor(exchange)
  const words = wordsOf[language]
  const { body: { error }, headers: more, status } = encodeForPage(refusal, language, exchange.request_id)
  const { basePath: base } = exchange
  const title = refusal instanceof NotFound ? words.notFound : words.failed
  const [path, link] = refusal instanceof ValidationFailed
    ? [pathWithout(exchange, error.details.map(({ field }) => field)), words.back]
    : ["/console", words.home]
  const body = html`<p>${error.message}</p><ul>${
    error.details.map(({ field, message }) => html`<li>${fieldLabel(words, nameOf(field))}: ${message}</li>`)
  }</ul><p><a href="${base}${path}">${link}</a></p><p class="soft">${words.requestId(error.request_id)}</p>`
  const text = pageText(visit ?? { base, exchange, words }, { title, body })
  return { ...page(status, text), headers: { ...more, ...headers } }
}
