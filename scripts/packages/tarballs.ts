import { mkdir, readFile, rm } from "node:fs/promises"
import { join } from "node:path"
import { Failure, root, run } from "./execute.ts"

/** What is said of a package in its package.json, as far as it matters here. */
export interface Package {
  readonly folder: string
  readonly name: string
  readonly version: string
  readonly peerDependencies?: Readonly<Record<string, string>>
  readonly dependencies?: Readonly<Record<string, string>>
  readonly exports: Readonly<Record<string, unknown>>
}

/** The folders of the packages that are published. */
export const folders = ["domain", "adapters-sql", "adapters-http", "testkit"] as const

const tarballs = join(root, ".tmp", "packages")

/** Where the tarball of a package is. */
const tarball = ({ name, version }: Pick<Package, "name" | "version">): string =>
  join(tarballs, `${name.replace("@", "").replace("/", "-")}-${version}.tgz`)

/** What all packages would be overridden by to be installed from their tarballs. */
export const tarballOverrides = (packages: ReadonlyArray<Package>): Readonly<Record<string, string>> =>
  Object.fromEntries(packages.map((found) => [found.name, `file:${tarball(found)}`]))

/** What an entry point is imported by: `@lastro/domain`, `@lastro/domain/promises`; those of code only. */
export const entryPoints = ({ exports, name }: Package): ReadonlyArray<string> =>
  Object.keys(exports).filter((path) => !path.endsWith(".json")).map((path) => `${name}${path.slice(1)}`)

/** Builds all packages anew, so that no output of a deleted source is packed, and packs them. */
export const packAll = async (): Promise<ReadonlyArray<Package>> => {
  await rm(tarballs, { recursive: true, force: true })
  await mkdir(tarballs, { recursive: true })
  await Promise.all(
    folders.map((folder) => rm(join(root, "packages", folder, "dist"), { recursive: true, force: true }))
  )
  await run({ cwd: root }, "tsc", "-b", ...folders.map((folder) => join("packages", folder)))
  return Promise.all(folders.map(pack))
}

const pack = async (folder: string): Promise<Package> => {
  const cwd = join(root, "packages", folder)
  await run({ cwd }, "pnpm", "pack", "--pack-destination", tarballs)
  const { name, version } = JSON.parse(await readFile(join(cwd, "package.json"), "utf8")) as Package
  // Only the packed manifest says what `catalog:` and `workspace:` mean.
  return {
    folder,
    ...JSON.parse(await run({ cwd }, "tar", "-xzOf", tarball({ name, version }), "package/package.json"))
  }
}

const needed = ["CHANGELOG.md", "LICENSE", "README.md"]

/** Looks for what has to be in the tarball of a package, and has publint and attw read it. */
export const lintTarball = async (found: Package): Promise<void> => {
  const files = new Set((await run({ cwd: root }, "tar", "-tzf", tarball(found))).split("\n"))
  const missing = needed.filter((file) => !files.has(`package/${file}`))
  if (missing.length > 0) throw new Failure(`There is no ${missing.join(", no ")}`)
  // Two copies of the domain would not know each other's proofs: whoever installs a package says which one there is.
  const own = Object.keys(found.dependencies ?? {}).filter((name) => name.startsWith("@lastro/"))
  if (own.length > 0) throw new Failure(`${own.join(", ")} has to be a peer, not a dependency`)
  await run({ cwd: root }, "publint", "run", tarball(found), "--strict")
  const quiet = ["--format", "ascii", "--no-emoji", "--no-color"]
  await run({ cwd: root }, "attw", tarball(found), "--profile", "esm-only", ...quiet)
}
