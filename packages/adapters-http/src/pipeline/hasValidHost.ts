import { Predicate } from "effect"
import { type Incoming } from "./Incoming.ts"

const countHosts = (rawHeaders: ReadonlyArray<unknown>): number =>
  rawHeaders.filter((name, index) => index % 2 === 0 && typeof name === "string" && name.toLowerCase() === "host")
    .length

/**
 * Returns whether a request has the `Host` header that HTTP/1.1 requires, exactly once (RFC 9112 §3.2). Requests of the Fetch API and of
 * other HTTP versions need none.
 */
export const hasValidHost = ({ source }: Incoming): boolean => {
  if (!Predicate.hasProperty(source, "rawHeaders") || !Array.isArray(source.rawHeaders)) return true
  // An adapter for functions may build the request without raw headers.
  if (source.rawHeaders.length === 0) return true
  const hosts = countHosts(source.rawHeaders)
  const isRequired = Predicate.hasProperty(source, "httpVersion") && source.httpVersion === "1.1"
  return hosts === 1 || (hosts === 0 && !isRequired)
}
