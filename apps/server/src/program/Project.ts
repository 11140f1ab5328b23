import { createHash, type Hash } from "node:crypto"
import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"

export interface Project {
  /** The root folder. All other paths are relative to it. */
  readonly root: string
  /** The module to bundle. */
  readonly entry: string
  /** Files that affect the bundle although it does not contain them, such as the lockfile. */
  readonly others: ReadonlyArray<string>
  /** The folder of the bundled programs. */
  readonly programs: string
}

/**
 * The server as a project. Its dependencies are not listed, because pnpm's copy of the lockfile changes with any of
 * them.
 */
export const serverProject: Project = {
  root: join(import.meta.dirname, "../../../.."),
  entry: "apps/server/src/run.ts",
  others: [
    "apps/server/src/program/bundle.ts",
    "apps/server/src/program/bundleProgram.ts",
    "node_modules/.pnpm/lock.yaml",
    ...["adapters-http", "adapters-sql", "domain", "seed"].map((name) => `packages/${name}/package.json`)
  ],
  programs: "node_modules/.cache/lastro/programs"
}

/** The last bundled program: its source files, and the digest of their contents. */
export interface Manifest {
  readonly files: ReadonlyArray<string>
  readonly digest: string
}

export const manifestPath = ({ programs, root }: Project): string => join(root, programs, "manifest.json")

/** Returns the path of the program with this digest. Programs with different sources have different paths. */
export const programPath = ({ programs, root }: Project, digest: string): string =>
  join(root, programs, digest, "program.mjs")

const addFile = (hash: Hash, file: string, content: Uint8Array): Hash =>
  hash.update(`${file}\0${content.byteLength}\0`).update(content)

/** Returns the digest of files with these contents. */
export const digestOf = (files: ReadonlyArray<string>, contentOf: (file: string) => Uint8Array): string =>
  files.reduce((hash, file) => addFile(hash, file, contentOf(file)), createHash("sha256")).digest("hex").slice(0, 32)

/** Returns the digest of the current contents of the files. Throws if a file cannot be read. */
const presentDigest = ({ root }: Project, files: ReadonlyArray<string>): string =>
  digestOf(files, (file) => readFileSync(join(root, file)))

/** Returns the path of the bundled program. Undefined if there is none, or if a source file has changed since. */
export const findProgram = (project: Project): string | undefined => {
  try {
    const { digest, files } = JSON.parse(readFileSync(manifestPath(project), "utf8")) as Manifest
    const path = programPath(project, digest)
    return presentDigest(project, files) === digest && existsSync(path) ? path : undefined
  } catch {
    return undefined
  }
}
