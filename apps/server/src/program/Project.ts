import { createHash, type Hash } from "node:crypto"
import { existsSync, readFileSync, statSync } from "node:fs"
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

/**
 * The last bundled program: its source files, each with the time of its last change in milliseconds, and the digest of
 * their contents.
 */
export interface Manifest {
  readonly files: ReadonlyArray<readonly [file: string, changed: number]>
  readonly digest: string
}

/** The content of a source file, and the time of its last change in milliseconds. */
export interface Source {
  readonly content: Uint8Array
  readonly changed: number
}

// Unlike the modification time, no program can set the change time.
const changeTime = (path: string): number => statSync(path).ctimeMs

/** Reads a source file. A change during the reading gives the file a later time than the returned one. */
export const readSource = (path: string): Source => {
  const changed = changeTime(path)
  return { changed, content: readFileSync(path) }
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

/** True if the files are those of the manifest. Reads their contents only if a time differs, as in a copy of a project. */
const isUnchanged = ({ root }: Project, { digest, files }: Manifest): boolean =>
  files.every(([file, changed]) => changeTime(join(root, file)) === changed) ||
  digestOf(files.map(([file]) => file), (file) => readFileSync(join(root, file))) === digest

/** Returns the path of the bundled program. Undefined if there is none, or if a source file has changed since. */
export const findProgram = (project: Project): string | undefined => {
  try {
    const manifest = JSON.parse(readFileSync(manifestPath(project), "utf8")) as Manifest
    const path = programPath(project, manifest.digest)
    return isUnchanged(project, manifest) && existsSync(path) ? path : undefined
  } catch {
    return undefined
  }
}
