import { enableCompileCache, flushCompileCache } from "node:module"
import { constants } from "node:os"
import { join } from "node:path"

/** The command line. `program` is the URL of the bundle that contains it. */
interface CommandLine {
  readonly run: (program: string | undefined) => void
}

const end = (signal: "SIGTERM" | "SIGINT"): never => process.exit(128 + constants.signals[signal])

/**
 * Ends this process at a stop signal until the returned function is called. Linux ignores a signal to process 1, such as that of a
 * container, unless the process has a listener.
 */
const endOnSignal = (): () => void => {
  const signals = ["SIGTERM", "SIGINT"] as const
  signals.forEach((signal) => process.on(signal, end))
  return () => signals.forEach((signal) => process.off(signal, end))
}

/**
 * Loads the command line and runs it. Caches its compiled code in `folder`, if this folder can be written. `program` is the URL of
 * the bundle; undefined if the source files are loaded.
 */
export const startProgram = async (
  folder: string,
  load: () => Promise<CommandLine>,
  program: string | undefined
): Promise<void> => {
  const ignoreSignals = endOnSignal()
  // Cache the compiled code, because compilation takes a third of the processor time of a start. The cache holds the functions of the
  // first command that fills it, so `serve` has its own.
  enableCompileCache(join(folder, process.argv[2] === "serve" ? "compiled-serve" : "compiled"))
  // Node.js also writes the cache when the process ends, but not if it is killed.
  setTimeout(flushCompileCache, 5_000).unref()
  // A static import would be compiled before the cache is enabled.
  const { run } = await load()
  // The command has its own listeners from its first step.
  run(program)
  ignoreSignals()
}
