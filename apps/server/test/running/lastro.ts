import { Effect, type Scope } from "effect"
import { spawn } from "node:child_process"
import { fileURLToPath } from "node:url"

/** The environment of a process. Only PATH and HOME are inherited. */
export type Environment = Readonly<Record<string, string>>

/** The exit code of a process, or the signal that killed it. */
type Ending = number | NodeJS.Signals

/** A running program and its output so far. */
export interface Running {
  readonly pid: number
  readonly out: () => string
  readonly err: () => string
  readonly kill: (signal: NodeJS.Signals) => void
  readonly ended: Effect.Effect<Ending>
  /** Waits until a line of standard output matches. Dies with the output if the program ends first. */
  readonly says: (pattern: RegExp) => Effect.Effect<RegExpExecArray>
}

/** The root folder of the project. */
export const root = fileURLToPath(new URL("../../../..", import.meta.url))

const main = fileURLToPath(new URL("../../src/main.js", import.meta.url))

/** The ids of the processes that have not ended. */
const alive = new Set<number>()

/** Kills a process that leads its group, and its children. */
export const killGroup = (pid: number): void => {
  try {
    process.kill(-pid, "SIGKILL")
  } catch {
    // The process group has already ended.
  }
}

// A test that times out does not close its scope.
process.on("exit", () => alive.forEach(killGroup))

/** Undefined in benchmarks, which start servers without vitest. */
const vitest = process.env["VITEST"] === undefined ? undefined : await import("vitest")

/**
 * If the present test fails, for example by its timeout, prints the last lines of a program. If several tests run at
 * the same time, another one may print them.
 */
const reportIfTestFails = (program: string, written: { readonly out: string; readonly err: string }): void => {
  // A hook that starts a program has no test.
  if (vitest?.TestRunner.getCurrentTest() === undefined) return
  vitest.onTestFailed(({ task }) => {
    const lines = [written.out, written.err].flatMap((text) => text.trimEnd().split("\n").slice(-20))
    process.stderr.write(
      `${task.name}: the last lines of ${program}, at ${new Date().toISOString()}:\n${lines.join("\n")}\n`
    )
  })
}

const launch = (command: string, args: ReadonlyArray<string>, environment: Environment): Running => {
  const child = spawn(command, args, {
    cwd: root,
    detached: true,
    env: { PATH: process.env["PATH"], HOME: process.env["HOME"], ...environment },
    stdio: ["ignore", "pipe", "pipe"]
  })
  const { pid } = child
  if (pid === undefined) {
    child.on("error", () => {})
    throw new Error(`The program ${command} could not be started. Is it on the PATH?`)
  }
  alive.add(pid)
  const written = { out: "", err: "" }
  reportIfTestFails([command, ...args].join(" "), written)
  const readers = new Set<() => void>()
  for (const [name, stream] of [["out", child.stdout], ["err", child.stderr]] as const) {
    stream.setEncoding("utf8").on("data", (text: string) => {
      written[name] += text
      readers.forEach((read) => read())
    })
  }
  const ending = new Promise<Ending>((resolve) => {
    child.on("close", (code, signal) => {
      alive.delete(pid)
      resolve(code ?? signal ?? "SIGKILL")
      readers.forEach((read) => read())
    })
  })
  let isOver = false
  void ending.then(() => {
    isOver = true
  })
  return {
    pid,
    out: () => written.out,
    err: () => written.err,
    kill: (signal) => child.kill(signal),
    ended: Effect.promise(() => ending),
    says: (pattern) =>
      Effect.promise(() =>
        new Promise<RegExpExecArray>((resolve, reject) => {
          let searched = 0
          const read = (): void => {
            const found = pattern.exec(written.out.slice(searched))
            searched = written.out.lastIndexOf("\n") + 1
            if (found === null && !isOver) return
            readers.delete(read)
            if (found !== null) resolve(found)
            else reject(new Error(`It ended: ${written.out}${written.err}`))
          }
          readers.add(read)
          void ending.then(read)
          read()
        })
      )
  }
}

/** Starts a program at the root of the project. Kills its process group when the scope closes. */
export const running = (
  command: string,
  args: ReadonlyArray<string>,
  environment: Environment
): Effect.Effect<Running, never, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.sync(() => launch(command, args, environment)),
    ({ ended, pid }) => Effect.andThen(Effect.sync(() => killGroup(pid)), ended)
  )

/** Starts `lastro` with these arguments. Default: an in-memory database. */
export const lastro = (args: ReadonlyArray<string>, environment: Environment = {}) =>
  running(process.execPath, [main, ...args], { LASTRO_DATA_DIR: "memory", PORT: "0", ...environment })

/** The output and exit code of a finished command. */
export interface Finished {
  readonly out: string
  readonly err: string
  readonly ending: Ending
}

/** Runs `lastro` to its end. */
export const runToEnd = (args: ReadonlyArray<string>, environment: Environment = {}): Effect.Effect<Finished> =>
  Effect.scoped(
    Effect.flatMap(
      lastro(args, environment),
      ({ ended, err, out }) => Effect.map(ended, (ending) => ({ out: out(), err: err(), ending }))
    )
  )

/** The environment of a process that writes the URL of every module it loads to standard error, one on each line. */
export const reportLoadedFiles = {
  NODE_OPTIONS: `--import=data:text/javascript,${
    encodeURIComponent(`
      import { writeSync } from "node:fs"
      import { registerHooks } from "node:module"
      registerHooks({ load: (url, context, next) => (writeSync(2, url + "\\n"), next(url, context)) })
    `)
  }`
}

/** Returns the URLs of the files that a process with {@link reportLoadedFiles} has loaded so far. */
export const loadedFiles = (standardError: string): ReadonlyArray<string> =>
  standardError.split("\n").filter((line) => line.startsWith("file:"))

/** The environment of a server that loads its source files, as under `node --watch`. */
export const fromSources = { WATCH_REPORT_DEPENDENCIES: "1" }
