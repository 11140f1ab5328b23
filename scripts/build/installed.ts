import { readdir, readFile, realpath } from "node:fs/promises"
import { dirname, join } from "node:path"

/** A package of the npm registry in `node_modules`. */
export interface InstalledPackage {
  readonly name: string
  readonly version: string
  readonly license?: string
  readonly dependencies?: Readonly<Record<string, string>>
  /** The absolute path of the package's folder. */
  readonly folder: string
}

export const readPackage = async (folder: string): Promise<InstalledPackage> => ({
  ...JSON.parse(await readFile(join(folder, "package.json"), "utf8")),
  folder
})

/** Reads packages and all of their dependencies. pnpm links the dependencies of a package next to it. */
export const withDependencies = async (folders: Iterable<string>): Promise<ReadonlyArray<InstalledPackage>> => {
  const packages = new Map<string, InstalledPackage>()
  const add = async (folder: string): Promise<void> => {
    const read = await readPackage(folder)
    const id = `${read.name} ${read.version}`
    if (packages.has(id)) return
    packages.set(id, read)
    const siblings = read.name.split("/").reduce((path) => dirname(path), folder)
    const names = Object.keys(read.dependencies ?? {})
    await Promise.all(names.map(async (name) => add(await realpath(join(siblings, name)))))
  }
  await Promise.all([...folders].map(add))
  return [...packages.values()]
}

const licenceFile = /^(?:licen[cs]e|notice|copying)(?:[.-]|$)/i

/** A line between two licences. */
export const separator = `\n\n${"-".repeat(80)}\n\n`

/** Returns the licence texts of packages. Their licences require that these texts are distributed with the packages. */
export const licencesOf = async (packages: ReadonlyArray<InstalledPackage>): Promise<string> => {
  const sections = await Promise.all(packages.map(async ({ folder, license = "see below", name, version }) => {
    const files = (await readdir(folder)).filter((file) => licenceFile.test(file)).toSorted()
    const texts = await Promise.all(files.map((file) => readFile(join(folder, file), "utf8")))
    return [`${name} ${version} (${license})`, ...texts.map((text) => text.replaceAll("\r\n", "\n").trim())].join(
      "\n\n"
    )
  }))
  return [...new Set(sections)].toSorted().join(separator)
}
