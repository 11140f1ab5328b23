import { Effect, Schedule, type Scope } from "effect"
import { spawn } from "node:child_process"
import { createServer } from "node:net"

/** A server process. */
export interface Served {
  readonly name: string
  readonly url: string
  readonly pid: number
}

/** The command that starts a server process. */
export interface Program {
  readonly name: string
  readonly port: number
  /** Arguments of `node`. */
  readonly args: ReadonlyArray<string>
  readonly env: Readonly<Record<string, string>>
  /** A path that returns a response, with any status, as soon as the server is ready. */
  readonly ready: `/${string}`
}

/** Returns a free port. */
export const freePort: Effect.Effect<number> = Effect.callback((resume) => {
  const server = createServer()
  server.listen(0, "127.0.0.1", () => {
    const address = server.address()
    server.close(() => resume(Effect.succeed(address !== null && typeof address === "object" ? address.port : 0)))
  })
})

/** Maximum time for a server to start. */
const startTimeout = "2 minutes"

const answers = async (url: string): Promise<boolean> => {
  try {
    return (await fetch(url)).status < 500
  } catch {
    return false
  }
}

/**
 * Starts a server, and stops it when the scope closes. Of the current environment, the server inherits only `PATH`.
 * Discards its log.
 */
export const startServer = (
  { args, env, name, port, ready }: Program
): Effect.Effect<Served, Error, Scope.Scope> =>
  Effect.gen(function*() {
    const url = `http://127.0.0.1:${port}`
    const { child, ended, said } = yield* Effect.acquireRelease(
      Effect.sync(() => {
        const child = spawn(process.execPath, args, {
          env: { PATH: process.env["PATH"], NODE_ENV: "production", ...env },
          stdio: ["ignore", "ignore", "pipe"]
        })
        const said: Array<string> = []
        child.stderr.setEncoding("utf8").on("data", (text: string) => said.push(text))
        const ended = new Promise<void>((resolve) => child.once("close", () => resolve()))
        return { child, ended, said }
      }),
      ({ child, ended }) =>
        Effect.promise(() => {
          child.kill("SIGTERM")
          return ended
        })
    )
    const isReady = Effect.promise(() => answers(url + ready)).pipe(
      Effect.repeat({ until: (answered) => answered, schedule: Schedule.spaced("50 millis") }),
      Effect.raceFirst(Effect.as(Effect.promise(() => ended), false)),
      Effect.timeoutOrElse({ duration: startTimeout, orElse: () => Effect.succeed(false) })
    )
    return (yield* isReady) && child.pid !== undefined
      ? { name, url, pid: child.pid }
      : yield* Effect.fail(new Error(`${name} did not start: ${said.join("")}`))
  })
