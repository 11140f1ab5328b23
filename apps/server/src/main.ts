import { enableCompileCache, flushCompileCache } from "node:module"
import { dirname, join } from "node:path"
import { pathToFileURL } from "node:url"
import { serverProject } from "./program/Project.ts"
import { serverProgram } from "./program/serverProgram.ts"

const program = serverProgram()
const cache = program === undefined ? join(serverProject.root, "node_modules/.cache/lastro") : dirname(program)

// Cache the compiled code, because compilation takes about a fifth of the processor time of a start.
enableCompileCache(join(cache, "compiled"))
// Node.js writes the cache when the process ends, but not if it is killed.
setTimeout(flushCompileCache, 5_000).unref()

// A static import would be compiled before the cache is enabled.
const { run } = program === undefined
  ? await import("./run.ts")
  : await import(pathToFileURL(program).href) as typeof import("./run.ts")
run()
