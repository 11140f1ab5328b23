import { Effect } from "effect"
import { faults } from "./faults.ts"
import { runOrdeal } from "./runOrdeal.ts"

const seed = process.env["ORDEAL_SEED"] ?? String(Math.floor(Math.random() * 1e9))
const chosen = process.env["ORDEAL_FAULTS"]?.split(",") ?? faults.map(({ name }) => name)
const unknown = chosen.find((name) => !faults.some((fault) => fault.name === name))
const minutes = Number(process.env["ORDEAL_MINUTES"] ?? 15)
const nodes = Number(process.env["ORDEAL_NODES"] ?? 2)

const write = (line: string): void => void process.stdout.write(`${line}\n`)

if (unknown !== undefined) {
  write(`ORDEAL_FAULTS has the unknown fault ${unknown}. The faults are:`)
  for (const { name, summary } of faults) write(`  ${name.padEnd(14)} ${summary}`)
  process.exit(2)
}
write(`ORDEAL_SEED=${seed} ORDEAL_FAULTS=${chosen.join(",")} ORDEAL_MINUTES=${minutes} ORDEAL_NODES=${nodes}`)
const reports = await Effect.runPromise(Effect.scoped(runOrdeal({
  seed,
  faults: chosen,
  nodes,
  durationMs: minutes * 60_000,
  customers: 6,
  administrators: 3,
  calmMs: 4_000,
  faultMs: 20_000,
  log: write
})))
const failed = Array.from(new Set(reports.filter(({ problems }) => problems.length > 0).map(({ fault }) => fault)))
write(
  failed.length === 0
    ? `Passed: ${reports.length} faults, safety and liveness after each.`
    : `Failed: ${failed.join(", ")}. Replay with ORDEAL_SEED=${seed} pnpm ordeal`
)
process.exitCode = failed.length === 0 ? 0 : 1
