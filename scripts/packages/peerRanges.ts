import { cp, mkdir, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { Failure, run } from "./execute.ts"
import { writeManifest } from "./outside.ts"
import { entryPoints, type Package } from "./tarballs.ts"
import { typeCheck, writeTsconfig } from "./typeCheck.ts"

type Ranges = Readonly<Record<string, string>>

/** The lowest version that a range allows: that of `^1.2.3`, `~1.2.3` and `1.2.3`. */
const lowest = ([name, range]: readonly [string, string]): readonly [string, string] => {
  const version = /^[~^]?(\d+\.\d+\.\d+)$/.exec(range)?.[1]
  if (version === undefined) throw new Failure(`${name}: the lowest version of "${range}" cannot be told`)
  return [name, version]
}

const foreign = (ranges: Ranges = {}): ReadonlyArray<[string, string]> =>
  Object.entries(ranges).filter(([name]) => !name.startsWith("@lastro/"))

/** What the packages ask of others, their own dependencies aside: ranges of peers. */
export const peers = (packages: ReadonlyArray<Package>): Ranges =>
  Object.fromEntries(packages.flatMap(({ peerDependencies }) => foreign(peerDependencies)))

/** The oldest versions that the packages allow, of their peers and of what they depend on. */
export const oldest = (packages: ReadonlyArray<Package>): Ranges =>
  Object.fromEntries(
    packages.flatMap(({ dependencies, peerDependencies }) => [...foreign(dependencies), ...foreign(peerDependencies)])
      .map(lowest)
  )

/** Writes somebody who uses every entry point of every package. */
export const writeConsumer = async (
  directory: string,
  packages: ReadonlyArray<Package>,
  dependencies: Ranges
): Promise<void> => {
  await mkdir(directory, { recursive: true })
  await cp(join(import.meta.dirname, "consumer", "consumer.ts"), join(directory, "consumer.ts"))
  const points = packages.flatMap(entryPoints)
  const imports = points.map((point, index) => `import * as entry${index} from "${point}"`)
  const checks = points.map((point, index) =>
    `if (Object.keys(entry${index}).length === 0) throw new Error("${point} exports nothing")`
  )
  await writeFile(join(directory, "entryPoints.ts"), [...imports, ...checks].join("\n"))
  await writeTsconfig(directory)
  const ours = Object.fromEntries(packages.map(({ name, version }) => [name, version]))
  await writeManifest(directory, "consumer", { "@types/node": "^24.0.0", ...dependencies, ...ours })
}

/** Imports every entry point with plain Node.js, type-checks the uses and runs them. */
export const useConsumer = async (directory: string): Promise<void> => {
  await typeCheck(directory)
  await run({ cwd: directory, timeout: 60_000 }, "node", "entryPoints.ts")
  await run({ cwd: directory, timeout: 60_000 }, "node", "consumer.ts")
}
