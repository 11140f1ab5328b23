import { readFile, realpath } from "node:fs/promises"
import { dirname, join, sep } from "node:path"

/** A package of the npm registry in `node_modules`. */
export interface InstalledPackage {
  readonly name: string
  readonly version: string
  /** The absolute path of the package's folder. */
  readonly folder: string
  readonly dependencies: ReadonlyArray<string>
}

/** Returns the folder of the package that contains a file. Undefined if the file is not in `node_modules`. */
export const packageFolder = (file: string): string | undefined =>
  /^.*[\\/]node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+/.exec(file)?.[0]

/** Reads the package in a folder. */
export const readPackage = async (folder: string): Promise<InstalledPackage> => {
  const { dependencies = {}, name, version } = JSON.parse(await readFile(join(folder, "package.json"), "utf8")) as {
    readonly name: string
    readonly version: string
    readonly dependencies?: Readonly<Record<string, string>>
  }
  return { name, version, folder, dependencies: Object.keys(dependencies) }
}

/** Returns the `node_modules` folder that contains a package. pnpm also links the dependencies of the package there. */
const siblings = ({ folder, name }: InstalledPackage): string =>
  name.split("/").reduce((path) => dirname(path), folder.split(sep).join("/"))

/** Reads packages and all of their dependencies. Rejects if they need two versions of one package. */
export const withDependencies = async (folders: Iterable<string>): Promise<ReadonlyArray<InstalledPackage>> => {
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
