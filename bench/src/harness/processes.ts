import { Effect, type Scope } from "effect"
import { type SqlClient } from "effect/sql"
import { spawn } from "node:child_process"
import { readdirSync, readFileSync } from "node:fs"
import { get } from "node:http"
import { freePort } from "../../../apps/server/test/running/machine.ts"

/** Reads a file of a Linux process. Returns an empty text if the process does not exist. */
const readProcess = (pid: number, file: "stat" | "status"): string => {
  try {
    return readFileSync(`/proc/${pid}/${file}`, "utf8")
  } catch {
    return ""
  }
}

/**
 * Reads the parent of a process, its processor time, and that of its ended children, in milliseconds. NaN if
 * unavailable.
 */
const statOf = (pid: number) => {
  const stat = readProcess(pid, "stat")
  // The name of the process is in parentheses and may contain any character. So count the fields after it.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ").map(Number)
  const field = (index: number): number => fields[index] ?? Number.NaN
  // Linux has 100 clock ticks per second. The fields are in proc_pid_stat(5).
  return { parent: field(1), own: (field(11) + field(12)) * 10, ended: (field(13) + field(14)) * 10 }
}

/** Returns the processor time of a process with all its threads, in milliseconds. NaN if unavailable. */
export const processorTime = (pid: number): number => statOf(pid).own

/** Returns the processor time of all running children of a process, in milliseconds. */
const childrenTime = (parent: number): number =>
  readdirSync("/proc").filter((name) => /^\d+$/.test(name)).map((name) => statOf(Number(name)))
    .reduce((sum, child) => child.parent === parent ? sum + child.own : sum, 0)

/**
 * Returns the processor time of a process and all its children, including ended ones, in milliseconds. NaN if
 * unavailable. When a child ends, its time moves to its parent. If that happens during the addition, the child's time
 * may be counted twice, so the sum is computed again.
 */
export const familyTime = (parent: number): number => {
  const before = statOf(parent)
  if (Number.isNaN(before.own)) return Number.NaN
  const children = childrenTime(parent)
  const { ended, own } = statOf(parent)
  return ended === before.ended ? own + ended + children : familyTime(parent)
}

/**
 * Reads the processor times of nodes and of PostgreSQL, whose main process is `postmaster`. Returns a function that
 * reads them again, and returns the milliseconds since then for each of a number of actions.
 */
export const meterCost = (nodes: ReadonlyArray<number>, postmaster: number) => {
  const read = () => ({
    node: nodes.reduce((sum, pid) => sum + processorTime(pid), 0),
    postgres: familyTime(postmaster)
  })
  const before = read()
  return (actions: number) => {
    const { node, postgres } = read()
    return { node: (node - before.node) / actions, postgres: (postgres - before.postgres) / actions }
  }
}

/** Returns the process id of PostgreSQL's main process, the parent of all others. NaN if unavailable. */
export const postmasterOf = (sql: SqlClient.SqlClient) =>
  Effect.map(
    Effect.orDie(sql<{ readonly pid: number }>`select pg_backend_pid() as pid`),
    ([backend]) => statOf(backend?.pid ?? 0).parent
  )

/** Returns the resident memory of a process in MiB, or its maximum so far (`VmHWM`). NaN if unavailable. */
export const residentMemory = (pid: number, field: "VmRSS" | "VmHWM" = "VmRSS"): number =>
  Number(new RegExp(`^${field}:\\s+(\\d+) kB$`, "m").exec(readProcess(pid, "status"))?.[1] ?? Number.NaN) / 1_024

/** Returns the number of open file descriptors of a process. NaN if unavailable. */
export const descriptorsOf = (pid: number): number => {
  try {
    return readdirSync(`/proc/${pid}/fd`).length
  } catch {
    return Number.NaN
  }
}

/** A Node.js program that serves HTTP. */
export interface Program {
  readonly name: string
  /** Arguments of `node`. */
  readonly args: ReadonlyArray<string>
  /** Returns the environment variables. From the current environment, the program inherits only `PATH`. */
  readonly env: (port: number) => Readonly<Record<string, string>>
  /** The path that returns 200 once the program is ready. */
  readonly ready: `/${string}`
}

/** A program that is ready. */
export interface Served {
  readonly name: string
  readonly url: string
  readonly pid: number
  /** Milliseconds from the creation of the process to the end of the first response with status 200. */
  readonly milliseconds: number
  /** Processor time in milliseconds until then. NaN if unavailable. */
  readonly cpu: number
}

/** Maximum milliseconds for a program to become ready. */
const startTimeout = 120_000

/** Sends a request on a new connection. Returns whether the response has status 200. */
export const isOk = (url: string): Promise<boolean> =>
  new Promise((resolve) => {
    get(url, { agent: false }, (response) => {
      response.resume().once("end", () => resolve(response.statusCode === 200))
    }).once("error", () => resolve(false))
  })

/** Starts a program, waits until it is ready, and stops it when the scope closes. Discards its log. */
export const startProgram = (
  { args, env, name, ready }: Program
): Effect.Effect<Served, Error, Scope.Scope> =>
  Effect.gen(function*() {
    const port = yield* freePort
    const url = `http://127.0.0.1:${port}`
    const start = performance.now()
    const { child, errors } = yield* Effect.acquireRelease(
      Effect.sync(() => {
        const child = spawn(process.execPath, args, {
          env: { PATH: process.env["PATH"], ...env(port) },
          stdio: ["ignore", "ignore", "pipe"]
        })
        const errors: Array<string> = []
        child.stderr.setEncoding("utf8").on("data", (text: string) => errors.push(text))
        return { child, errors, ended: new Promise((resolve) => child.once("close", resolve)) }
      }),
      ({ child, ended }) =>
        Effect.promise(() => {
          child.kill("SIGTERM")
          return ended
        })
    )
    while (child.exitCode === null && performance.now() - start < startTimeout) {
      if (yield* Effect.promise(() => isOk(url + ready))) {
        const pid = child.pid ?? 0
        return { name, url, pid, milliseconds: performance.now() - start, cpu: processorTime(pid) }
      }
      yield* Effect.sleep("2 millis")
    }
    return yield* Effect.fail(new Error(`${name} did not become ready: ${errors.join("")}`))
  })
