import { type TcpNetConnectOpts } from "node:net"

/** The address of a PostgreSQL server: a host and port, or the path of a Unix socket. */
export type ServerAddress = Pick<TcpNetConnectOpts, "host" | "port"> | { readonly path: string }

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
