import { createHash, type Hash } from "node:crypto"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { type Project } from "./Project.ts"

/** Describes the last bundled program: its source files, and the digest of their contents. */
export interface Manifest {
  readonly files: ReadonlyArray<string>
  readonly digest: string
}

/** The path of the manifest. */
export const manifestPath = ({ programs, root }: Project): string => join(root, programs, "manifest.json")

/** The path of the program with this digest. Programs with different sources have different paths. */
export const programPath = ({ programs, root }: Project, digest: string): string =>
  join(root, programs, digest, "program.mjs")

const addFile = (hash: Hash, file: string, content: Uint8Array): Hash =>
  hash.update(`${file}\0${content.byteLength}\0`).update(content)

/** Returns the digest of files with these contents. */
export const digestOf = (files: ReadonlyArray<string>, contentOf: (file: string) => Uint8Array): string =>
  files.reduce((hash, file) => addFile(hash, file, contentOf(file)), createHash("sha256")).digest("hex").slice(0, 32)

/** Returns the digest of the contents that the files have now. Throws if a file cannot be read. */
export const presentDigest = ({ root }: Project, files: ReadonlyArray<string>): string =>
  digestOf(files, (file) => readFileSync(join(root, file)))
