import { chmod, copyFile, cp, mkdir, readFile, rm, writeFile } from "node:fs/promises"
import { basename, join, relative } from "node:path"
import { bundle } from "../../apps/server/src/program/bundle.ts"
import { serverProject } from "../../apps/server/src/program/Project.ts"
import { placesPath } from "../../apps/server/src/program/sourcePlaces.ts"
import { version } from "../../packages/adapters-http/src/version/version.ts"
import { type InstalledPackage, licencesOf, readPackage, separator, withDependencies } from "./installed.ts"

const { entry, root } = serverProject

/** Returns the folder of the package that contains a file. Undefined if the file is not in `node_modules`. */
const packageFolder = (file: string): string | undefined =>
  /^.*[\\/]node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+/.exec(file)?.[0]

/** Returns whether an import specifier names a package, and not a path such as `./file.js`. */
const isPackage = (specifier: string): boolean => !/^[./]/.test(specifier)

/** Returns whether a file is a source map or types, which Node.js does not load. */
const isForDevelopment = (path: string): boolean => /\.(?:map|d\.[cm]?ts)$/.test(path)

/**
 * Returns the path with which the artefact lazily imports a dependency. A package keeps its name. A single file of a
 * package is copied next to the program.
 */
const lazyPath = (specifier: string, file: string): string =>
  isPackage(specifier) ? specifier : `./lazy-${basename(file).replace(/\.[cm]?js$/, "")}.mjs`

/** The oldest version of Node.js that runs the artefact. */
const lowestNode = [24, 7] as const

/**
 * Returns the entry of the artefact. It imports the program only if Node.js is new enough, because an older version
 * cannot parse or link it. The entry uses only syntax of ECMAScript 2015, and a dynamic import.
 */
export const entryText = (program: string): string => {
  const [major, minor] = lowestNode
  return `#!/usr/bin/env node
var version = process.versions.node.split(".").map(Number)
if (version[0] > ${major} || (version[0] === ${major} && version[1] >= ${minor})) {
  import(${JSON.stringify(program)})
} else {
  console.error("lastro: Node.js ${major}.${minor} or newer is required. This is Node.js " + process.versions.node + ".")
  process.exitCode = 2
}
`
}

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
  await write("start.mjs", "apps/server/src/program/artefact.ts")
  await writeFile(join(folder, "lastro.mjs"), entryText("./start.mjs"))
  await chmod(join(folder, "lastro.mjs"), 0o755)
  return { inputs, packages }
}

/** Reads the packages whose files are in the bundle. */
const bundledPackages = (inputs: ReadonlyArray<string>): Promise<ReadonlyArray<InstalledPackage>> => {
  const folders = inputs.flatMap((path) => packageFolder(path) ?? [])
  return Promise.all([...new Set(folders)].map((folder) => readPackage(join(root, folder))))
}

/**
 * Writes the server into a folder that needs only Node.js to run: one file, and the packages that need their own files.
 * Replaces an existing folder. Returns the packages of the npm registry in it.
 */
export const writeArtefact = async (folder: string): Promise<ReadonlyArray<InstalledPackage>> => {
  await rm(folder, { recursive: true, force: true })
  await mkdir(folder, { recursive: true })
  const { inputs, packages } = await bundleAll(folder)
  const copied = await withDependencies(packages)
  const twice = copied.find(({ name, version }) => copied.some((pkg) => pkg.name === name && pkg.version !== version))
  if (twice !== undefined) throw new Error(`The artefact needs two versions of ${twice.name}`)
  await Promise.all(copied.map(({ folder: from, name }) =>
    cp(from, join(folder, "node_modules", name), {
      recursive: true,
      dereference: true,
      filter: (path) => !isForDevelopment(path) && packageFolder(path) === from
    })
  ))
  const all = [...await bundledPackages(inputs), ...copied]
  const viewer = await readFile(join(root, "packages/adapters-http/viewer-licenses.txt"), "utf8")
  await writeFile(join(folder, "THIRD-PARTY-LICENSES.txt"), `${await licencesOf(all)}${separator}${viewer}`)
  const manifest = {
    name: "lastro",
    version,
    private: true,
    license: "MIT",
    type: "module",
    engines: { node: `>=${lowestNode.join(".")}` },
    bin: { lastro: "lastro.mjs" },
    dependencies: Object.fromEntries(copied.map(({ name, version }) => [name, version])),
    bundleDependencies: copied.map(({ name }) => name)
  }
  await writeFile(join(folder, "package.json"), `${JSON.stringify(manifest, null, 2)}\n`)
  await copyFile(join(root, "LICENSE"), join(folder, "LICENSE"))
  return all
}
