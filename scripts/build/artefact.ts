import { chmod, copyFile, cp, mkdir, readdir, readFile, realpath, rm, writeFile } from "node:fs/promises"
import { basename, dirname, join, relative, sep } from "node:path"
import { bundle } from "../../apps/server/src/program/bundle.ts"
import { serverProject } from "../../apps/server/src/program/Project.ts"
import { placesPath } from "../../apps/server/src/program/sourcePlaces.ts"
import { version } from "../../packages/adapters-http/src/version/version.ts"

const { entry, root } = serverProject

/** A package of the npm registry in `node_modules`. */
interface InstalledPackage {
  readonly name: string
  readonly version: string
  /** The absolute path of the package's folder. */
  readonly folder: string
  readonly license: string | undefined
  readonly dependencies: ReadonlyArray<string>
}

/** Returns the folder of the package that contains a file. Undefined if the file is not in `node_modules`. */
const packageFolder = (file: string): string | undefined =>
  /^.*[\\/]node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+/.exec(file)?.[0]

const readPackage = async (folder: string): Promise<InstalledPackage> => {
  const { dependencies = {}, license, name, version } = JSON.parse(
    await readFile(join(folder, "package.json"), "utf8")
  ) as Omit<InstalledPackage, "dependencies"> & { readonly dependencies?: Readonly<Record<string, string>> }
  return { name, version, license, folder, dependencies: Object.keys(dependencies) }
}

/** Returns the `node_modules` folder that contains a package. pnpm also links the dependencies of the package there. */
const siblings = ({ folder, name }: InstalledPackage): string =>
  name.split("/").reduce((path) => dirname(path), folder.split(sep).join("/"))

/** Reads packages and all of their dependencies. Rejects if they need two versions of one package. */
const withDependencies = async (folders: Iterable<string>): Promise<ReadonlyArray<InstalledPackage>> => {
  const found = new Map<string, InstalledPackage>()
  const add = async (folder: string): Promise<void> => {
    const read = await readPackage(folder)
    const other = found.get(read.name)
    if (other !== undefined && other.version !== read.version) {
      throw new Error(`The artefact needs two versions of ${read.name}: ${other.version} and ${read.version}`)
    }
    if (other !== undefined) return
    found.set(read.name, read)
    await Promise.all(read.dependencies.map(async (name) => add(await realpath(join(siblings(read), name)))))
  }
  await Promise.all([...folders].map(add))
  return [...found.values()]
}

const licenceFile = /^(?:licen[cs]e|notice|copying)(?:[.-]|$)/i

/** Returns the licence texts of packages. Their licences require that these texts are distributed with the packages. */
const notices = async (packages: ReadonlyArray<InstalledPackage>): Promise<string> => {
  const sections = await Promise.all(packages.map(async ({ folder, license, name, version }) => {
    const files = (await readdir(folder)).filter((file) => licenceFile.test(file)).toSorted()
    const texts = await Promise.all(files.map((file) => readFile(join(folder, file), "utf8")))
    return [`${name} ${version} (${license ?? "see below"})`, ...texts.map((text) => text.trim())].join("\n\n")
  }))
  return `${sections.join(`\n\n${"-".repeat(80)}\n\n`)}\n`
}

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
  await Promise.all(copied.map(({ folder: from, name }) =>
    cp(from, join(folder, "node_modules", name), {
      recursive: true,
      dereference: true,
      filter: (path) => !isForDevelopment(path) && packageFolder(path) === from
    })
  ))
  const all = [...await bundledPackages(inputs), ...copied].toSorted((a, b) => a.name < b.name ? -1 : 1)
  const viewer = await readFile(join(root, "packages/adapters-http/viewer-licenses.txt"), "utf8")
  await writeFile(join(folder, "THIRD-PARTY-LICENSES.txt"), `${await notices(all)}\n${"-".repeat(80)}\n\n${viewer}`)
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
