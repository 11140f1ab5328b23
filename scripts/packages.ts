// Tests the packages in the form in which they are published. Builds and packs each one, and lints the tarballs with
// publint and attw. Then runs tests in temporary folders that contain only the tarballs. Imports every entry point with
// the newest and with the oldest allowed dependencies. Type-checks and runs every example and every program of the
// READMEs.
import { join } from "node:path"
import { startPostgres } from "../test/postgresServer.ts"
import {
  lowestNodeDependency,
  lowestVersions,
  peerRanges,
  runConsumer,
  runOnLowestNode,
  writeConsumer
} from "./packages/consumer.ts"
import { copyExamples, needsPostgres, runExample } from "./packages/examples.ts"
import { Failure, runAll } from "./packages/execute.ts"
import { acceptsNextMinor, copyNextMinor } from "./packages/nextMinor.ts"
import { lintAsExamples, runReadme, writeReadme } from "./packages/readmes.ts"
import { lintTarball, type Package, packAll, tarballOverrides } from "./packages/tarballs.ts"
import { install, withTemporaryFolder } from "./packages/temporaryFolder.ts"

/** Runs a step and prints its duration. */
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

/** Starts PostgreSQL if the program in a folder reads `DATABASE_URL`, and passes the URL to the program. */
const withPostgres = async (
  directory: string,
  use: (env: Readonly<Record<string, string>>) => Promise<void>
): Promise<void> => {
  if (!await needsPostgres(directory)) return use({})
  const server = await startPostgres()
  try {
    await use({ DATABASE_URL: server.url })
  } finally {
    await server.stop()
  }
}

/** Tests the examples, the README programs and all entry points with the newest allowed dependencies. */
const testNewest = (packages: ReadonlyArray<Package>): Promise<ReadonlyArray<unknown>> =>
  withTemporaryFolder(async (directory) => {
    const consumer = join(directory, "consumer")
    const readmes = join(directory, "readmes")
    const next = join(directory, "next")
    const portable = packages.filter(acceptsNextMinor)
    const [examples, written] = await Promise.all([
      copyExamples(join(directory, "examples")),
      Promise.all(packages.map((pkg) => writeReadme(readmes, pkg))),
      writeConsumer(consumer, packages, peerRanges(packages)),
      // Use a hidden folder, in which pnpm does not search for projects.
      copyNextMinor(join(directory, ".effect")).then((effect) =>
        writeConsumer(next, portable, { ...peerRanges(portable), effect })
      )
    ])
    await timed("install", () => install(directory, tarballOverrides(packages)))
    // Start the longest steps first, so that none of them runs alone at the end.
    return runAll(2, [
      ...written.toSorted((one, other) => other.programs.length - one.programs.length).map((readme) => () =>
        timed(`README of ${readme.name}`, () => withPostgres(readme.directory, (env) => runReadme(readme, env)))
      ),
      ...examples.map((example) => () =>
        timed(`examples/${example.name}`, () => withPostgres(example.directory, (env) => runExample(example, env)))
      ),
      () => timed("lint of README programs", () => lintAsExamples(readmes)),
      () => timed("newest versions", () => runConsumer(consumer)),
      () => timed("next minor version of effect", () => runConsumer(next, { declarations: false }))
    ])
  })

/** Tests all entry points with the oldest allowed dependencies. */
const testOldest = (packages: ReadonlyArray<Package>): Promise<void> =>
  withTemporaryFolder(async (directory) => {
    const consumer = join(directory, "consumer")
    const versions = lowestVersions(packages)
    await writeConsumer(consumer, packages, { ...peerRanges(packages), ...lowestNodeDependency(packages) })
    await install(directory, { ...versions, ...tarballOverrides(packages) })
    await runConsumer(consumer)
    await runOnLowestNode(consumer, packages)
  })

const failures: Array<unknown> = []
try {
  const packages = await packAll()
  const lints = packages.map((pkg) => () => timed(`tarball of ${pkg.name}`, () => lintTarball(pkg)))
  const results = await Promise.all([
    testNewest(packages),
    runAll(1, [...lints, () => timed("oldest versions", () => testOldest(packages))])
  ])
  failures.push(...results.flat())
} catch (error) {
  failures.push(error)
}
for (const failure of failures) console.error(failure instanceof Failure ? failure.message : failure)
process.exitCode = failures.length > 0 ? 1 : 0
