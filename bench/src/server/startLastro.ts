import { Effect } from "effect"
import { join } from "node:path"
import { freePort, startServer } from "./startServer.ts"

const root = join(import.meta.dirname, "..", "..", "..")

/** Starts Lastro with the command that an operator uses, but without rate limits. */
export const startLastro = Effect.fnUntraced(function*(url: string, env: Readonly<Record<string, string>> = {}) {
  const port = yield* freePort
  return yield* startServer({
    name: "Lastro",
    port,
    args: [join(root, "apps", "server", "src", "main.ts"), "serve"],
    env: {
      DATABASE_URL: url,
      PORT: String(port),
      LASTRO_ISSUER: `http://127.0.0.1:${port}`,
      LASTRO_LENDER: "sandbox",
      LASTRO_RATE_LIMIT: "off",
      ...env
    },
    ready: "/health/ready"
  })
})
