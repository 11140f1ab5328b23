import { BaseSequencer, type TestSpecification } from "vitest/node"

/**
 * The test files that take longest: of the drills, then of the usual lane, from 25 s down to 5 s. Files that mostly wait stand
 * apart, so that the processors have work meanwhile: the contract of the work, the waits, the broken adapters, the exits, the nodes,
 * the memory, the rolling upgrade, the throttle and the waiting. The order is therefore not strictly that of the durations.
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
  "adapters-sql/test/work/contract",
  "adapters-sql/test/contract.pglite",
  "adapters-sql/test/contract.postgres",
  "testkit/test/contracts/nodeTest",
  "server/test/tour",
  "adapters-sql/test/database/waits",
  "server/test/artefact",
  "adapters-sql/test/database/pglite",
  "adapters-sql/test/faults/statements",
  "testkit/test/contracts/brokenAdapters",
  "adapters-sql/test/application/funnel",
  "adapters-http/test/authorization/matrix",
  "server/test/discretion",
  "server/test/exits",
  "adapters-http/test/lenders/qitech/loan",
  "seed/test/rows",
  "seed/test/seed",
  "adapters-sql/test/work/nodes",
  "server/test/seed",
  "adapters-sql/test/database/hostTransactions",
  "adapters-sql/test/schema/installations",
  "testkit/test/memory",
  "server/test/commands",
  "server/test/origination",
  "adapters-sql/test/migrations/rolling",
  "server/test/start",
  "server/test/stop",
  "adapters-sql/test/work/throttle",
  "server/test/waiting"
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
