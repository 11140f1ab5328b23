import { Predicate } from "effect"
import { type Incoming } from "./Incoming.ts"

const countHosts = (rawHeaders: ReadonlyArray<unknown>): number =>
  rawHeaders.filter((name, index) => index % 2 === 0 && typeof name === "string" && name.toLowerCase() === "host")
    .length

/**
 * Returns whether a request has the `Host` header exactly once, as HTTP/1.1 requires (RFC 9112 §3.2). Returns true for
 * requests of the Fetch API and of other HTTP versions, which do not need the header.
 */
export const hasValidHost = ({ source }: Incoming): boolean => {
  if (!Predicate.hasProperty(source, "rawHeaders") || !Array.isArray(source.rawHeaders)) return true
  // An adapter for serverless functions may create the request without raw headers.
  if (source.rawHeaders.length === 0) return true
  const hosts = countHosts(source.rawHeaders)
  const isRequired = Predicate.hasProperty(source, "httpVersion") && source.httpVersion === "1.1"
  return hosts === 1 || (hosts === 0 && !isRequired)
}
