import { type TcpNetConnectOpts } from "node:net"

/** The server, role and database of a URL, for messages. Contains no secret. */
export interface ConnectionTarget {
  /** The host and the port, or the path of a Unix socket. */
  readonly address: string
  readonly host: string
  /** The role, quoted, or a description of the default. */
  readonly role: string
  readonly database: string
}

const decode = (text: string): string => {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

const quote = (name: string): string => `"${name}"`

export const targetOfUrl = (text: string): ConnectionTarget => {
  const url = new URL(text)
  const server = serverAddress(text)
  const host = "path" in server ? server.path : String(server.host)
  const hostInAddress = host.includes(":") ? `[${host}]` : host
  const user = url.searchParams.get("user") ?? decode(url.username)
  const role = user === "" ? process.env["USER"] ?? process.env["USERNAME"] ?? "" : user
  const database = url.searchParams.get("dbname") ?? decode(url.pathname.slice(1))
  return {
    address: "path" in server ? server.path : `${hostInAddress}:${server.port}`,
    host,
    role: quote(role),
    database: quote(database === "" ? role : database)
  }
}

/** The address of a PostgreSQL server: a host and port, or the path of a Unix socket. */
type ServerAddress = Pick<TcpNetConnectOpts, "host" | "port"> | { readonly path: string }

const defaultPort = 5432

/**
 * Reads the address from a valid libpq URI. As in libpq, the parameters `host` and `port` override the authority, and a
 * host that starts with `/` is the folder of a Unix socket.
 */
export const serverAddress = (url: string): ServerAddress => {
  const { hostname, port, searchParams } = new URL(url)
  const authority = decodeURIComponent(hostname.replace(/^\[(.*)\]$/, "$1"))
  const host = searchParams.get("host") ?? (authority === "" ? "localhost" : authority)
  const number = Number(searchParams.get("port") ?? port) || defaultPort
  return host.startsWith("/") ? { path: `${host}/.s.PGSQL.${number}` } : { host, port: number }
}
