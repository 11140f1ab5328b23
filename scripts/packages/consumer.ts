import { cp, readFile, writeFile } from "node:fs/promises"
import { basename, join } from "node:path"
import { execute, Failure, root, run } from "../execute.ts"
import { type Ranges, writeProject } from "./projects.ts"
import { entryPoints, type Package } from "./tarballs.ts"

const withoutOwn = (ranges: Ranges = {}): ReadonlyArray<[string, string]> =>
  Object.entries(ranges).filter(([name]) => !name.startsWith("@lastro/"))

/**
 * Returns the peer dependencies of the packages, without the packages themselves. If two packages have different
 * ranges, returns the narrower one: `~1.2.3`, not `^1.2.3`.
 */
export const peerRanges = (packages: ReadonlyArray<Package>): Ranges =>
  Object.fromEntries(
    packages.flatMap(({ peerDependencies }) => withoutOwn(peerDependencies))
      .toSorted(([, a], [, b]) => Number(a.startsWith("~")) - Number(b.startsWith("~")))
  )

/** Returns the lowest allowed versions of all peer dependencies and dependencies. */
export const lowestVersions = (packages: ReadonlyArray<Package>): Ranges =>
  Object.fromEntries(
    packages.flatMap(({ dependencies = {}, peerDependencies = {} }) =>
      withoutOwn({ ...dependencies, ...peerDependencies })
    ).map(([name, range]) => {
      const version = /^[~^]?(\d+\.\d+\.\d+)$/.exec(range)?.[1]
      if (version !== undefined) return [name, version]
      throw new Failure(`${name}: the range "${range}" has no lowest version of the form 1.2.3`)
    })
  )

/** Writes a project that depends only on the given packages. It imports every entry point that needs nothing else. */
export const writeConsumer = async (
  directory: string,
  packages: ReadonlyArray<Package>,
  dependencies: Ranges
): Promise<void> => {
  await cp(join(import.meta.dirname, "consumer"), directory, { recursive: true })
  // The entry `@lastro/testkit/http` requires `@lastro/adapters-http`, which is optional.
  const hasHttp = packages.some(({ name }) => name === "@lastro/adapters-http")
  const points = packages.flatMap(entryPoints).filter((point) => hasHttp || point !== "@lastro/testkit/http")
  const lines = points.flatMap((point, index) => [
    `import * as entry${index} from "${point}"`,
    `if (Object.keys(entry${index}).length === 0) throw new Error("${point} exports nothing")`
  ])
  await writeFile(join(directory, "entryPoints.ts"), lines.join("\n"))
  const versions = Object.fromEntries(packages.map(({ name, version }) => [name, version]))
  await writeProject(directory, { "@types/node": "^24.0.0", ...dependencies, ...versions })
}

/**
 * Type-checks a folder. With `declarations`, also checks the declarations of our packages, but ignores errors in those
 * of other packages. That takes most of the time, so do it only once per set of versions.
 */
const typeCheck = async (
  directory: string,
  { declarations }: { readonly declarations: boolean }
): Promise<void> => {
  const flags = ["-p", ".", "--checkers", "1", "--pretty", "false", ...declarations ? [] : ["--skipLibCheck"]]
  const { ok, output } = await execute({ cwd: directory }, "tsc", ...flags)
  if (!ok && !output.includes("error TS")) throw new Failure(`tsc failed\n${output}`)
  const errors = output.split("\n").filter((line) => !line.startsWith(" ") && line !== "").filter((line) =>
    !/(?:^|\/)node_modules\//.test(line) || line.includes("node_modules/@lastro/")
  )
  if (errors.length > 0) throw new Failure(`The programs do not type-check against the packages:\n${errors.join("\n")}`)
}

/**
 * Type-checks the project and the declarations of our packages, imports every entry point with Node.js, counts the
 * modules and runs the program.
 */
export const runConsumer = async (
  directory: string,
  { declarations = true }: { readonly declarations?: boolean } = {}
): Promise<void> => {
  await typeCheck(directory, { declarations })
  const options = { cwd: directory }
  await run(options, "node", "entryPoints.ts")
  await run(options, "node", "modules.js")
  await run(options, "node", "consumer.ts")
}

/** The npm package with the binary of Node.js. */
const node = `node-${process.platform}-${process.arch}`

/** Returns the dependency that installs the lowest version of Node.js that any of the packages allows. */
export const lowestNode = (packages: ReadonlyArray<Package>): Ranges => {
  const majors = packages.map(({ engines, name }) => {
    const major = /^>=(\d+)(?:\.\d+)*$/.exec(engines.node)?.[1]
    if (major !== undefined) return Number(major)
    throw new Failure(`${name}: the range "${engines.node}" of Node.js is not of the form >=22`)
  })
  return { [node]: `${Math.min(...majors)}.0.0` }
}

/** Runs a program with {@link lowestNode}. The program uses only the packages that allow that version. */
export const runOnLowestNode = async (directory: string): Promise<void> => {
  await run({ cwd: directory }, join(directory, "node_modules", node, "bin", "node"), "oldestNode.js")
}

/**
 * Returns whether a package accepts later minor versions of `effect`, because it uses only stable modules of `effect`.
 */
export const acceptsNextMinor = ({ peerDependencies }: Package): boolean =>
  peerDependencies?.["effect"]?.startsWith("^") === true

/**
 * Copies the installed `effect` to a folder, with the number of its next minor version, which may not exist yet.
 * Returns the dependency that installs the copy. A test with the copy shows that a range accepts the next version, and
 * that a project then has only one copy of `effect`. It does not show what the next version will change.
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
