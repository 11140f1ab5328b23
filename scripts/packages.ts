// Checks the packages as their users get them. Builds and packs each, has publint and attw read the tarballs; then, in folders
// outside of the repository and with nothing but the tarballs: imports every entry point with the newest and with the oldest
// versions that are allowed, type-checks and runs every example, and every program of the READMEs.
import { join } from "node:path"
import { startPostgres } from "../test/postgresServer.ts"
import { copyExamples, needsPostgres, runExample } from "./packages/examples.ts"
import { Failure } from "./packages/execute.ts"
import { inTurn } from "./packages/inTurn.ts"
import { install, outside } from "./packages/outside.ts"
import { oldest, peers, useConsumer, writeConsumer } from "./packages/peerRanges.ts"
import { lintAsExamples } from "./packages/plainness.ts"
import { runReadme, writeReadme } from "./packages/readmes.ts"
import { lintTarball, type Package, packAll, tarballOverrides } from "./packages/tarballs.ts"

/** Does something, and prints how long it took. */
const timed = async (name: string, use: () => Promise<unknown>): Promise<void> => {
  const start = performance.now()
  const seconds = () => `${((performance.now() - start) / 1000).toFixed(1).padStart(6)} s`
  try {
    await use()
    console.log(`ok     ${name.padEnd(32)} ${seconds()}`)
  } catch (error) {
    console.log(`FAILED ${name.padEnd(32)} ${seconds()}`)
    throw error instanceof Failure ? new Failure(`${name}\n${error.message}`) : error
  }
}

/** Tells a program where its PostgreSQL is, if it asks for one. */
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

/** Everybody who takes the newest of everything: a user of all packages, the readers of the READMEs, the examples. */
const newest = (packages: ReadonlyArray<Package>): Promise<ReadonlyArray<unknown>> =>
  outside(async (directory) => {
    const consumer = join(directory, "consumer")
    const readmes = join(directory, "readmes")
    const [examples, written] = await Promise.all([
      copyExamples(join(directory, "examples")),
      Promise.all(packages.map((found) => writeReadme(readmes, found))),
      writeConsumer(consumer, packages, peers(packages))
    ])
    await timed("install", () => install(directory, tarballOverrides(packages)))
    return inTurn(2, [
      ...examples.map((example) => () =>
        timed(`examples/${example.name}`, () => withPostgres(example.directory, (env) => runExample(example, env)))
      ),
      ...written.map((readme) => () =>
        timed(`README of ${readme.name}`, () => withPostgres(readme.directory, (env) => runReadme(readme, env)))
      ),
      () => timed("READMEs keep to the rules", () => lintAsExamples(readmes)),
      () => timed("newest versions", () => useConsumer(consumer))
    ])
  })

/** Somebody who takes the oldest of everything. */
const oldestOfAll = (packages: ReadonlyArray<Package>): Promise<void> =>
  outside(async (directory) => {
    const consumer = join(directory, "consumer")
    const versions = oldest(packages)
    await writeConsumer(consumer, packages, peers(packages))
    await install(directory, { ...versions, ...tarballOverrides(packages) })
    await useConsumer(consumer)
  })

const failures: Array<unknown> = []
try {
  const packages = await packAll()
  const lints = packages.map((found) => () => timed(`tarball of ${found.name}`, () => lintTarball(found)))
  const found = await Promise.all([
    newest(packages),
    inTurn(1, [...lints, () => timed("oldest versions", () => oldestOfAll(packages))])
  ])
  failures.push(...found.flat())
} catch (error) {
  failures.push(error)
}
for (const failure of failures) console.error(failure instanceof Failure ? failure.message : failure)
process.exitCode = failures.length > 0 ? 1 : 0
