import { BaseSequencer, type TestSpecification } from "vitest/node"

/** The test files that take longest, from about 50 s down to 13 s. */
const longest = [
  "adapters-sql/test/contract.pglite",
  "adapters-sql/test/contract.postgres",
  "testkit/test/contracts/brokenAdapters",
  "adapters-sql/test/faults/statements",
  "server/test/silentNetwork",
  "adapters-sql/test/work/contract",
  "server/test/exits",
  "server/test/crashes",
  "server/test/seed",
  "seed/test/seed",
  "adapters-sql/test/database/pglite",
  "adapters-sql/test/database/powerLoss/powerLoss",
  "adapters-sql/test/application/funnel",
  "server/test/memory",
  "server/test/ordeal",
  "adapters-sql/test/database/durability",
  "adapters-sql/test/database/waits",
  "server/test/restart",
  "server/test/origination",
  "server/test/start",
  "server/test/tour",
  "server/test/artefact",
  "adapters-http/test/authorization/matrix",
  "testkit/test/memory"
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
