import { BaseSequencer, type TestSpecification } from "vitest/node"

/**
 * The test files that take longest: of the drills, then of the usual lane, from 15 s down to 3 s. The usual lane is not strictly
 * in order: files that mostly wait stand apart, so that the processors have work meanwhile. These are the waits, nodeTest, the
 * broken adapters, the contract of the work, exits, nodes, memory, throttle, rolling, waiting and origination. The file pglite is the first
 * because it counts the objects of its process, which are still few then.
 */
const longest = [
  "server/test/silentNetwork.drill",
  "server/test/crashes.drill",
  "server/test/ordeal.drill",
  "server/test/restart.drill",
  "server/test/load.drill",
  "server/test/memory.drill",
  "server/test/nodes.drill",
  "adapters-sql/test/work/restart.drill",
  "adapters-sql/test/database/powerLoss/powerLoss.drill",
  "server/test/overload.drill",
  "server/test/frozen.drill",
  "server/test/artefact.drill",
  "adapters-sql/test/database/pglite",
  "adapters-sql/test/database/waits",
  "adapters-sql/test/contract.pglite",
  "adapters-sql/test/contract.postgres",
  "testkit/test/contracts/nodeTest",
  "adapters-sql/test/faults/statements",
  "testkit/test/contracts/brokenAdapters",
  "adapters-sql/test/application/funnel",
  "server/test/tour",
  "adapters-http/test/authorization/matrix",
  "adapters-sql/test/work/contract",
  "seed/test/seed",
  "server/test/discretion",
  "adapters-http/test/lenders/qitech/loan",
  "server/test/exits",
  "server/test/seed",
  "seed/test/rows",
  "adapters-sql/test/work/nodes",
  "adapters-sql/test/database/hostTransactions",
  "server/test/commands",
  "testkit/test/memory",
  "server/test/start",
  "adapters-sql/test/schema/installations",
  "adapters-sql/test/work/throttle",
  "server/test/stop",
  "adapters-http/test/lenders/qitech/contract",
  "adapters-sql/test/migrations/rolling",
  "adapters-sql/test/paging/listPages",
  "adapters-http/test/mount/frameworks",
  "server/test/waiting",
  "adapters-sql/test/work/work",
  "server/test/origination"
]

const rank = (file: string): number => {
  const place = longest.findIndex((one) => file.endsWith(`/${one}.test.ts`))
  return place < 0 ? longest.length : place
}

/**
 * Starts the listed test files first, so that none of them runs alone at the end. Without this order, Vitest sorts the
 * files by size on a machine that has not run them yet, and the contract suites are small files.
 */
export class LongestFirst extends BaseSequencer {
  override async sort(files: Array<TestSpecification>): Promise<Array<TestSpecification>> {
    // oxlint-disable-next-line unicorn/no-array-sort -- this is the method of the sequencer
    const sorted = await super.sort(files)
    return sorted.toSorted((one, other) => rank(one.moduleId) - rank(other.moduleId))
  }
}
