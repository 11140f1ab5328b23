import { BaseSequencer, type TestSpecification } from "vitest/node"

/**
 * The test files that take longest: of the drills and browser tests, then of the usual lane, from 35 s down to 5 s. The usual lane
 * is not strictly in order: after a file that mostly waits, there are several that compute, so that the processors have work
 * meanwhile. The waiting ones are waits, commands, hosts, diskFull, nodes of the jobs, funnel, cancellations, follow, installations
 * and exits. The file pglite is the first because it counts the objects of its process, which are still few then. It also fills
 * the cache of a new machine, which the contract on PGlite then copies.
 */
const longest = [
  // Measures milliseconds first, so it begins beside two that mostly wait.
  "server/test/tenants.drill",
  "server/test/silentNetwork.drill",
  "server/test/frozen.drill",
  // These compute, and the drills after them wait.
  "server/test/docs.browser",
  "server/test/severalLenders.drill",
  "server/test/consoleLooks.browser",
  "server/test/crashes.drill",
  "server/test/console.browser",
  "server/test/workers.drill",
  "server/test/tour.drill",
  "adapters-sql/test/database/powerLoss/powerLoss.drill",
  "server/test/failover.drill",
  "server/test/ordeal.drill",
  "server/test/overload.drill",
  "server/test/memory.drill",
  "adapters-sql/test/event/takeOver.drill",
  "server/test/restart.drill",
  "server/test/load.drill",
  "server/test/nodes.drill",
  "adapters-sql/test/jobs/restart.drill",
  "server/test/artefact.drill",
  "server/test/flood.drill",
  "adapters-sql/test/database/pglite",
  "adapters-sql/test/database/waits",
  "adapters-sql/test/contract.postgres",
  "adapters-sql/test/contract.pglite",
  "server/test/commands",
  "adapters-sql/test/faults/statements",
  "server/test/listen",
  "adapters-sql/test/database/hosts",
  "server/test/tour",
  "adapters-http/test/authorization/matrix",
  "adapters-sql/test/jobs/contract",
  "server/test/seed",
  "adapters-sql/test/jobs/diskFull",
  "server/test/interference/interference",
  "server/test/commandSocket",
  "adapters-sql/test/jobs/nodes",
  "seed/test/seed",
  "adapters-http/test/operations/system",
  "server/test/start",
  "adapters-sql/test/origination/funnel",
  "server/test/effects",
  "domain/test/promises/hovers",
  "server/test/cancellations",
  "adapters-sql/test/database/connections",
  "adapters-sql/test/database/hostSchema",
  "adapters-sql/test/jobs/work",
  "server/test/metrics",
  "server/test/stop",
  "adapters-sql/test/jobs/throttle",
  "server/test/program",
  "adapters-http/test/operations/states",
  "client/test/follow",
  "testkit/test/memory",
  "adapters-sql/test/database/replica",
  "adapters-sql/test/event/subscriptions",
  "server/test/discretion",
  "seed/test/rows",
  "adapters-sql/test/paging/listPages",
  "adapters-sql/test/webhook/webhookWorker",
  "server/test/traces",
  "testkit/test/fixture/consumers",
  "adapters-sql/test/origination/races/expiry",
  "adapters-sql/test/database/hostTransactions",
  "testkit/test/arbitraries/arbitraries",
  "adapters-sql/test/migrations/migrations",
  "testkit/test/suites/brokenAdapters",
  "adapters-sql/test/schema/installations",
  "adapters-sql/test/database/durability",
  "server/test/nodes",
  "testkit/test/suites/nodeTest",
  "client/test/faults",
  "adapters-sql/test/origination/races/exits",
  "adapters-http/test/lender/qitech/suite",
  "adapters-http/test/mount/frameworks"
]

/** Files that mostly wait, from 17 s down to 6 s. They are spread among the files that compute. */
const waiting = [
  "server/test/schemas",
  "adapters-sql/test/jobs/jobStatements",
  "adapters-sql/test/audit/auditPages",
  "adapters-sql/test/database/viaPg",
  "adapters-sql/test/migrations/rolling",
  "server/test/databaseErrors",
  "adapters-sql/test/origination/origination",
  "server/test/roots",
  "adapters-sql/test/jobs/nodesContract",
  "adapters-sql/test/origination/races/pledges",
  "adapters-sql/test/hierarchy/hierarchy",
  "adapters-sql/test/origination/places",
  "server/test/waiting",
  "adapters-sql/test/origination/faults",
  "adapters-sql/test/schema/privileges",
  "adapters-sql/test/hierarchy/races",
  "testkit/test/fixture/realTime",
  "adapters-sql/test/jobs/startMissingJobs",
  "adapters-sql/test/hierarchy/scale",
  "server/test/origination",
  "adapters-sql/test/database/within",
  "server/test/top",
  "adapters-sql/test/origination/races/storm",
  "adapters-sql/test/paging/filteredPages",
  "adapters-sql/test/checks/checkLiveness",
  "server/test/newerSchema",
  "server/test/slow"
]

/** The number of other files between two files of {@link waiting}: enough that the two other workers compute meanwhile. */
const filesPerWait = 16

/** Takes the files of a list, in its order. */
const listed = (
  files: ReadonlyArray<TestSpecification>,
  list: ReadonlyArray<string>
): ReadonlyArray<TestSpecification> =>
  list.flatMap((name) => files.filter(({ moduleId }) => moduleId.endsWith(`/${name}.test.ts`)))

/**
 * Starts the files of {@link longest} first, so that none of them runs alone at the end, and spreads those of {@link waiting} among
 * the others. Without this order, Vitest sorts the files by size on a machine that has not run them yet, and the contract suites are
 * small files.
 */
export class LongestFirst extends BaseSequencer {
  override async sort(files: Array<TestSpecification>): Promise<Array<TestSpecification>> {
    // oxlint-disable-next-line unicorn/no-array-sort -- this is the method of the sequencer
    const sorted = await super.sort(files)
    const [first, waits] = [listed(sorted, longest), listed(sorted, waiting)]
    const placed = new Set([...first, ...waits])
    const others = sorted.filter((file) => !placed.has(file))
    const spread = waits.flatMap((wait) => [wait, ...others.splice(0, filesPerWait)])
    return [...first, ...spread, ...others]
  }
}
