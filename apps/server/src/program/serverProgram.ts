import { spawnSync } from "node:child_process"
import { accessSync, constants, existsSync } from "node:fs"
import { join } from "node:path"
import { findProgram, serverProject } from "./Project.ts"

/** Maximum milliseconds to bundle the server. It takes one to three seconds. */
const bundleTimeout = 60_000

const isWritable = (folder: string): boolean => {
  try {
    accessSync(folder, constants.W_OK)
    return true
  } catch {
    return false
  }
}

/** Bundles the server in a separate process, so that this process needs no memory for it. */
const bundleServer = (): void => {
  const programs = join(serverProject.root, serverProject.programs)
  if (!isWritable(existsSync(programs) ? programs : join(serverProject.root, "node_modules"))) return
  spawnSync(process.execPath, [join(import.meta.dirname, "bundleServer.ts")], {
    stdio: ["ignore", "ignore", "inherit"],
    timeout: bundleTimeout
  })
}

/** True if this process runs under `node --watch`, which watches the source files that the process loads. */
const isWatched = process.env["WATCH_REPORT_DEPENDENCIES"] !== undefined

/**
 * Returns the path of the server as one file, which loads three times as fast as the source files. Bundles it first if
 * a source file has changed. Undefined if the source files must be loaded: under `node --watch`, or if the bundle
 * cannot be written or does not compile.
 */
export const serverProgram = (): string | undefined => {
  if (isWatched) return undefined
  const found = findProgram(serverProject)
  if (found !== undefined) return found
  bundleServer()
  return findProgram(serverProject)
}
