import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { connect } from "node:net"

/** A request that is sent unchanged. */
export interface RawRequest {
  readonly method?: string
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

/** A raw response. Header names are in lower case. */
export interface RawReply {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly text: string
}

const readReply = (wire: string): RawReply => {
  const end = wire.indexOf("\r\n\r\n")
  const [statusLine = "", ...lines] = wire.slice(0, end).split("\r\n")
  return {
    status: Number(statusLine.split(" ")[1]),
    headers: Object.fromEntries(lines.map((line) => {
      const colon = line.indexOf(":")
      return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()]
    })),
    text: end < 0 ? "" : wire.slice(end + 4)
  }
}

/** Sends a text over its own connection and reads until the server closes it. */
export const sendText = (port: number, text: string): Effect.Effect<RawReply> =>
  Effect.callback((resume) => {
    const chunks: Array<Buffer> = []
    const socket = connect(port, "127.0.0.1")
    socket.on("data", (chunk) => chunks.push(chunk))
    // A server that refuses an incomplete request may close the connection.
    socket.on("error", () => socket.destroy())
    socket.on("close", () => resume(Effect.succeed(readReply(Buffer.concat(chunks).toString()))))
    socket.write(text)
  })

/** Sends a request over its own connection and reads until the server closes it. */
export const sendRaw = (
  port: number,
  { body, headers = {}, method = "GET", path }: RawRequest
): Effect.Effect<RawReply> => {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`).join("")
  return sendText(
    port,
    `${method} ${path} HTTP/1.1\r\nhost: 127.0.0.1\r\nconnection: close\r\n${lines}\r\n${body ?? ""}`
  )
}

/** Sends a request in pieces with pauses, and starts reading after the last piece. */
export const sendSlowly = Effect.fnUntraced(function*(
  port: number,
  head: string,
  pieces: ReadonlyArray<Uint8Array>,
  pauseMs: number
) {
  const socket = connect(port, "127.0.0.1")
  const chunks: Array<Buffer> = []
  const closed = new Promise<void>((close) => socket.once("close", () => close()))
  socket.pause()
  socket.on("error", () => socket.destroy())
  socket.write(head)
  for (const piece of pieces) {
    yield* TestClock.withLive(Effect.sleep(pauseMs))
    yield* Effect.callback<void>((sent) => {
      socket.write(piece, () => sent(Effect.void))
    })
  }
  socket.on("data", (chunk) => chunks.push(chunk))
  socket.resume()
  yield* Effect.promise(() => closed)
  return readReply(Buffer.concat(chunks).toString())
})
