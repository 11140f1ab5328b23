import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { serverProject } from "./program/Project.ts"
import { serverProgram } from "./program/serverProgram.ts"
import { startProgram } from "./program/startProgram.ts"
import type * as Source from "./run.ts"

const path = serverProgram()
const program = path === undefined ? undefined : pathToFileURL(path).href
const cache = join(serverProject.root, "node_modules/.cache/lastro")
const load = (): Promise<typeof Source> => import(program ?? "./run.ts")

await startProgram(cache, load, program)
