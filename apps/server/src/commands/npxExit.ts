import { Effect } from "effect"
import { execFile } from "node:child_process"
import { readFile } from "node:fs/promises"
import { promisify } from "node:util"

/** Reads the id of a process's parent, from `/proc` on Linux and otherwise from `ps`. Returns 0 if it is unknown. */
const readParent = async (pid: number): Promise<number> => {
  try {
    // The command is in parentheses and may contain spaces. The parent is the second field after it (proc_pid_stat(5)).
    const stat = await readFile(`/proc/${pid}/stat`, "utf8")
    return Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[1])
  } catch {
    const ps = promisify(execFile)("ps", ["-o", "ppid=", "-p", String(pid)])
    return ps.then(({ stdout }) => Number(stdout), () => 0)
  }
}

const parentOf = (pid: number) => Effect.promise(() => readParent(pid))

/**
 * True if npx started pnpm, and pnpm started this process. The environment then has settings of npm, and pnpm runs the
 * script.
 */
const startedByNpx = process.env["npm_config_npm_version"] !== undefined &&
  process.env["npm_execpath"]?.includes("pnpm") === true

/**
 * Waits until the `npx` that started this process ends, and returns the reason for a stop. Never completes if npx did
 * not start this process.
 *
 * npx starts pnpm through a shell. Some shells, such as dash, do not forward a stop signal, so the server would keep
 * running after npx has ended. bash replaces itself with pnpm, which receives the signal (see `.npmrc`).
 */
export const npxExit = Effect.gen(function*() {
  if (!startedByNpx) return yield* Effect.never
  // The script replaces its shell with this process (`exec`), so pnpm is the parent of this process.
  const pnpm = process.ppid
  const npx = yield* parentOf(pnpm)
  if (npx <= 1) return yield* Effect.never
  const parentAfterPause = Effect.andThen(Effect.sleep("1 second"), parentOf(pnpm))
  yield* Effect.repeat(parentAfterPause, { while: (pid) => pid === npx })
  return "npx has ended"
})
