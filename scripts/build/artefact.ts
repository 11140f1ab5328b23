import { chmod, copyFile, cp, mkdir, rm, writeFile } from "node:fs/promises"
import { basename, join, relative } from "node:path"
import { bundle } from "../../apps/server/src/program/bundle.ts"
import { serverProject } from "../../apps/server/src/program/Project.ts"
import { placesPath } from "../../apps/server/src/program/sourcePlaces.ts"
import { version } from "../../packages/adapters-http/src/version/version.ts"
import { notices } from "./notices.ts"
import { type InstalledPackage, packageFolder, readPackage, withDependencies } from "./packageFolders.ts"

const { entry, root } = serverProject

/** Returns true for a package, and false for a path such as `./file.js`. */
const isPackage = (specifier: string): boolean => !/^[./]/.test(specifier)

/** Returns true for a file that Node.js does not load: a source map or types. */
const isForDevelopment = (path: string): boolean => /\.(?:map|d\.[cm]?ts)$/.test(path)

/**
 * Returns the path with which the artefact imports a dependency lazily. A package keeps its name. A single file of a
 * package is copied beside the program.
 */
const lazyPath = (specifier: string, file: string): string =>
  isPackage(specifier) ? specifier : `./lazy-${basename(file).replace(/\.[cm]?js$/, "")}.mjs`

/** Bundles the server. Returns the files in the bundles, and the folders of the packages that they import. */
const bundleAll = async (folder: string) => {
  const lazy = new Map<string, string>()
  const lazyImport = (specifier: string, file: string): string => {
    const path = lazyPath(specifier, file)
    if ((lazy.get(path) ?? file) !== file) throw new Error(`Two lazy imports have the path ${path}`)
    lazy.set(path, file)
    return path
  }
  const inputs: Array<string> = []
  const packages = new Set<string>()
  const write = async (path: string, entry: string): Promise<void> => {
    const to = join(folder, path)
    const bundled = await bundle({ root, entry, folder: ".", lazyImport })
    await writeFile(to, bundled.program)
    if (path === "program.mjs") await writeFile(placesPath(to), JSON.stringify(bundled.places))
    inputs.push(...bundled.inputs)
    await Promise.all(bundled.imports.map(async (imported) => {
      const file = lazy.get(imported)
      if (file === undefined) return
      if (isPackage(imported)) packages.add(packageFolder(file) ?? file)
      else await write(imported, relative(root, file))
    }))
  }
  await write("program.mjs", entry)
  await write("lastro.mjs", "apps/server/src/program/artefact.ts")
  await chmod(join(folder, "lastro.mjs"), 0o755)
  return { inputs, packages }
}

/** Reads the packages whose files are in the bundle. */
const bundledPackages = (inputs: ReadonlyArray<string>): Promise<ReadonlyArray<InstalledPackage>> => {
  const folders = inputs.flatMap((path) => packageFolder(path) ?? [])
  return Promise.all([...new Set(folders)].map((folder) => readPackage(join(root, folder))))
}

/**
 * Writes the server into a folder that needs only Node.js to run. The folder contains one file, and the packages that
 * need files of their own. Replaces an existing folder. Returns the packages of the npm registry in it.
 */
export const writeArtefact = async (folder: string): Promise<ReadonlyArray<InstalledPackage>> => {
  await rm(folder, { recursive: true, force: true })
  await mkdir(folder, { recursive: true })
  const { inputs, packages } = await bundleAll(folder)
  const copied = await withDependencies(packages)
  await Promise.all(copied.map(({ folder: from, name }) =>
    cp(from, join(folder, "node_modules", name), {
      recursive: true,
      dereference: true,
      filter: (path) => !isForDevelopment(path) && packageFolder(path) === from
    })
  ))
  const all = [...await bundledPackages(inputs), ...copied].toSorted((a, b) => a.name < b.name ? -1 : 1)
  await writeFile(join(folder, "THIRD-PARTY-LICENSES.txt"), await notices(all))
  await writeFile(
    join(folder, "package.json"),
    `${
      JSON.stringify(
        {
          name: "lastro",
          version,
          private: true,
          license: "MIT",
          type: "module",
          engines: { node: ">=24.7" },
          bin: { lastro: "lastro.mjs" },
          dependencies: Object.fromEntries(copied.map(({ name, version }) => [name, version])),
          bundleDependencies: copied.map(({ name }) => name)
        },
        null,
        2
      )
    }\n`
  )
  await copyFile(join(root, "LICENSE"), join(folder, "LICENSE"))
  return all
}
