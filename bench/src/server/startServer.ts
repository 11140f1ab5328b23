import { Effect, Schedule, type Scope } from "effect"
import { spawn } from "node:child_process"
import { createServer } from "node:net"

/** A server that is a process of its own. */
export interface Served {
  readonly name: string
  readonly url: string
  readonly pid: number
}

/** How a server is started. */
export interface Program {
  readonly name: string
  readonly port: number
  /** What `node` is given. */
  readonly args: ReadonlyArray<string>
  readonly env: Readonly<Record<string, string>>
  /** A path that is answered, with whatever status, once it serves. */
  readonly ready: `/${string}`
}

/** A port that nobody listens on. */
export const freePort: Effect.Effect<number> = Effect.callback((resume) => {
  const server = createServer()
  server.listen(0, "127.0.0.1", () => {
    const address = server.address()
    server.close(() => resume(Effect.succeed(address !== null && typeof address === "object" ? address.port : 0)))
  })
})

/** How long a server may take to start. */
const patience = "2 minutes"

const answers = async (url: string): Promise<boolean> => {
  try {
    return (await fetch(url)).status < 500
  } catch {
    return false
  }
}

/** Starts a server with nothing of our environment but the path, and stops it when the scope closes. Its log is thrown away. */
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
      Effect.timeoutOrElse({ duration: patience, orElse: () => Effect.succeed(false) })
    )
    return (yield* isReady) && child.pid !== undefined
      ? { name, url, pid: child.pid }
      : yield* Effect.fail(new Error(`${name} did not start: ${said.join("")}`))
  })
