import { type FieldProblem, problem, ValidationFailed } from "@lastro/domain"
import { Option } from "effect"

/** A part of a query, decoded as forms are; none where that is no percent-encoded UTF-8. */
const decoded: (text: string) => Option.Option<string> = Option.liftThrowable((text) =>
  decodeURIComponent(text.replaceAll("+", " "))
)

/** The query of a URL as it was sent, without the question mark; empty where there is none. */
const queryOf = (url: string): string => {
  const [withoutFragment = ""] = url.split("#", 1)
  const start = withoutFragment.indexOf("?")
  return start < 0 ? "" : withoutFragment.slice(start + 1)
}

const malformedField = (pair: string, known: ReadonlySet<string>): ReadonlyArray<string> => {
  const equals = pair.indexOf("=")
  const name = decoded(equals < 0 ? pair : pair.slice(0, equals))
  if (Option.isNone(name)) return ["query"]
  const isIllFormed = equals >= 0 && known.has(name.value) && Option.isNone(decoded(pair.slice(equals + 1)))
  return isIllFormed ? [`query.${name.value}`] : []
}

/**
 * Refuses a query that does not say what is asked: URL parsers put a replacement character for what is not UTF-8, and
 * another question would be answered. Every known parameter whose value is ill-formed is named, and a name that is
 * ill-formed itself by `query`; parameters that are not known are ignored whatever their value.
 */
export const malformedQuery = (url: string, known: ReadonlySet<string>): Option.Option<ValidationFailed> => {
  const query = known.size === 0 ? "" : queryOf(url)
  if (query === "") return Option.none()
  const fields = new Set(query.split("&").flatMap((pair) => malformedField(pair, known)))
  const problems: ReadonlyArray<FieldProblem> = [...fields].map((field) => ({ field, ...problem("INVALID_FORMAT") }))
  return problems.length === 0 ? Option.none() : Option.some(new ValidationFailed({ problems }))
}
