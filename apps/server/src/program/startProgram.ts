import { enableCompileCache, flushCompileCache } from "node:module"
import { join } from "node:path"
import type * as Source from "../run.ts"

/** Loads the command line and runs it. Caches its compiled code in `folder`, or does not if the folder cannot be written. */
export const startProgram = async (
  folder: string,
  load: () => Promise<typeof Source>,
  program?: string
): Promise<void> => {
  // Cache the compiled code, because compilation takes a third of the processor time of a start. The cache holds the functions of the
  // first command that fills it, so `serve` has its own.
  enableCompileCache(join(folder, process.argv[2] === "serve" ? "compiled-serve" : "compiled"))
  // Node.js also writes the cache when the process ends, but not if it is killed.
  setTimeout(flushCompileCache, 5_000).unref()
  // A static import would be compiled before the cache is enabled.
  const { run } = await load()
  run(program)
}
