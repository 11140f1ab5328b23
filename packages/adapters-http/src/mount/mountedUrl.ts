import { Predicate } from "effect"
import { metadataPath } from "../system/documents.ts"

/** Removes a prefix from the path of a URL and keeps the query. Returns undefined if the path is not below the prefix. */
const stripPrefix = (prefix: string, url: string): string | undefined => {
  if (!url.startsWith(prefix)) return undefined
  const rest = url.slice(prefix.length)
  if (rest === "" || rest.startsWith("?")) return `/${rest}`
  return rest.startsWith("/") ? rest : undefined
}

/**
 * Restores the path and query that the client requested, because a framework may have removed the mount path from
 * `url`. Express keeps the mount path in `baseUrl`. Connect and middie keep the whole URL in `originalUrl`. If
 * `originalUrl` does not end with `url`, other middleware has rewritten the URL, and this function returns `url`.
 */
const originalUrl = (url: string, source: unknown): string => {
  const propertyOf = (name: "baseUrl" | "originalUrl") =>
    Predicate.hasProperty(source, name) && typeof source[name] === "string" ? source[name] : undefined
  const base = propertyOf("baseUrl")
  if (base !== undefined) return `${base}${url}`
  // If the client requested the mount path itself, the framework has added a slash.
  const remaining = url.replace(/^\/(?=\?|$)/, "")
  const original = propertyOf("originalUrl")
  return original?.endsWith(remaining) ? original : url
}

/**
 * Makes a function that converts the URL of a request to the URL within the API. It removes the prefix; the path of the
 * metadata has no prefix and stays the same. The function returns undefined for a URL outside the API.
 */
export const makeMountedUrl = (prefix: string, basePath: string) => {
  const metadata = metadataPath(basePath)
  return (requestUrl: string, source: unknown): string | undefined => {
    const url = prefix === "" ? requestUrl : originalUrl(requestUrl, source)
    return url.split("?", 1)[0] === metadata ? url : stripPrefix(prefix, url)
  }
}
