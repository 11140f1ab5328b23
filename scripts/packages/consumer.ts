import { cp, mkdir, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { Failure, run } from "./execute.ts"
import { entryPoints, type Package } from "./tarballs.ts"
import { writeManifest } from "./temporaryFolder.ts"
import { typeCheck, writeTsconfig } from "./typeCheck.ts"

type Ranges = Readonly<Record<string, string>>

/** Returns the lowest version of a range of the form `^1.2.3`, `~1.2.3` or `1.2.3`. */
const lowestVersion = ([name, range]: readonly [string, string]): readonly [string, string] => {
  const version = /^[~^]?(\d+\.\d+\.\d+)$/.exec(range)?.[1]
  if (version === undefined) throw new Failure(`${name}: the range "${range}" has no lowest version of the form 1.2.3`)
  return [name, version]
}

const withoutOwn = (ranges: Ranges = {}): ReadonlyArray<[string, string]> =>
  Object.entries(ranges).filter(([name]) => !name.startsWith("@lastro/"))

/**
 * Returns the peer dependencies of the packages, except the packages themselves. If two packages have different ranges,
 * the narrower one applies: `~1.2.3`, not `^1.2.3`.
 */
export const peerRanges = (packages: ReadonlyArray<Package>): Ranges =>
  Object.fromEntries(
    packages.flatMap(({ peerDependencies }) => withoutOwn(peerDependencies))
      .toSorted(([, one], [, other]) => Number(one.startsWith("~")) - Number(other.startsWith("~")))
  )

/** Returns the lowest allowed versions of all peer dependencies and dependencies. */
export const lowestVersions = (packages: ReadonlyArray<Package>): Ranges =>
  Object.fromEntries(
    packages.flatMap(({ dependencies, peerDependencies }) => [
      ...withoutOwn(dependencies),
      ...withoutOwn(peerDependencies)
    ]).map(lowestVersion)
  )

/** Returns the optional packages that an entry point requires. */
const requiredBy = (point: string): ReadonlyArray<string> =>
  point === "@lastro/testkit/http" ? ["@lastro/adapters-http"] : []

/** Writes a project that depends only on the given packages. It imports every entry point that needs nothing else. */
export const writeConsumer = async (
  directory: string,
  packages: ReadonlyArray<Package>,
  dependencies: Ranges
): Promise<void> => {
  await mkdir(directory, { recursive: true })
  await cp(join(import.meta.dirname, "consumer", "consumer.ts"), join(directory, "consumer.ts"))
  const isPresent = (name: string) => packages.some((one) => one.name === name)
  const points = packages.flatMap(entryPoints).filter((point) => requiredBy(point).every(isPresent))
  const imports = points.map((point, index) => `import * as entry${index} from "${point}"`)
  const checks = points.map((point, index) =>
    `if (Object.keys(entry${index}).length === 0) throw new Error("${point} exports nothing")`
  )
  await writeFile(join(directory, "entryPoints.ts"), [...imports, ...checks].join("\n"))
  await Promise.all(
    ["modules.js", "oldestNode.js"].map((name) =>
      cp(join(import.meta.dirname, "consumer", name), join(directory, name))
    )
  )
  await writeTsconfig(directory)
  const versions = Object.fromEntries(packages.map(({ name, version }) => [name, version]))
  await writeManifest(directory, "consumer", { "@types/node": "^24.0.0", ...dependencies, ...versions })
}

/** Type-checks the project and the declarations of our packages, imports every entry point with Node.js, counts the modules and runs the program. */
export const runConsumer = async (
  directory: string,
  { declarations = true }: { readonly declarations?: boolean } = {}
): Promise<void> => {
  await typeCheck(directory, { declarations })
  await run({ cwd: directory, timeout: 60_000 }, "node", "entryPoints.ts")
  await run({ cwd: directory, timeout: 60_000 }, "node", "modules.js")
  await run({ cwd: directory, timeout: 60_000 }, "node", "consumer.ts")
}

/**
 * Returns the lowest version of Node.js that any of the packages allows, and the npm package that contains its binary.
 */
const lowestNode = (packages: ReadonlyArray<Package>): readonly [name: string, version: string] => {
  const majors = packages.map(({ engines, name }) => {
    const major = /^>=(\d+)(?:\.\d+)*$/.exec(engines.node)?.[1]
    if (major === undefined) {
      throw new Failure(`${name}: the range "${engines.node}" of Node.js is not of the form >=22`)
    }
    return Number(major)
  })
  return [`node-${process.platform}-${process.arch}`, `${Math.min(...majors)}.0.0`]
}

/** Returns the dependency that installs the lowest allowed version of Node.js. */
export const lowestNodeDependency = (packages: ReadonlyArray<Package>): Ranges =>
  Object.fromEntries([lowestNode(packages)])

/**
 * Runs a program with the lowest allowed version of Node.js. The program uses only the packages that allow that
 * version.
 */
export const runOnLowestNode = async (directory: string, packages: ReadonlyArray<Package>): Promise<void> => {
  const [name] = lowestNode(packages)
  const binary = join(directory, "node_modules", name, "bin", "node")
  await run({ cwd: directory, timeout: 120_000 }, binary, "oldestNode.js")
}
