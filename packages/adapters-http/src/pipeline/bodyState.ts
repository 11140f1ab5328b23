import { Predicate } from "effect"

const has = (source: object, property: string, value: unknown): boolean =>
  Predicate.hasProperty(source, property) && source[property] === value

/**
 * What is left of the body of a request of node or of the Fetch API: frameworks with parsers of their own read it before we see it,
 * and reading it again would wait for ever.
 */
export const bodyState = (source: object): "unread" | "empty" | "consumed" => {
  if (has(source, "bodyUsed", true) || has(source, "readableDidRead", true)) return "consumed"
  const isEmpty = has(source, "readableEnded", true) || (has(source, "bodyUsed", false) && has(source, "body", null))
  return isEmpty ? "empty" : "unread"
}
