import { Effect, type Scope } from "effect"
import { readFile, rm } from "node:fs/promises"
import { type Environment, lastro, type Running } from "./lastro.ts"

/** The bootstrap credentials of test servers. */
export const credentials = {
  LASTRO_BOOTSTRAP_ADMIN_EMAIL: "ana@example.com",
  LASTRO_BOOTSTRAP_ADMIN_PASSWORD: "a long enough password",
  LASTRO_BOOTSTRAP_CLIENT_ID: "tests",
  LASTRO_BOOTSTRAP_CLIENT_SECRET: "a-secret-for-the-tests"
}

/** The settings that the tests' servers have in common. */
export const usualSettings: Environment = { PORT: "0", LASTRO_RATE_LIMIT: "off", ...credentials }

/** A listening server. */
export interface RunningServer extends Running {
  readonly port: number
  readonly url: string
}

const portOf = (server: Running, of: "api" | "metrics"): Effect.Effect<number> =>
  Effect.map(
    server.says(new RegExp(`"message":"listening","of":"${of}","host":"[^"]*","port":(\\d+)`)),
    ([, port]) => Number(port)
  )

/** Waits for the metrics port of a server. */
export const metricsPort = (server: Running): Effect.Effect<number> => portOf(server, "metrics")

/** Waits until a server listens. */
export const listening = (server: Running): Effect.Effect<RunningServer> =>
  Effect.map(portOf(server, "api"), (port) => ({ ...server, port, url: `http://127.0.0.1:${port}` }))

/** Starts a server and waits until it listens. */
export const startServer = (environment: Environment = {}): Effect.Effect<RunningServer, never, Scope.Scope> =>
  Effect.flatMap(lastro(["serve"], { ...usualSettings, ...environment }), listening)

/**
 * Reads a generated secret from the file that the log of a server's first start names. Removes the file when the scope
 * closes.
 */
export const firstSecret = (
  server: Running,
  label: "password" | "client_id" | "client_secret"
): Effect.Effect<string, never, Scope.Scope> =>
  Effect.gen(function*() {
    const [, file = ""] = yield* server.says(/"message":"first credentials [^}]*"file":"([^"]+)"/)
    const text = yield* Effect.acquireRelease(
      Effect.promise(() => readFile(file, "utf8")),
      () => Effect.promise(() => rm(file, { force: true }))
    )
    return new RegExp(`^ +${label} +(\\S+)$`, "m").exec(text)?.[1] ?? ""
  })

/** The settings of a server on a PostgreSQL database. It stops without a delay. */
export const onPostgres = (url: string): Environment => ({
  DATABASE_URL: url,
  LASTRO_LENDER: "sandbox",
  LASTRO_ISSUER: "https://lastro.test",
  LASTRO_STOP_DELAY: "0"
})
