import { assert, describe, it } from "@effect/vitest"
import { once } from "node:events"
import { createServer } from "node:http"
import { connect } from "node:net"
import { limitSending } from "../../src/limits/limitSending.ts"
import { listen } from "../mount/listen.ts"

/** More bytes than the operating system keeps for a client that does not read. */
const large = Buffer.alloc(32 * 1024 * 1024)

/** Serves the bytes with a limit, and passes the number of calls of `onEnd` to the caller when the response closes. */
const serve = async (ms: number) => {
  const ended: Array<boolean> = []
  let closed = (): void => undefined
  const isClosed = new Promise<void>((resolve) => {
    closed = resolve
  })
  const server = await listen(createServer((_request, response) => {
    response.once("close", () => closed())
    response.end(large)
    limitSending(response, ms, () => ended.push(response.writableFinished))
  }))
  return { ...server, ended, isClosed }
}

describe("limitSending", () => {
  it("T31 closes the connection of a client that does not read, and ends the response once", async () => {
    await using server = await serve(50)
    const client = connect(server.port, "127.0.0.1").on("error", () => {})
    await once(client, "connect")
    client.pause().write("GET / HTTP/1.1\r\nHost: x\r\n\r\n")
    await server.isClosed
    assert.deepStrictEqual(server.ended, [false])
    client.destroy()
  })

  it("ends the response once when the client has received it", async () => {
    await using server = await serve(3_600_000)
    const got = await (await fetch(server.url)).arrayBuffer()
    await server.isClosed
    assert.strictEqual(got.byteLength, large.length)
    assert.deepStrictEqual(server.ended, [true])
  })
})
