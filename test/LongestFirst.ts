import { BaseSequencer, type TestSpecification } from "vitest/node"

/** The test files that take longest, from about 40 s down to 14 s. */
const longest = [
  "adapters-sql/test/contract.pglite",
  "server/test/silentNetwork.drill",
  "adapters-sql/test/database/pglite",
  "adapters-sql/test/work/contract",
  "adapters-sql/test/contract.postgres",
  "adapters-sql/test/faults/statements",
  "testkit/test/contracts/brokenAdapters",
  "server/test/crashes.drill",
  "server/test/ordeal.drill",
  "server/test/restart.drill",
  "server/test/exits",
  "adapters-sql/test/application/funnel",
  "seed/test/seed",
  "server/test/load.drill",
  "server/test/memory.drill",
  "adapters-sql/test/database/powerLoss/powerLoss.drill",
  "server/test/overload.drill",
  "testkit/test/memory",
  "adapters-http/test/authorization/matrix",
  "server/test/tour",
  "adapters-sql/test/migrations/rolling",
  "adapters-sql/test/work/jobStatements",
  "adapters-sql/test/database/waits",
  "server/test/frozen.drill",
  "server/test/seed",
  "server/test/start",
  "adapters-sql/test/paging/listPages",
  "server/test/nodes"
]

const rank = (file: string): number => {
  const place = longest.findIndex((one) => file.endsWith(`/${one}.test.ts`))
  return place < 0 ? longest.length : place
}

/**
 * Starts the longest test files first, so that none of them runs alone at the end. Without this order, Vitest sorts the
 * files by size on a machine that has not run them yet, and the contract suites are small files.
 */
export class LongestFirst extends BaseSequencer {
  override async sort(files: Array<TestSpecification>): Promise<Array<TestSpecification>> {
    // oxlint-disable-next-line unicorn/no-array-sort -- this is the method of the sequencer
    const sorted = await super.sort(files)
    return sorted.toSorted((one, other) => rank(one.moduleId) - rank(other.moduleId))
  }
}
