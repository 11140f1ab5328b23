import { cp, readFile, writeFile } from "node:fs/promises"
import { basename, join } from "node:path"
import { root } from "./execute.ts"
import { type Package } from "./tarballs.ts"

/**
 * Returns whether a package accepts later minor versions of `effect`. A package does so if it uses only stable modules
 * of `effect`.
 */
export const acceptsNextMinor = ({ peerDependencies }: Package): boolean =>
  peerDependencies?.["effect"]?.startsWith("^") === true

/**
 * Copies the installed `effect` to a folder, with the version number of its next minor version, which may not exist
 * yet. Returns the dependency that installs the copy. A test with the copy shows that a range accepts the next version,
 * and that a project then has only one copy of `effect`. It does not show what the next version will change.
 */
export const copyNextMinor = async (directory: string): Promise<string> => {
  const installed = join(root, "node_modules", "effect")
  await cp(installed, directory, {
    recursive: true,
    dereference: true,
    filter: (path) => !["node_modules", "src"].includes(basename(path))
  })
  const manifest = JSON.parse(await readFile(join(installed, "package.json"), "utf8")) as { readonly version: string }
  const [major, minor] = manifest.version.split(".").map(Number)
  const version = `${major}.${Number(minor) + 1}.0`
  await writeFile(join(directory, "package.json"), JSON.stringify({ ...manifest, version }))
  return `file:${directory}`
}
