/** Maximum number of hosts in a database URL. */
export const maxHosts = 16

/** One host of an authority (RFC 3986 §3.2): a name or an address, and an optional port. */
const hostPattern = /^(\[[^\]]+\]|[^:[\]]*)(?::(\d*))?$/

/**
 * Rewrites a libpq URI with a user and no host, such as `postgres://user:password@/database?host=/run/postgresql`, so
 * that `URL` can parse it. The user, the password and the port become parameters.
 */
const moveUserToParameters = (user: string, port: string, rest: string): string => {
  const parsed = new URL(`postgres://${rest}`)
  const colon = user.indexOf(":")
  const values = {
    user: colon < 0 ? user : user.slice(0, colon),
    password: colon < 0 ? "" : user.slice(colon + 1),
    port
  }
  for (const [name, value] of Object.entries(values)) {
    if (value !== "" && !parsed.searchParams.has(name)) parsed.searchParams.set(name, decodeURIComponent(value))
  }
  return parsed.href
}

/**
 * Rewrites a libpq URI with several hosts, such as `postgres://user@one:5432,two/database`, so that `URL` can parse it.
 * The authority then has the first host, and the parameters `host` and `port` have the lists. Also rewrites a URI with a
 * user and no host. A URI with one host stays unchanged. Returns undefined if a host or port is invalid.
 */
export const moveHostsToParameters = (url: string): string | undefined => {
  const start = url.indexOf("//") + 2
  const [authority = ""] = url.slice(start).split(/[/?#]/, 1)
  const hosts = authority.slice(authority.lastIndexOf("@") + 1)
  const rest = url.slice(start + authority.length)
  const user = authority.slice(0, authority.length - hosts.length)
  if (user !== "" && /^(?::\d*)?$/.test(hosts)) return moveUserToParameters(user.slice(0, -1), hosts.slice(1), rest)
  if (!hosts.includes(",")) return url
  const pairs = hosts.split(",").map((pair) => hostPattern.exec(pair))
  const first = `${url.slice(0, start)}${user}${pairs[0]?.[1] ?? ""}${rest}`
  if (pairs.includes(null) || !URL.canParse(first)) return undefined
  const parsed = new URL(first)
  const add = (name: string, values: ReadonlyArray<string>) => {
    if (!parsed.searchParams.has(name)) parsed.searchParams.set(name, values.join(","))
  }
  add("host", pairs.map((pair) => decodeURIComponent(pair?.[1] ?? "").replace(/^\[(.*)\]$/, "$1")))
  const ports = pairs.map((pair) => pair?.[2] ?? "")
  if (ports.some((port) => port !== "")) add("port", ports)
  return parsed.href
}

/** Returns a URL for each host of a valid database URL, in the order of the hosts. */
export const urlsOfHosts = (url: string): ReadonlyArray<string> => {
  const { searchParams } = new URL(url)
  const hosts = (searchParams.get("host") ?? "").split(",")
  if (hosts.length < 2) return [url]
  const ports = searchParams.get("port")?.split(",")
  return hosts.map((host, index) => {
    const hostUrl = new URL(url)
    hostUrl.searchParams.set("host", host)
    if (ports !== undefined) {
      const port = ports.length === 1 ? ports[0] : ports[index]
      // As in libpq, an empty entry of the list means the default port.
      hostUrl.searchParams.set("port", port || "5432")
    }
    return hostUrl.href
  })
}

/** The values of `target_session_attrs`, with the meanings of libpq. */
export const sessionAttrs = ["any", "read-write", "read-only", "primary", "standby", "prefer-standby"] as const

/** The state that a server must be in to be used. */
export type SessionAttrs = typeof sessionAttrs[number]

/** Returns the parameter `target_session_attrs` of a valid database URL, or undefined if it is absent. */
export const sessionAttrsOf = (url: string): SessionAttrs | undefined => {
  const given = new URL(url).searchParams.get("target_session_attrs")
  return sessionAttrs.find((known) => known === given)
}
