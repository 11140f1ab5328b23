import { execFile } from "node:child_process"
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { delimiter, join } from "node:path"

/** The root folder of the repository. */
export const root = join(import.meta.dirname, "..")

/** The folders of the packages that are published. */
export const folders = ["domain", "adapters-sql", "adapters-http", "testkit", "client"] as const

/**
 * Disables V8's optimizing compiler for WebAssembly, as `node --liftoff-only`, which NODE_OPTIONS cannot contain. Otherwise each
 * program with PGlite would compile a huge function for two seconds, and wait for that before it ends.
 */
const liftoffOnly = `--import=data:text/javascript,${
  encodeURIComponent(`
    import { setFlagsFromString } from "node:v8"
    setFlagsFromString("--no-wasm-tier-up")
    setFlagsFromString("--no-wasm-dynamic-tiering")
  `)
}`

const env = {
  ...process.env,
  NODE_OPTIONS: [process.env["NODE_OPTIONS"], liftoffOnly].join(" ").trim(),
  PATH: [join(root, "node_modules", ".bin"), process.env["PATH"]].join(delimiter),
  // All programs load the same modules, so they share a compile cache. Compiling these modules takes longer than
  // running most of the programs.
  NODE_COMPILE_CACHE: join(root, "node_modules", ".cache", "lastro", "compiled-checks")
}

/** A check has failed. The message is printed without a stack trace. */
export class Failure extends Error {}

interface CommandOptions {
  readonly cwd?: string
  /** Timeout in milliseconds. Default: ten minutes. */
  readonly timeout?: number
  readonly env?: Readonly<Record<string, string>>
}

/** Runs a command with the Node.js and the tools of the repository. Default folder: the root of the repository. */
export const execute = (
  { cwd = root, env: variables, timeout = 600_000 }: CommandOptions,
  command: string,
  ...args: ReadonlyArray<string>
): Promise<{ readonly ok: boolean; readonly output: string }> =>
  new Promise((resolve) => {
    const options = { cwd, env: { ...env, ...variables }, maxBuffer: 2 ** 28, timeout, killSignal: "SIGKILL" } as const
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

/** Returns the path of the TypeScript compiler with the diagnostics of Effect. That takes more than a second. */
export const findCompiler = (): Promise<string> => run({}, "effect-tsgo", "get-exe-path")

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

/** Prints the errors of tasks. Sets the exit code to 1 if there are any. */
export const report = (failures: ReadonlyArray<unknown>): void => {
  for (const failure of failures) console.error(failure instanceof Failure ? failure.message : failure)
  if (failures.length > 0) process.exitCode = 1
}

/** Creates a folder outside the repository, passes it to `use`, and removes it afterwards. */
export const withTemporaryFolder = async <A>(use: (directory: string) => Promise<A>): Promise<A> => {
  const directory = await mkdtemp(join(tmpdir(), "lastro-"))
  try {
    return await use(directory)
  } finally {
    await rm(directory, { recursive: true, force: true })
  }
}

/** Reads and parses a JSON file of the repository. The caller chooses the type, which is not checked. */
export const readJson = async <A>(...path: ReadonlyArray<string>): Promise<A> =>
  JSON.parse(await readFile(join(root, ...path), "utf8")) as A

/** Returns the entry points of a published package: their import specifiers, and their source files. */
export const entryPointsOf = async (folder: string): Promise<ReadonlyArray<readonly [name: string, file: string]>> => {
  const { exports, name } = await readJson<
    { readonly name: string; readonly exports: Readonly<Record<string, string>> }
  >("packages", folder, "package.json")
  return Object.entries(exports).filter(([, file]) => file.endsWith(".ts"))
    .map(([path, file]) => [`${name}${path.slice(1)}`, join(root, "packages", folder, file)])
}

/** True if the script only checks that its documents are up to date. */
export const isCheck = process.argv.includes("--check")

/** Writes a generated document of the repository. With `--check`, fails if the document is out of date. */
export const writeDocument = async (path: string, text: string, command: string): Promise<void> => {
  const file = join(root, path)
  if (!isCheck) await writeFile(file, text)
  else if (await readFile(file, "utf8").catch(() => "") !== text) {
    report([new Failure(`${path} is out of date: run pnpm ${command}`)])
  }
}
