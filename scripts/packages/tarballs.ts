import { mkdir, readdir, readFile, rm } from "node:fs/promises"
import { join } from "node:path"
import { Failure, findCompiler, folders, root, run } from "../execute.ts"

/** A published package: its folder, and the fields of its packed package.json that the checks need. */
export interface Package {
  readonly folder: string
  readonly name: string
  readonly version: string
  readonly engines: { readonly node: string }
  readonly peerDependencies?: Readonly<Record<string, string>>
  readonly dependencies?: Readonly<Record<string, string>>
  readonly exports: Readonly<Record<string, unknown>>
}

const tarballs = join(root, ".tmp", "packages")

/** Returns the path of a package's tarball. */
const tarball = ({ name, version }: Pick<Package, "name" | "version">): string =>
  join(tarballs, `${name.replace("@", "").replace("/", "-")}-${version}.tgz`)

/** Returns the pnpm overrides that install all packages from their tarballs. */
export const tarballOverrides = (packages: ReadonlyArray<Package>): Readonly<Record<string, string>> =>
  Object.fromEntries(packages.map((pkg) => [pkg.name, `file:${tarball(pkg)}`]))

/** Returns the import specifiers of a package's entry points, such as `@lastro/domain/promises`. Omits JSON files. */
export const entryPoints = ({ exports, name }: Package): ReadonlyArray<string> =>
  Object.keys(exports).filter((path) => !path.endsWith(".json")).map((path) => `${name}${path.slice(1)}`)

const pathsIn = (folder: string): Promise<ReadonlyArray<string>> => readdir(folder, { recursive: true }).catch(() => [])

/**
 * Deletes the folder `dist` of a package unless it has exactly the modules of the sources. So the tarball contains no
 * file of a deleted source. Packing compiles only what has changed since.
 */
const deleteStale = async (folder: string): Promise<void> => {
  const dist = join(root, "packages", folder, "dist")
  const [compiled, sources] = await Promise.all([pathsIn(dist), pathsIn(join(root, "packages", folder, "src"))])
  const present = compiled.filter((path) => !/^bundle\b/.test(path) && /\.(?:js|d\.ts)(?:\.map)?$/.test(path))
  const expected = sources.filter((path) => path.endsWith(".ts")).flatMap((path) =>
    [".js", ".js.map", ".d.ts", ".d.ts.map"].map((ending) => path.replace(/\.ts$/, ending))
  )
  if (present.length === expected.length && new Set([...present, ...expected]).size === expected.length) return
  await rm(dist, { recursive: true, force: true })
}

/** Packs all packages one by one, because packing a package also builds the packages that it imports. */
export const packAll = async (): Promise<ReadonlyArray<Package>> => {
  await rm(tarballs, { recursive: true, force: true })
  await mkdir(tarballs, { recursive: true })
  await Promise.all(folders.map(deleteStale))
  const packed: Array<Package> = []
  const env = { LASTRO_TSC: await findCompiler() }
  for (const folder of folders) {
    // oxlint-disable-next-line eslint/no-await-in-loop -- two builds at a time would write the same files
    packed.push(await pack(folder, env))
  }
  return packed
}

const pack = async (folder: string, env: Readonly<Record<string, string>>): Promise<Package> => {
  const cwd = join(root, "packages", folder)
  await run({ cwd, env }, "pnpm", "pack", "--pack-destination", tarballs)
  const { name, version } = JSON.parse(await readFile(join(cwd, "package.json"), "utf8")) as Package
  // Read the packed manifest: it has versions instead of `catalog:` and `workspace:`.
  return {
    folder,
    ...JSON.parse(await run({ cwd }, "tar", "-xzOf", tarball({ name, version }), "package/package.json"))
  }
}

const requiredFiles = ["CHANGELOG.md", "LICENSE", "README.md"]

/** Checks the files and dependencies of a package's tarball, then runs publint and attw on it. */
export const lintTarball = async (pkg: Package): Promise<void> => {
  const files = new Set((await run({}, "tar", "-tzf", tarball(pkg))).split("\n"))
  const missing = requiredFiles.filter((file) => !files.has(`package/${file}`))
  if (missing.length > 0) throw new Failure(`The tarball lacks ${missing.join(", ")}`)
  // A package must not install its own copy of another of our packages: two copies of the domain reject each other's
  // proof values. The user's project must provide the only copy.
  const ours = Object.keys(pkg.dependencies ?? {}).filter((name) => name.startsWith("@lastro/"))
  if (ours.length > 0) throw new Failure(`Declare ${ours.join(", ")} as a peer dependency`)
  await run({}, "publint", "run", tarball(pkg), "--strict")
  // One entry point is enough: all have the same conditions, publint checks their files, and the consumer imports each.
  const [first = "."] = entryPoints(pkg).map((point) => point.replace(pkg.name, "."))
  const quiet = ["--format", "ascii", "--no-emoji", "--no-color"]
  await run({}, "attw", tarball(pkg), "--profile", "esm-only", "--entrypoints", first, ...quiet)
}
