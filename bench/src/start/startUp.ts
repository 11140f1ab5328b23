import { Effect, type Scope } from "effect"
import { spawn } from "node:child_process"
import { get } from "node:http"
import { processorTime } from "../measure/processorTime.ts"

/** A Node.js program, and the path that returns 200 once the program is ready. */
export interface Program {
  readonly file: string
  readonly args: ReadonlyArray<string>
  readonly env: Readonly<Record<string, string>>
  readonly port: number
  readonly ready: `/${string}`
}

/** A process that has become ready. */
export interface Ready {
  readonly pid: number
  readonly url: string
  /** Milliseconds from the creation of the process to the end of the first response with status 200. */
  readonly milliseconds: number
  /** Processor time in milliseconds until the first response with status 200. Undefined if unavailable. */
  readonly cpu: number | undefined
}

/** Pause between two readiness checks. */
const pause = "2 millis"

/** Maximum time for a program to become ready, in milliseconds. */
const startTimeout = 60_000

const status = (port: number, path: string): Promise<number | undefined> =>
  new Promise((resolve) => {
    get({ host: "127.0.0.1", port, path, agent: false }, (answer) => {
      answer.resume().once("end", () => resolve(answer.statusCode))
    }).once("error", () => resolve(undefined))
  })

/**
 * Starts a program, waits until it is ready, and stops it when the scope closes. Of the current environment, the
 * program inherits only `PATH`.
 */
export const startUp = ({ args, env, file, port, ready }: Program): Effect.Effect<Ready, Error, Scope.Scope> =>
  Effect.gen(function*() {
    const start = performance.now()
    const { child, said } = yield* Effect.acquireRelease(
      Effect.sync(() => {
        const child = spawn(process.execPath, [file, ...args], {
          env: { PATH: process.env["PATH"], ...env },
          stdio: ["ignore", "ignore", "pipe"]
        })
        const said: Array<string> = []
        child.stderr.setEncoding("utf8").on("data", (text: string) => said.push(text))
        return { child, said }
      }),
      ({ child }) =>
        Effect.promise(async () => {
          if (child.exitCode !== null) return
          const ended = new Promise((resolve) => child.once("close", resolve))
          child.kill("SIGTERM")
          await ended
        })
    )
    while (child.exitCode === null && performance.now() - start < startTimeout) {
      if ((yield* Effect.promise(() => status(port, ready))) === 200) {
        const milliseconds = performance.now() - start
        const pid = child.pid ?? 0
        return { pid, url: `http://127.0.0.1:${port}`, milliseconds, cpu: processorTime(pid) }
      }
      yield* Effect.sleep(pause)
    }
    return yield* Effect.fail(new Error(`${file} did not become ready: ${said.join("")}`))
  })
