import { operations } from "@lastro/domain/operation"
import { type Arriving } from "../admission/Admission.ts"
import { type OperationName } from "../api/Api.ts"
import { type BegunRequest } from "../limits/TokenGate.ts"
import { endpoints } from "../pipeline/endpoints.ts"
import { isRead, pathOf as withoutQuery } from "../pipeline/Exchange.ts"

/**
 * The paths of token operations, and of the sign-in of the console. They have their own limits, because a password hash
 * takes much processor time but no database connection.
 */
const tokenPaths: ReadonlySet<string> = new Set([
  ...endpoints.flatMap(({ kind, path }) => kind === "token" ? [path] : []),
  "/console/sign-in"
])

/** The kind of a URL. Each kind has its own limits. */
type UrlKind = "probe" | "document" | "token" | "operation"

/**
 * Returns whether a path is a page of the console. Pages use the database, like operations. A path with a dot is a
 * file.
 */
const isPage = (path: string): boolean => path === "/console" || path.startsWith("/console/") && !path.includes(".")

/** Returns the path of a URL, which may have a host (RFC 9112 §3.2.2). An invalid URL counts as `/`. */
export const pathOf = (url: string): string => {
  if (url.startsWith("/")) return withoutQuery(url)
  return URL.canParse(url) ? new URL(url).pathname : "/"
}

/**
 * Returns the kind of a path, which selects its limits. Operations and pages need a slot. Health checks have no limit.
 * Every other path counts as a document, even if it does not exist.
 */
export const kindOfPath = (path: string): UrlKind => {
  if (path.startsWith("/health/")) return "probe"
  if (tokenPaths.has(path)) return "token"
  return path.startsWith("/api/v1/") || isPage(path) ? "operation" : "document"
}

/** The paths whose GET returns one record by its id, without those that store an audit entry. */
const lookupPath = new RegExp(`^(?:${
  endpoints.flatMap((endpoint) => {
    if (endpoint.kind !== "operation" || endpoint.method !== "GET") return []
    const { isAuditedRead, isRecord } = operations[endpoint.name]
    return isRecord && !isAuditedRead ? [endpoint.path.replaceAll(/:[a-z_]+/g, "[^/]+")] : []
  }).join("|")
})$`)

/** The lists whose first page has a bounded cost if the request has no query. */
const boundedLists = ["listPartners", "listUsers", "listApplications", "listProposals"] satisfies Array<OperationName>

const boundedPaths: ReadonlySet<string> = new Set(
  endpoints.flatMap(({ name, path }) => boundedLists.some((list) => list === name) ? [path] : [])
)

const slotsOfRead = (url: string): Arriving["uses"] => {
  if (boundedPaths.has(url)) return "pages"
  return lookupPath.test(pathOf(url)) ? "lookups" : "others"
}

/** Returns the properties of a request that select its slot. */
export const arrivingOf = (method = "", url: string, { caller, identify }: BegunRequest): Arriving =>
  isRead({ method })
    ? { kind: "read", uses: slotsOfRead(url), caller, onIdentified: identify }
    : { kind: "write", uses: "others", caller, onIdentified: identify }
