import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { runFailovers } from "./failover/runFailovers.ts"

/**
 * The aim is 5 s, which `pnpm drill:failover` checks on an idle machine. Without a search for the new primary, a node would
 * wait 12 s for each response of a frozen one.
 */
const maxBackMs = 10_000

describe("two servers with both hosts of a PostgreSQL cluster in their URL", () => {
  it.live(
    "T42 T46 lose no acknowledged write, and follow the new primary, if the former one is frozen, and after a frozen standby",
    () =>
      Effect.gen(function*() {
        for (
          const { backAfter, failure, lost, problems } of yield* runFailovers(
            ["freeze", "frozen standby, then kill"],
            () => {}
          )
        ) {
          assert.deepStrictEqual({ failure, lost, problems }, { failure, lost: 0, problems: [] })
          assert.lengthOf(backAfter, 2)
          for (const ms of backAfter) assert.isBelow(ms, maxBackMs, failure)
        }
      }),
    { timeout: 180_000 }
  )
})
