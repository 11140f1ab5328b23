import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import { Effect } from "effect"
import { faults } from "./faults.ts"
import { runOrdeal } from "./runOrdeal.ts"

const seed = process.env["ORDEAL_SEED"] ?? String(Math.floor(Math.random() * 1e9))
const names = faults.map(({ name }) => name)
const chosen = process.env["ORDEAL_FAULTS"]?.split(",") ?? names
const minutes = Number(process.env["ORDEAL_MINUTES"] ?? 15)
const seconds = Number(process.env["ORDEAL_SECONDS"] ?? 20)
const nodes = Number(process.env["ORDEAL_NODES"] ?? 2)

const write = (line: string): void => void process.stdout.write(`${line}\n`)

const ordeal = Effect.gen(function*() {
  const unknown = chosen.find((name) => !names.includes(name))
  if (unknown !== undefined) {
    write(`ORDEAL_FAULTS contains the unknown fault ${unknown}. The faults are:`)
    for (const { name, summary } of faults) write(`  ${name.padEnd(14)} ${summary}`)
    return yield* Effect.fail("unknown fault")
  }
  const settings = { SEED: seed, FAULTS: chosen.join(","), MINUTES: minutes, SECONDS: seconds, NODES: nodes }
  write(Object.entries(settings).map(([name, value]) => `ORDEAL_${name}=${value}`).join(" "))
  const reports = yield* runOrdeal({
    seed,
    faults: chosen,
    nodes,
    durationMs: minutes * 60_000,
    customers: 6,
    administrators: 3,
    calmMs: 4_000,
    faultMs: seconds * 1_000,
    log: write
  })
  const failed = new Set(reports.filter(({ problems }) => problems.length > 0).map(({ fault }) => fault))
  if (failed.size === 0) return write(`Passed: ${reports.length} faults. Safety and liveness hold after each.`)
  const faultsInOrder = chosen.length === names.length ? "" : `ORDEAL_FAULTS=${chosen.join(",")} `
  write(`Failed: ${Array.from(failed).join(", ")}. Replay: ORDEAL_SEED=${seed} ${faultsInOrder}pnpm ordeal`)
  return yield* Effect.fail("violated")
})

NodeRuntime.runMain(Effect.scoped(ordeal), { disableErrorReporting: true })
