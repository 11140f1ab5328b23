import { enableCompileCache, flushCompileCache } from "node:module"
import { constants } from "node:os"
import { join } from "node:path"

/** The module with the command line. `program` is the URL of the bundle that contains it. */
interface CommandLine {
  readonly run: (program: string | undefined) => void
}

const end = (signal: "SIGTERM" | "SIGINT"): never => process.exit(128 + constants.signals[signal])

/**
 * Makes a stop signal end this process, until the returned function is called. Without a listener, Linux ignores such a
 * signal for process 1, the first process of a container.
 */
const endOnSignal = (): () => void => {
  const signals = ["SIGTERM", "SIGINT"] as const
  signals.forEach((signal) => process.on(signal, end))
  return () => signals.forEach((signal) => process.off(signal, end))
}

/**
 * Loads the command line and runs it. Caches its compiled code in `folder`, if this folder can be written. `program` is
 * the URL of the bundle; undefined if the source files are loaded.
 */
export const startProgram = async (
  folder: string,
  load: () => Promise<CommandLine>,
  program: string | undefined
): Promise<void> => {
  const ignoreSignals = endOnSignal()
  // Cache the compiled code, because compilation takes a third of the processor time of a start. The first command that
  // fills the cache determines which functions it contains, so `serve` has a cache of its own.
  enableCompileCache(join(folder, process.argv[2] === "serve" ? "compiled-serve" : "compiled"))
  // Node.js writes the cache when the process ends normally, but not if it is killed. Therefore, write it after 5 s.
  setTimeout(flushCompileCache, 5_000).unref()
  // Import the module dynamically: a static import would be compiled before the cache is enabled.
  const { run } = await load()
  // `run` installs its own signal listeners synchronously, so ours can be removed afterwards.
  run(program)
  ignoreSignals()
}
