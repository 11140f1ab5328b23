import { Predicate } from "effect"

/**
 * The path and query that a client asked for, of a request from which a framework may have taken the path of a mount away: Express
 * keeps that in `baseUrl`, Connect and middie keep the whole in `originalUrl`. Where that does not end in what is left, somebody has
 * rewritten the URL since, and what is left is meant.
 */
export const wholeUrl = (url: string, source: unknown): string => {
  const kept = (name: "baseUrl" | "originalUrl") =>
    Predicate.hasProperty(source, name) && typeof source[name] === "string" ? source[name] : undefined
  const base = kept("baseUrl")
  if (base !== undefined) return `${base}${url}`
  // The slash of a path that is the mount's alone is the framework's.
  const left = url.replace(/^\/(?=\?|$)/, "")
  const original = kept("originalUrl")
  return original?.endsWith(left) ? original : url
}
