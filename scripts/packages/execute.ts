import { execFile } from "node:child_process"
import { delimiter, join } from "node:path"

/** The folder of the repository. */
export const root = join(import.meta.dirname, "..", "..")

const env = { ...process.env, PATH: [join(root, "node_modules", ".bin"), process.env["PATH"]].join(delimiter) }

/** What a check finds wrong: printed without a stack. */
export class Failure extends Error {}

/** How a command ended, and what it printed. */
export interface Ended {
  readonly ok: boolean
  readonly output: string
}

/** Where a command runs, for how long at most, and what it is told beside. */
export interface Execution {
  readonly cwd: string
  /** Milliseconds; ten minutes when left out. */
  readonly timeout?: number
  readonly env?: Readonly<Record<string, string>>
}

/** Runs a command with the Node.js and the tools of the repository. */
export const execute = (
  { cwd, env: more, timeout = 600_000 }: Execution,
  command: string,
  ...args: ReadonlyArray<string>
): Promise<Ended> =>
  new Promise((resolve) => {
    const options = { cwd, env: { ...env, ...more }, maxBuffer: 2 ** 26, timeout, killSignal: "SIGKILL" } as const
    execFile(command, args, options, (error, stdout, stderr) => {
      const late = error !== null && error.killed === true ? `\n(ended after ${timeout / 1000} s)` : ""
      resolve({ ok: error === null, output: `${stdout}${stderr}`.trim() + late })
    })
  })

/** Runs a command and answers what it printed; a failing one ends the check with that. */
export const run = async (how: Execution, command: string, ...args: ReadonlyArray<string>): Promise<string> => {
  const { ok, output } = await execute(how, command, ...args)
  if (!ok) throw new Failure(`${[command, ...args].join(" ")}\n${output}`)
  return output
}
