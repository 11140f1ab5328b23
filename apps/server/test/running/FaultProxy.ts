import { Effect, type Scope } from "effect"
import { createServer, type Socket } from "node:net"
import { connectPair, type Pair, type Treatment } from "./proxiedPair.ts"

/** A TCP proxy that injects faults. */
export interface FaultProxy {
  readonly port: number
  /** Sets the treatment of all bytes until the scope closes. */
  readonly treat: (treatment: Treatment) => Effect.Effect<void, never, Scope.Scope>
  /** Closes all connections, with a reset. */
  readonly cut: Effect.Effect<void>
  /** Sends new connections to another port. */
  readonly redirect: (port: number) => Effect.Effect<void>
  /** The number of open connections, dead ones included. */
  readonly connections: () => number
}

const pass: Treatment = { kind: "PASS" }

/** Opens a proxy to a local port on a free port. Closes it, and all of its connections, with the scope. */
export const openFaultProxy = (
  target: number,
  random: () => number = Math.random
): Effect.Effect<FaultProxy, never, Scope.Scope> =>
  Effect.gen(function*() {
    let port = target
    let treatment: Treatment = pass
    const pairs = new Set<Pair>()

    const accept = (client: Socket): void => {
      if (treatment.kind === "REFUSE") return void client.resetAndDestroy()
      const pair = connectPair(client, port, { treatment: () => treatment, random })
      pairs.add(pair)
      pair.whenClosed(() => pairs.delete(pair))
      // A new connection meets the fault from its first byte.
      pair.meet(treatment)
    }
    const server = yield* Effect.acquireRelease(
      Effect.promise(() =>
        new Promise<ReturnType<typeof createServer>>((resolve) => {
          const server = createServer({ allowHalfOpen: true, noDelay: true }, accept)
          server.listen(0, "127.0.0.1", () => resolve(server))
        })
      ),
      (server) =>
        Effect.sync(() => {
          server.close()
          for (const pair of pairs) pair.destroy()
        })
    )
    const address = server.address()
    const change = (to: Treatment) =>
      Effect.sync(() => {
        treatment = to
        for (const pair of pairs) pair.meet(to)
      })
    return {
      port: typeof address === "object" ? address?.port ?? 0 : 0,
      treat: (to) => Effect.acquireRelease(change(to), () => change(pass)),
      cut: Effect.sync(() => {
        for (const pair of pairs) pair.destroy()
      }),
      redirect: (to) =>
        Effect.sync(() => {
          port = to
        }),
      connections: () => pairs.size
    }
  })
