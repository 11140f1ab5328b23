import { mkdir, readdir, rename, rm, stat, writeFile } from "node:fs/promises"
import { dirname, join, relative } from "node:path"
import { bundle, posix } from "./bundle.ts"
import { digestOf, type Manifest, manifestPath, programPath, type Project, readSource } from "./Project.ts"
import { placesPath } from "./sourcePlaces.ts"

/**
 * Number of bundles kept on disk. A process that starts while a new bundle is written may still load an earlier one.
 */
const kept = 3

/** Writes a file under a temporary name and renames it, so that no reader sees an incomplete file. */
const replaceFile = async (path: string, content: Uint8Array | string): Promise<void> => {
  await mkdir(dirname(path), { recursive: true })
  const draft = `${path}.${process.pid}`
  await writeFile(draft, content)
  await rename(draft, path)
}

const removeOld = async (folder: string): Promise<void> => {
  const entries = await readdir(folder, { withFileTypes: true })
  const paths = entries.filter((entry) => entry.isDirectory()).map(({ name }) => join(folder, name))
  const aged = await Promise.all(paths.map(async (path) => ({ path, at: (await stat(path)).mtimeMs })))
  const old = aged.toSorted((a, b) => b.at - a.at).slice(kept)
  await Promise.all(old.map(({ path }) => rm(path, { recursive: true, force: true })))
}

/** Bundles a project into one file, and writes the file and its manifest. Rejects if the project does not compile. */
export const bundleProgram = async (project: Project): Promise<void> => {
  const { entry, root } = project
  // All programs are in folders of the same depth, so relative paths do not depend on the folder's name.
  const folder = dirname(programPath(project, "digest"))
  const { places, program, sources } = await bundle({
    root,
    entry,
    folder: relative(root, folder),
    lazyImport: (_, file) => posix(relative(folder, file))
  })
  const others = project.others.map((file) => [file, readSource(join(root, file))] as const)
  const read = new Map([...sources, ...others].toSorted(([a], [b]) => a < b ? -1 : 1))
  const digest = digestOf([...read.keys()], (file) => read.get(file)?.content ?? new Uint8Array())
  const files = Array.from(read, ([file, { changed }]) => [file, changed] as const)
  const path = programPath(project, digest)
  await replaceFile(placesPath(path), JSON.stringify(places))
  await replaceFile(path, program)
  await replaceFile(manifestPath(project), JSON.stringify({ digest, files } satisfies Manifest))
  await removeOld(join(root, project.programs))
}
