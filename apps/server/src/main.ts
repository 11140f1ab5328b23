import { enableCompileCache, flushCompileCache } from "node:module"
import { dirname, join } from "node:path"
import { pathToFileURL } from "node:url"
import { serverProject } from "./program/Project.ts"
import { serverProgram } from "./program/serverProgram.ts"
import type * as Source from "./run.ts"

const program = serverProgram()
const cache = program === undefined ? join(serverProject.root, "node_modules/.cache/lastro") : dirname(program)

// Cache the compiled code, because compilation takes a third of the processor time of a start. The cache holds the functions of the
// first command that fills it, so `serve` has its own.
enableCompileCache(join(cache, process.argv[2] === "serve" ? "compiled-serve" : "compiled"))
// Node.js also writes the cache when the process ends, but not if it is killed.
setTimeout(flushCompileCache, 5_000).unref()

// A static import would be compiled before the cache is enabled.
const source: typeof Source = await import(program === undefined ? "./run.ts" : pathToFileURL(program).href)
source.run()
