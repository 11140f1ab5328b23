import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { isOrdeal } from "../../../test/rounds.ts"
import { faults as allFaults } from "./ordeal/faults.ts"
import { makePlan } from "./ordeal/plan.ts"
import { runOrdeal } from "./ordeal/runOrdeal.ts"

const seed = process.env["ORDEAL_SEED"] ?? String(Math.floor(Math.random() * 1e9))

/** One fault of each subject: connections, processes and the database. `pnpm ordeal` injects all faults, and for longer. */
const subjects = ["swallow", "kill", "failover"]

/** The usual lane injects one of them at a time, chosen by the seed. */
const faults = isOrdeal ? subjects : subjects.filter((_, index) => index === (Number(seed) || 0) % subjects.length)

describe("the plan of an ordeal", () => {
  it.effect("depends on the seed only, and contains every fault in each round", () =>
    Effect.gen(function*() {
      const [plan, same, other] = yield* Effect.all([
        makePlan(allFaults, 2, "1"),
        makePlan(allFaults, 2, "1"),
        makePlan(allFaults, 2, "2")
      ])
      assert.deepStrictEqual(plan, same)
      assert.notDeepEqual(plan, other)
      assert.strictEqual(new Set(plan.slice(0, allFaults.length).map(({ fault }) => fault)).size, allFaults.length)
    }))
})

describe("two servers under traffic", () => {
  it.live(
    "T42 T46 T47 T58 lose nothing, do nothing twice and recover from a silent network, a killed node or a failover of the database",
    () =>
      Effect.gen(function*() {
        const lines: Array<string> = []
        const reports = yield* runOrdeal({
          seed,
          faults,
          nodes: 2,
          durationMs: 0,
          customers: 4,
          administrators: 2,
          calmMs: 1_000,
          faultMs: 3_000,
          log: (line) => lines.push(line)
        })
        const problems = reports.flatMap((report) => report.problems)
        assert.strictEqual(
          problems.length,
          0,
          `Replay with ORDEAL_SEED=${seed} pnpm test apps/server/test/ordeal.drill.test.ts\n${lines.join("\n")}`
        )
        assert.deepStrictEqual(reports.map(({ fault }) => fault).toSorted(), faults.toSorted())
        for (const { report } of reports) assert.isAbove(report?.traffic.succeeded ?? 0, 0)
      }),
    { timeout: 240_000 }
  )
})
