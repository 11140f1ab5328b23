import { enableCompileCache, flushCompileCache } from "node:module"
import { constants } from "node:os"
import { join } from "node:path"

/** The module with the command line. `program` is the URL of the bundle that contains it. */
interface CommandLine {
  readonly run: (program: string | undefined) => void
}

const end = (signal: "SIGTERM" | "SIGINT"): never => process.exit(128 + constants.signals[signal])

/**
 * Ends this process at a stop signal. Returns a function that removes the listeners again. Linux ignores a stop signal
 * without a listener for process 1, the first process of a container.
 */
const endOnSignal = (): () => void => {
  const signals = ["SIGTERM", "SIGINT"] as const
  signals.forEach((signal) => process.on(signal, end))
  return () => signals.forEach((signal) => process.off(signal, end))
}

/**
 * Loads the command line and runs it. Caches its compiled code in `folder` if it is writable. `program` is the URL of
 * the bundle, or undefined if the source files are loaded.
 */
export const startProgram = async (
  folder: string,
  load: () => Promise<CommandLine>,
  program: string | undefined
): Promise<void> => {
  const removeListeners = endOnSignal()
  // Compilation takes a third of the processor time of a start, so cache the compiled code, unless main.js already does.
  // The first command that fills a cache determines which functions it contains, so `serve` has a separate cache.
  enableCompileCache(join(folder, process.argv[2] === "serve" ? "compiled-serve" : "compiled"))
  // Node.js writes the cache at a normal end, but not if the process is killed. So also write it after 5 s.
  setTimeout(flushCompileCache, 5_000).unref()
  // A static import would be compiled before the cache is enabled.
  const { run } = await load()
  // `run` installs its own signal listeners synchronously, so ours can be removed afterwards.
  run(program)
  removeListeners()
}
