import { assert, describe, it } from "@effect/vitest"
import { Effect, Exit, Option, Scope } from "effect"
import { createServer, type Server, type Socket } from "node:net"
import { type FaultProxy, openFaultProxy } from "./running/FaultProxy.ts"
import { type Treatment } from "./running/proxiedPair.ts"
import { openConnection } from "./running/raw.ts"

/** A server that returns every byte. It closes a connection after the client does. */
const echo = (prefix = ""): Effect.Effect<number, never, Scope.Scope> =>
  Effect.map(
    Effect.acquireRelease(
      Effect.promise(() =>
        new Promise<{ readonly server: Server; readonly sockets: Set<Socket> }>((resolve) => {
          const sockets = new Set<Socket>()
          const server = createServer((socket) => {
            sockets.add(socket)
            socket.write(prefix)
            socket.on("error", () => {})
            socket.pipe(socket)
          }).listen(0, "127.0.0.1", () => resolve({ server, sockets }))
        })
      ),
      ({ server, sockets }) =>
        Effect.sync(() => {
          server.close()
          for (const socket of sockets) socket.destroy()
        })
    ),
    ({ server }) => {
      const address = server.address()
      return typeof address === "object" ? address?.port ?? 0 : 0
    }
  )

const proxied = Effect.flatMap(echo(), (port) => openFaultProxy(port))

const numbers = (from: number, to: number): ReadonlyArray<string> =>
  Array.from({ length: to - from }, (_, index) => `<${from + index}>`)

/** Begins a fault that can be healed before the test ends. */
const begin = Effect.fnUntraced(function*(proxy: FaultProxy, treatment: Treatment) {
  const scope = yield* Scope.make()
  yield* Effect.addFinalizer((exit) => Scope.close(scope, exit))
  yield* Scope.provide(proxy.treat(treatment), scope)
  return { heal: Scope.close(scope, Exit.void) }
})

/** Sends numbered chunks and waits until all of them have returned, in order. */
const exchange = Effect.fnUntraced(function*(proxy: FaultProxy) {
  const connection = yield* openConnection(proxy.port)
  for (const number of numbers(0, 50)) {
    connection.write(number)
    yield* Effect.sleep("1 millis")
  }
  yield* connection.says(numbers(0, 50).join(""))
  return connection
})

describe("a fault proxy", () => {
  it.live("delivers the bytes of both directions without a fault", () =>
    Effect.asVoid(Effect.flatMap(proxied, exchange)))

  for (
    const treatment of [{ kind: "DELAY", ms: 100 }, { kind: "REORDER", ms: 40 }] as const
  ) {
    it.live(`keeps the order of the bytes of a connection under ${treatment.kind}`, () =>
      Effect.gen(function*() {
        const proxy = yield* proxied
        yield* Effect.scoped(Effect.andThen(
          proxy.treat(treatment),
          Effect.all([exchange(proxy), exchange(proxy), exchange(proxy)], { concurrency: 3 })
        ))
      }))
  }

  it.live("DELAY delays each direction", () =>
    Effect.gen(function*() {
      const proxy = yield* proxied
      const connection = yield* openConnection(proxy.port)
      yield* proxy.treat({ kind: "DELAY", ms: 100 })
      const began = performance.now()
      connection.write("ping")
      yield* connection.says("ping")
      assert.isAtLeast(performance.now() - began, 195)
    }))

  it.live("SWALLOW drops the bytes of open and of new connections, and these stay dead afterwards", () =>
    Effect.gen(function*() {
      const proxy = yield* proxied
      const open = yield* exchange(proxy)
      const fault = yield* begin(proxy, { kind: "SWALLOW", share: 1 })
      const fresh = yield* openConnection(proxy.port)
      fresh.write("lost")
      open.write("lost")
      yield* Effect.sleep("50 millis")
      yield* fault.heal
      fresh.write("lost, too")
      open.write("lost, too")
      yield* exchange(proxy)
      const ends = yield* Effect.timeoutOption(Effect.race(open.closed, fresh.closed), "100 millis")
      assert.isTrue(Option.isNone(ends))
      assert.strictEqual(proxy.connections(), 3)
      // Only a closed proxy ends a dead connection.
      yield* proxy.cut
      assert.deepStrictEqual(yield* Effect.all([open.closed, fresh.closed]), [numbers(0, 50).join(""), ""])
    }))

  it.live("STALL delivers everything after the fault, in order", () =>
    Effect.gen(function*() {
      const proxy = yield* proxied
      const connection = yield* openConnection(proxy.port)
      const fault = yield* begin(proxy, { kind: "STALL" })
      for (const number of numbers(0, 20)) connection.write(number)
      assert.isTrue(Option.isNone(yield* Effect.timeoutOption(connection.says("<0>"), "50 millis")))
      yield* fault.heal
      yield* connection.says(numbers(0, 20).join(""))
    }))

  it.live("HALVE delivers half of a chunk and resets the connection", () =>
    Effect.gen(function*() {
      const proxy = yield* openFaultProxy(yield* echo("0123456789"))
      yield* proxy.treat({ kind: "HALVE", share: 1 })
      const came = yield* Effect.flatMap(openConnection(proxy.port), ({ closed }) => closed)
      assert.strictEqual(came, "01234")
    }))

  it.live("REFUSE closes new connections only, a cut closes all, and a redirection applies to new ones", () =>
    Effect.gen(function*() {
      const proxy = yield* proxied
      const open = yield* exchange(proxy)
      const fault = yield* begin(proxy, { kind: "REFUSE" })
      // The reset arrives during or after the start of the connection.
      const refused = Effect.flatMap(openConnection(proxy.port), ({ closed }) => closed)
      assert.strictEqual(yield* Effect.catch(refused, () => Effect.succeed("")), "")
      open.write("more")
      yield* open.says("more")
      yield* fault.heal
      yield* proxy.cut
      assert.include(yield* open.closed, "more")
      yield* proxy.redirect(yield* echo("other"))
      yield* (yield* openConnection(proxy.port)).says("other")
    }))
})
