import { Effect } from "effect"
import { createServer } from "node:net"

/** Finds a free port. */
export const freePort: Effect.Effect<number> = Effect.promise(() =>
  new Promise((resolve) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const address = server.address()
      server.close(() => resolve(typeof address === "object" ? address?.port ?? 0 : 0))
    })
  })
)
