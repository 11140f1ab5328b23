import { BaseSequencer, type TestSpecification } from "vitest/node"

/**
 * The test files that take longest: of the drills and browser tests, then of the usual lane, from 15 s down to 2 s. The usual lane
 * is not strictly in order: after a file that mostly waits, there are several that compute, so that the processors have work
 * meanwhile. The waiting ones are waits, diskFull, hosts, nodeTest, brokenAdapters, tour, the contract of the work, exits, memory,
 * nodes, commands and throttle. The file pglite is the first because it counts the objects of its process, which are still few then.
 * It also fills the cache of a new machine, which the contract on PGlite then copies.
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
  "adapters-sql/test/faults/statements",
  "testkit/test/suites/nodeTest",
  "adapters-http/test/authorization/matrix",
  "adapters-sql/test/origination/funnel",
  "adapters-sql/test/jobs/diskFull",
  "testkit/test/suites/brokenAdapters",
  "seed/test/seed",
  "adapters-http/test/lender/qitech/loan",
  "server/test/stop",
  "adapters-sql/test/database/hosts",
  "client/test/follow",
  "server/test/tour",
  "server/test/commandSocket",
  "server/test/listen",
  "server/test/discretion",
  "client/test/faults",
  "seed/test/rows",
  "server/test/seed",
  "adapters-sql/test/jobs/contract",
  "server/test/start",
  "testkit/test/arbitraries/records",
  "adapters-sql/test/database/durability",
  "adapters-sql/test/migrations/funnel",
  "server/test/cancellations",
  "adapters-sql/test/paging/listPages",
  "adapters-http/test/mount/frameworks",
  "adapters-sql/test/schema/installations",
  "testkit/test/arbitraries/arbitraries",
  "testkit/test/memory",
  "adapters-http/test/lender/qitech/contract",
  "testkit/test/arbitraries/origination",
  "adapters-http/test/operations/states",
  "server/test/effects",
  "adapters-sql/test/jobs/nodes",
  "adapters-sql/test/jobs/work",
  "adapters-http/test/lender/qitech/suite",
  "adapters-sql/test/migrations/migrations",
  "adapters-http/test/pipeline/bodies",
  "adapters-sql/test/origination/races/expiry",
  "server/test/commands",
  "adapters-sql/test/replace/replace",
  "server/test/program",
  "adapters-sql/test/origination/races/requotes",
  "adapters-http/test/lender/qitech/lateAnswers",
  "adapters-sql/test/jobs/throttle",
  "adapters-sql/test/origination/races/exits",
  "adapters-sql/test/origination/races/accepts",
  "server/test/mounted",
  "adapters-sql/test/database/hostTransactions"
]

/** Shorter files that mostly wait, from 6 s down to 2 s. They are spread among the files that compute. */
const waiting = [
  "server/test/origination",
  "adapters-sql/test/migrations/rolling",
  "server/test/waiting",
  "adapters-sql/test/checks/checkLiveness",
  "adapters-http/test/pipeline/deadline",
  "server/test/schemas",
  "adapters-http/test/lender/lostAnswers",
  "adapters-sql/test/database/within",
  "adapters-sql/test/jobs/busy",
  "adapters-sql/test/database/tls",
  "server/test/slow",
  "server/test/newerSchema",
  "adapters-sql/test/database/viaPg",
  "adapters-sql/test/origination/races/pledges",
  "adapters-sql/test/audit/auditPages",
  "testkit/test/fixture/mistakes",
  "server/test/databaseErrors",
  "adapters-sql/test/schema/names",
  "adapters-sql/test/hierarchy/races",
  "adapters-sql/test/jobs/jobStatements"
]

/** The number of other files between two files of {@link waiting}: enough that the two other workers compute meanwhile. */
const filesPerWait = 16

/** Takes the files of a list, in its order. */
const listed = (
  files: ReadonlyArray<TestSpecification>,
  list: ReadonlyArray<string>
): ReadonlyArray<TestSpecification> =>
  list.flatMap((one) => files.filter(({ moduleId }) => moduleId.endsWith(`/${one}.test.ts`)))

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
