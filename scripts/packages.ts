// Tests the packages in their published form. Builds and packs each one, and lints the tarballs with publint and attw.
// Then runs tests in temporary folders that contain only the tarballs. Imports every entry point with the newest and
// with the oldest allowed dependencies. Type-checks and runs every example and every program of the READMEs.
import { join } from "node:path"
import { Failure, readJson, report, runAll, withTemporaryFolder } from "./execute.ts"
import * as consumers from "./packages/consumer.ts"
import { copyExamples, install, lintAsExamples, projectTasks, writeReadme } from "./packages/projects.ts"
import { lintTarball, type Package, packAll, tarballOverrides } from "./packages/tarballs.ts"

const timed = async (name: string, step: () => Promise<unknown>): Promise<void> => {
  const start = performance.now()
  const seconds = () => `${((performance.now() - start) / 1000).toFixed(1).padStart(6)} s`
  try {
    await step()
    console.log(`ok     ${name.padEnd(32)} ${seconds()}`)
  } catch (error) {
    console.log(`FAILED ${name.padEnd(32)} ${seconds()}`)
    throw error instanceof Failure ? new Failure(`${name}\n${error.message}`) : error
  }
}

/** Tests the examples, the README programs and all entry points with the newest allowed dependencies. */
const testNewest = (packages: ReadonlyArray<Package>): Promise<ReadonlyArray<unknown>> =>
  withTemporaryFolder(async (directory) => {
    const consumer = join(directory, "consumer")
    const readmes = join(directory, "readmes")
    const next = join(directory, "next")
    const portable = packages.filter(consumers.acceptsNextMinor)
    const [examples, written] = await Promise.all([
      copyExamples(join(directory, "examples")),
      Promise.all(packages.map((pkg) => writeReadme(readmes, pkg))),
      consumers.writeConsumer(consumer, packages, consumers.peerRanges(packages)),
      // A hidden folder, because pnpm does not search it for projects.
      consumers.copyNextMinor(join(directory, ".effect")).then((effect) =>
        consumers.writeConsumer(next, portable, { ...consumers.peerRanges(portable), effect })
      )
    ])
    await timed("install", () => install(directory, tarballOverrides(packages)))
    const tasks = await projectTasks([...written, ...examples])
    return runAll(2, [
      ...tasks.map(([name, task]) => () => timed(name, task)),
      () => timed("lint of README programs", () => lintAsExamples(readmes)),
      () => timed("newest versions", () => consumers.runConsumer(consumer)),
      () => timed("next minor version of effect", () => consumers.runConsumer(next, { declarations: false }))
    ])
  })

/** Tests all entry points with the oldest allowed dependencies. */
const testOldest = (packages: ReadonlyArray<Package>): Promise<void> =>
  withTemporaryFolder(async (directory) => {
    const consumer = join(directory, "consumer")
    await consumers.writeConsumer(consumer, packages, {
      ...consumers.peerRanges(packages),
      ...consumers.lowestNode(packages)
    })
    const lowest = consumers.lowestVersions(packages)
    await install(directory, { ...lowest, ...tarballOverrides(packages) })
    // The declarations depend on no other package than effect. The newest version is checked anyway.
    const newest = await readJson<{ readonly version: string }>("node_modules/effect/package.json")
    await consumers.runConsumer(consumer, { declarations: lowest["effect"] !== newest.version })
    await consumers.runOnLowestNode(consumer)
  })

try {
  const packages = await packAll()
  const lints = packages.map((pkg) => () => timed(`tarball of ${pkg.name}`, () => lintTarball(pkg)))
  const results = await Promise.all([
    testNewest(packages),
    runAll(1, [...lints, () => timed("oldest versions", () => testOldest(packages))])
  ])
  report(results.flat())
} catch (error) {
  report([error])
}
