import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import { Effect } from "effect"
import { failures, runFailovers } from "./runFailovers.ts"

// Runs failovers of PostgreSQL with two nodes under load: `pnpm drill:failover [COUNT]`. Each node has both hosts in its
// URL. Exits with 1 if an acknowledged write is lost, or if a node is not back 5 s after a promotion.

const count = Number(process.argv[2] ?? 10)

const maxBackMs = 5_000

const write = (line: string): void => void process.stdout.write(`${line}\n`)

const drill = Effect.gen(function*() {
  const names = Array.from({ length: count }, (_, index) => failures[index % failures.length]?.name ?? "")
  const failovers = yield* runFailovers(names, ({ backAfter, failure, lost, problems }, load) => {
    write(
      `${failure}: back after ${
        backAfter.join(" and ")
      } ms; ${load.acknowledged()} acknowledged so far, ${lost} lost, ` +
        `${load.unavailable()} responses 503 so far`
    )
    for (const problem of problems) write(`  ${problem}`)
  })
  const failed = failovers.filter(({ backAfter, lost, problems }) =>
    lost > 0 || problems.length > 0 || backAfter.some((ms) => ms > maxBackMs)
  )
  if (failed.length > 0) return yield* Effect.fail(`${failed.length} of ${count} failovers failed`)
  write(`Passed: ${count} failovers.`)
})

NodeRuntime.runMain(Effect.scoped(drill))
