import { execFile } from "node:child_process"
import { delimiter, join } from "node:path"

/** The root folder of the repository. */
export const root = join(import.meta.dirname, "..", "..")

const env = {
  ...process.env,
  PATH: [join(root, "node_modules", ".bin"), process.env["PATH"]].join(delimiter),
  // Share a compile cache, because all programs load the same modules. Compiling these takes longer than running most
  // of the programs.
  NODE_COMPILE_CACHE: join(root, "node_modules", ".cache", "lastro", "compiled-checks")
}

/** A check has failed. The message is printed without a stack trace. */
export class Failure extends Error {}

interface CommandResult {
  readonly ok: boolean
  readonly output: string
}

interface CommandOptions {
  readonly cwd: string
  /** Timeout in milliseconds. Default: ten minutes. */
  readonly timeout?: number
  readonly env?: Readonly<Record<string, string>>
}

/** Runs a command with the Node.js and the tools of the repository. */
export const execute = (
  { cwd, env: variables, timeout = 600_000 }: CommandOptions,
  command: string,
  ...args: ReadonlyArray<string>
): Promise<CommandResult> =>
  new Promise((resolve) => {
    const options = { cwd, env: { ...env, ...variables }, maxBuffer: 2 ** 26, timeout, killSignal: "SIGKILL" } as const
    execFile(command, args, options, (error, stdout, stderr) => {
      const timedOut = error !== null && error.killed === true ? `\n(killed after ${timeout / 1000} s)` : ""
      resolve({ ok: error === null, output: (`${stdout}${stderr}`.trim() || `${error?.message ?? ""}`) + timedOut })
    })
  })

/** Runs a command and returns its output. Throws a Failure if the command fails. */
export const run = async (
  options: CommandOptions,
  command: string,
  ...args: ReadonlyArray<string>
): Promise<string> => {
  const { ok, output } = await execute(options, command, ...args)
  if (!ok) throw new Failure(`${[command, ...args].join(" ")}\n${output}`)
  return output
}

/** Runs all tasks, at most `concurrency` at a time. An error does not stop the other tasks. Returns all errors. */
export const runAll = async (
  concurrency: number,
  tasks: ReadonlyArray<() => Promise<unknown>>
): Promise<ReadonlyArray<unknown>> => {
  const failures: Array<unknown> = []
  const queue = [...tasks]
  const worker = async (): Promise<void> => {
    const next = queue.shift()
    if (next === undefined) return
    await next().catch((error: unknown) => failures.push(error))
    return worker()
  }
  await Promise.all(Array.from({ length: concurrency }, worker))
  return failures
}
