import { Effect } from "effect"
import { execFile } from "node:child_process"
import { readFile } from "node:fs/promises"
import { promisify } from "node:util"

/** The parent of a process, read from Linux or asked of `ps`; 0 when it cannot be told. */
const parentOf = async (pid: number): Promise<number> => {
  try {
    // The command, in parentheses, may hold blanks; the parent is the 2nd field after it (proc_pid_stat(5)).
    const stat = await readFile(`/proc/${pid}/stat`, "utf8")
    return Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[1])
  } catch {
    const ps = promisify(execFile)("ps", ["-o", "ppid=", "-p", String(pid)])
    return ps.then(({ stdout }) => Number(stdout), () => 0)
  }
}

const parent = (pid: number) => Effect.promise(() => parentOf(pid))

/** pnpm runs this process' script, and npm's settings are in the environment: npm runs pnpm. */
const startedByNpx = process.env["npm_config_npm_version"] !== undefined &&
  process.env["npm_execpath"]?.includes("pnpm") === true

/**
 * Completes when `npx`, by which this process was started, is gone; never where it was not. npm ends on a signal without
 * passing it to the pnpm that it runs, which would leave a server that nobody started and nobody stops.
 */
export const npxGone = Effect.gen(function*() {
  if (!startedByNpx) return yield* Effect.never
  const pnpm = yield* parent(process.ppid)
  const starter = yield* parent(pnpm)
  if (starter <= 1) return yield* Effect.never
  yield* Effect.sleep("1 second").pipe(Effect.andThen(parent(pnpm)), Effect.repeat({ while: (now) => now === starter }))
})
