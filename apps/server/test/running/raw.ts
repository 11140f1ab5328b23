import { Effect, type Scope } from "effect"
import { connect, type Socket } from "node:net"

/** A raw connection for input that no HTTP client would send. */
export interface Raw {
  readonly write: (text: string | Uint8Array) => void
  /** Everything received until the server closes the connection. */
  readonly closed: Effect.Effect<string>
  /** Waits until the received data contains a text. */
  readonly says: (text: string) => Effect.Effect<void>
}

/** Opens a connection to a local port and closes it with the scope. */
export const openConnection = (port: number): Effect.Effect<Raw, Error, Scope.Scope> =>
  Effect.map(
    Effect.acquireRelease(
      Effect.tryPromise({
        try: () =>
          new Promise<Socket>((resolve, reject) => {
            const socket = connect(port, "127.0.0.1", () => resolve(socket))
            socket.once("error", reject)
          }),
        catch: (cause) => cause as Error
      }),
      (socket) => Effect.sync(() => socket.destroy())
    ),
    (socket) => {
      let received = ""
      socket.setEncoding("utf8").on("data", (text: string) => {
        received += text
      })
      socket.on("error", () => {})
      const closed = new Promise<string>((resolve) => socket.once("close", () => resolve(received)))
      return {
        write: (text) => {
          if (!socket.destroyed) socket.write(text)
        },
        closed: Effect.promise(() => closed),
        says: (text) =>
          Effect.promise(() =>
            new Promise<void>((resolve, reject) => {
              const check = (): void => received.includes(text) ? resolve() : undefined
              socket.on("data", check)
              void closed.then((all) => reject(new Error(`It was closed: ${all}`)))
              check()
            })
          )
      }
    }
  )
