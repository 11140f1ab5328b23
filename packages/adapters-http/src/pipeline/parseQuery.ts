import {
  type FieldProblem,
  invalidFormat,
  type RawQuery,
  unknownParameters,
  ValidationFailed
} from "@lastro/domain/input"
import { Option } from "effect"
import { formDecode } from "./parseForm.ts"

const none: RawQuery = Object.freeze(Object.create(null))

/** Parses the query of a URL. A repeated parameter has a list of values. */
export const parseQuery = (url: string): RawQuery => {
  const start = url.indexOf("?")
  if (start < 0 || start === url.length - 1) return none
  const query: Record<string, string | Array<string>> = Object.create(null)
  for (const [name, value] of new URLSearchParams(url.slice(start + 1))) {
    const known = query[name]
    if (known === undefined) query[name] = value
    else if (Array.isArray(known)) known.push(value)
    else query[name] = [known, value]
  }
  return query
}

/** Decodes a part of a query. None if it is not percent-encoded UTF-8. */
const decode: (text: string) => Option.Option<string> = Option.liftThrowable(formDecode)

/** Returns the encoded query of a URL, without the question mark. Returns an empty text if there is none. */
const queryOf = (url: string): string => {
  if (!url.includes("?")) return ""
  const [withoutFragment = ""] = url.split("#", 1)
  const start = withoutFragment.indexOf("?")
  return start < 0 ? "" : withoutFragment.slice(start + 1)
}

/** Returns the name of a parameter without a key in brackets: `metadata` for `metadata[plan]`. */
const nameOf = (parameter: string): string => parameter.split("[", 1)[0] ?? parameter

const malformedFields = (pair: string, known: ReadonlySet<string>): ReadonlyArray<string> => {
  const equals = pair.indexOf("=")
  const name = decode(equals < 0 ? pair : pair.slice(0, equals))
  if (Option.isNone(name)) return ["query"]
  const isMalformed = equals >= 0 && known.has(nameOf(name.value)) && Option.isNone(decode(pair.slice(equals + 1)))
  return isMalformed ? [`query.${name.value}`] : []
}

/**
 * Checks that a query is valid UTF-8. A URL parser would insert replacement characters, and so change the meaning of
 * the query. Returns an error with every known parameter whose value is malformed. Reports a malformed name as `query`.
 */
export const malformedQuery = (url: string, known: ReadonlySet<string>): ValidationFailed | undefined => {
  const query = known.size === 0 ? "" : queryOf(url)
  if (query === "") return undefined
  const fields = new Set(query.split("&").flatMap((pair) => malformedFields(pair, known)))
  const problems: ReadonlyArray<FieldProblem> = [...fields].map((field) => ({
    field,
    ...invalidFormat("percent-encoded UTF-8")
  }))
  return problems.length === 0 ? undefined : new ValidationFailed({ problems })
}

/** Returns an error with all parameters of a query, for a read that takes none (PAGE-31). */
export const unknownQuery = (url: string): ValidationFailed | undefined => {
  const problems = unknownParameters(parseQuery(url), () => false)
  return problems.length === 0 ? undefined : new ValidationFailed({ problems })
}
