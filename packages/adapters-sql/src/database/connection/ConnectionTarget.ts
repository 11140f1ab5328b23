import { serverAddress } from "./serverAddress.ts"

/** The server, the role and the database of a URL, for messages. It contains no secret. */
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

/** Returns the server, the role and the database of a valid database URL. */
export const targetOfUrl = (text: string): ConnectionTarget => {
  const url = new URL(text)
  const server = serverAddress(text)
  const host = "path" in server ? server.path : String(server.host)
  const user = url.searchParams.get("user") ?? decode(url.username)
  const role = user === "" ? process.env["USER"] ?? process.env["USERNAME"] ?? "" : user
  const database = url.searchParams.get("dbname") ?? decode(url.pathname.slice(1))
  return {
    address: "path" in server ? server.path : `${host.includes(":") ? `[${host}]` : host}:${server.port}`,
    host,
    role: quote(role),
    database: quote(database === "" ? role : database)
  }
}
