import { existsSync, readFileSync } from "node:fs"
import { type Manifest, manifestPath, presentDigest, programPath } from "./Manifest.ts"
import { type Project } from "./Project.ts"

/**
 * Returns the path of the bundled program. Returns undefined if there is none, or if a source file has changed since it
 * was bundled.
 */
export const findProgram = (project: Project): string | undefined => {
  try {
    const { digest, files } = JSON.parse(readFileSync(manifestPath(project), "utf8")) as Manifest
    const path = programPath(project, digest)
    return presentDigest(project, files) === digest && existsSync(path) ? path : undefined
  } catch {
    return undefined
  }
}
