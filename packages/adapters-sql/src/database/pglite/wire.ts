/** Codes of requests that a startup packet contains instead of the protocol version. */
export const startupCode = { cancel: 80_877_102, ssl: 80_877_103, gss: 80_877_104 } as const

/** Types of the frontend messages that end a cycle (`query`, `sync`) or the connection (`terminate`). */
export const frontend = { query: 0x51, sync: 0x53, terminate: 0x58 } as const

const message = (type: string, ...parts: ReadonlyArray<Uint8Array>): Uint8Array => {
  const length = parts.reduce((sum, part) => sum + part.length, 4)
  const header = Buffer.alloc(5)
  header.write(type, 0, "latin1")
  header.writeInt32BE(length, 1)
  return Buffer.concat([header, ...parts])
}

const int32 = (...values: ReadonlyArray<number>): Uint8Array => {
  const bytes = Buffer.alloc(4 * values.length)
  values.forEach((value, index) => bytes.writeInt32BE(value, 4 * index))
  return bytes
}

const texts = (...values: ReadonlyArray<string>): Uint8Array =>
  Buffer.from(values.map((value) => `${value}\0`).join(""))

/** ReadyForQuery outside of a transaction. */
const readyIdle = message("Z", Buffer.from("I"))

/** The server's response to a startup packet when no password is required. */
export const startupResponse: Uint8Array = Buffer.concat([
  message("R", int32(0)),
  message("S", texts("server_encoding", "UTF8")),
  message("S", texts("client_encoding", "UTF8")),
  message("S", texts("standard_conforming_strings", "on")),
  message("S", texts("integer_datetimes", "on")),
  message("K", int32(1, 1)),
  readyIdle
])

/** An ErrorResponse followed by ReadyForQuery outside of a transaction. */
export const errorResponse = (sqlState: string, text: string): Uint8Array =>
  Buffer.concat([
    message("E", texts(`SERROR`, `VERROR`, `C${sqlState}`, `M${text}`), Buffer.from([0])),
    readyIdle
  ])

/** Reads the text of a message from a position to the next zero byte. */
const textAt = (bytes: Buffer, at: number): string => bytes.toString("latin1", at, bytes.indexOf(0, at))

/** Adds the name of a statement that a frontend message prepares to `names`, or removes the name that it closes. */
export const notePrepared = (names: Set<string>, bytes: Buffer): void => {
  const [type, target] = [bytes.toString("latin1", 0, 1), bytes.toString("latin1", 5, 6)]
  if (type === "P" && target !== "\0") names.add(textAt(bytes, 5))
  if (type === "C" && target === "S") names.delete(textAt(bytes, 6))
}

/** The messages of a cycle that closes prepared statements. A name that does not exist is no error. */
export const closeStatements = (names: Iterable<string>): Uint8Array =>
  Buffer.concat([...Array.from(names, (name) => message("C", texts(`S${name}`))), message("S")])

/** The parts of a response that Lastro reads before it passes the response on. */
interface Answer {
  /**
   * The transaction status after the response: idle (`I`), in a transaction (`T`) or in a failed transaction (`E`).
   * Undefined without a ReadyForQuery message.
   */
  readonly status: "I" | "T" | "E" | undefined
  /** The SQLSTATE of the ErrorResponse. Undefined without one. */
  readonly sqlState: string | undefined
}

/** Reads the transaction status and the error of a response. */
export const readAnswer = (answer: Uint8Array): Answer => {
  const bytes = Buffer.from(answer.buffer, answer.byteOffset, answer.byteLength)
  let status: string | undefined
  let sqlState: string | undefined
  for (let at = 0; at + 5 <= bytes.length; at += 1 + bytes.readInt32BE(at + 1)) {
    if (bytes[at] === 0x5a) status = String.fromCharCode(bytes[at + 5] ?? 0)
    if (bytes[at] === 0x45) {
      const fields = bytes.toString("utf8", at + 5, at + 1 + bytes.readInt32BE(at + 1)).split("\0")
      sqlState = fields.find((field) => field.startsWith("C"))?.slice(1)
    }
  }
  return { status: status === "I" || status === "T" || status === "E" ? status : undefined, sqlState }
}
