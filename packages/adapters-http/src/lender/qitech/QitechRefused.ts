import { Data } from "effect"
import { at, parse, textAt } from "./json.ts"

/** QI Tech rejected a call, so the call had no effect. */
export class QitechRefused extends Data.TaggedError("QitechRefused")<{
  readonly operation: string
  readonly status: number
  /** The code of the error, for the log. Null if there is none. */
  readonly code: string | null
  /** The texts of the error in lower case, to classify it. They may contain personal data: never log them. */
  readonly text: string
}> {}

const codeShape = /^[A-Z]{2,5}\d{3,9}$/

/** Returns the error in a body. Usually, `data` is a text that contains it as JSON: `{"data":"{\"code\":…}"}`. */
export const errorOf = (body: unknown): unknown => {
  const inner = at(body, "data")
  if (typeof inner === "string") return parse(inner)
  return textAt(inner, "code") === null ? body : inner
}

/** Reads the code and the texts of an error. */
export const readError = (body: unknown): { readonly code: string | null; readonly text: string } => {
  const error = errorOf(body)
  const code = textAt(error, "code")
  const texts = ["title", "description", "translation"].map((name) => textAt(error, name) ?? "")
  return {
    code: code !== null && codeShape.test(code) ? code : null,
    text: `${texts.join(" ")} ${JSON.stringify(at(error, "extra_fields")) ?? ""}`.toLowerCase()
  }
}

const forbiddenCodes: ReadonlySet<string | null> = new Set(["GDF000003", "GDF000014", "GDF000018"])

/** Returns whether an error means that QI Tech rejects the operator's credentials, or has not enabled the endpoint. */
export const isForbidden = (status: number, code: string | null): boolean =>
  status === 401 || status === 403 || forbiddenCodes.has(code)

/** Returns whether an error means that there were too many calls. QI Tech uses several statuses for it. */
export const isThrottled = (status: number, text: string, hasRetryAfter: boolean): boolean =>
  status === 429 || (status === 503 && hasRetryAfter) ||
  /too many requests|rate limit|limite de requisi/.test(text)
