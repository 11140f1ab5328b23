import { BaseSequencer, type TestSpecification } from "vitest/node"

/**
 * The test files that take longest: of the drills, then of the usual lane, from 15 s down to 3 s. The usual lane is not strictly
 * in order: files that mostly wait stand apart, so that the processors have work meanwhile. These are the waits, nodeTest, the
 * broken adapters, the contract of the work, exits, nodes, memory and throttle. The file pglite is the first because it counts the
 * objects of its process, which are still few then.
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
  "adapters-http/test/authorization/matrix",
  "seed/test/seed",
  "server/test/tour",
  "adapters-http/test/lenders/qitech/loan",
  "adapters-sql/test/work/contract",
  "server/test/discretion",
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
  "adapters-sql/test/paging/listPages",
  "adapters-http/test/mount/frameworks",
  "adapters-sql/test/work/work"
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
  "adapters-sql/test/work/busy",
  "adapters-sql/test/database/tls",
  "server/test/slow",
  "server/test/newerSchema",
  "adapters-sql/test/database/viaPg",
  "adapters-sql/test/application/races/pledges",
  "adapters-sql/test/audit/auditPages",
  "testkit/test/fixture/mistakes",
  "server/test/databaseErrors",
  "adapters-sql/test/schema/names",
  "adapters-sql/test/hierarchy/races",
  "adapters-sql/test/work/jobStatements"
]

/** The number of files after each file of {@link waiting}. The other two workers need about as long for them as it waits. */
const filesPerWait = 5

/** Returns the place of a file in a list, or undefined. */
const placeIn = (list: ReadonlyArray<string>, { moduleId }: TestSpecification): number | undefined => {
  const place = list.findIndex((one) => moduleId.endsWith(`/${one}.test.ts`))
  return place < 0 ? undefined : place
}

/** Takes the files of a list, in its order. */
const listed = (files: ReadonlyArray<TestSpecification>, list: ReadonlyArray<string>): Array<TestSpecification> =>
  files.flatMap((file) => {
    const place = placeIn(list, file)
    return place === undefined ? [] : [{ file, place }]
  }).toSorted((one, other) => one.place - other.place).map(({ file }) => file)

/**
 * Starts the listed test files first, so that none of them runs alone at the end. Without this order, Vitest sorts the
 * files by size on a machine that has not run them yet, and the contract suites are small files.
 */
export class LongestFirst extends BaseSequencer {
  override async sort(files: Array<TestSpecification>): Promise<Array<TestSpecification>> {
    // oxlint-disable-next-line unicorn/no-array-sort -- this is the method of the sequencer
    const sorted = await super.sort(files)
    const waits = listed(sorted, waiting)
    const others = sorted.filter((file) => placeIn(longest, file) === undefined && placeIn(waiting, file) === undefined)
    return [
      ...listed(sorted, longest),
      ...others.flatMap((file, index) => {
        const wait = index % filesPerWait === 0 ? waits[index / filesPerWait] : undefined
        return wait === undefined ? [file] : [wait, file]
      }),
      ...waits.slice(Math.ceil(others.length / filesPerWait))
    ]
  }
}
