import { Console, Effect, type Scope } from "effect"
import { Command, Flag } from "effect/cli"
import { mkdir, writeFile } from "node:fs/promises"
import { cpus, loadavg, totalmem } from "node:os"
import { join } from "node:path"

const folder = join(import.meta.dirname, "..", "..", "results", "latest")

/** Makes a flag for a whole number. `value` is the default. */
export const whole = (name: string, value: number, description: string) =>
  Flag.Int(name).pipe(Flag.withDefault(value), Flag.withDescription(description))

export const text = (name: string, value: string, description: string) =>
  Flag.String(name).pipe(Flag.withDefault(value), Flag.withDescription(description))

/** Flags for the size of the generated data. */
export const dataFlags = {
  partners: whole("partners", 10_000, "Number of partners"),
  users: whole("users", 100_000, "Number of users"),
  seed: whole("seed", 1, "Seed of the generated data")
}

/** Formats a Markdown table. The first column is left-aligned, the others right-aligned. */
export const table = (head: ReadonlyArray<string>, rows: ReadonlyArray<ReadonlyArray<string>>): string =>
  [head, head.map((_, column) => column === 0 ? "---" : "---:"), ...rows]
    .map((cells) => `| ${cells.join(" | ")} |`).join("\n")

/** Formats a value. NaN means that the value is not available. */
export const shown = (value: number, decimals = 0): string => Number.isFinite(value) ? value.toFixed(decimals) : "–"

/** Rounds a fractional number to five significant digits. */
const rounded = (_: string, value: unknown): unknown =>
  typeof value === "number" && Number.isFinite(value) && !Number.isInteger(value) ? Number(value.toPrecision(5)) : value

/** The tables and other lines to print, and the results to write as JSON. */
export interface Report {
  readonly lines: ReadonlyArray<string>
  readonly results: object
}

/**
 * Makes the command of a benchmark. It prints the report with the properties of the machine, and writes it to
 * `bench/results/latest/NAME.json`. A failure of the benchmark is a defect.
 */
export const benchmark = <const Flags extends Command.Command.Config, E, R>(
  name: string,
  description: string,
  flags: Flags,
  run: (options: Command.Command.Config.Infer<Flags>) => Effect.Effect<Report, E, R | Scope.Scope>
) =>
  Command.make(name, flags, (options) =>
    Effect.gen(function*() {
      const [before = Number.NaN] = loadavg()
      const { lines, results } = yield* Effect.orDie(Effect.scoped(run(options)))
      const [after = Number.NaN] = loadavg()
      const machine = {
        cpu: cpus()[0]?.model.trim() ?? "",
        cores: cpus().length,
        memoryGiB: Math.round(totalmem() / 2 ** 30),
        node: process.version
      }
      const file = join(folder, `${name}.json`)
      const all = { bench: name, options, machine, load: { before, after }, ...results }
      yield* Effect.promise(() => mkdir(folder, { recursive: true }))
      yield* Effect.promise(() => writeFile(file, `${JSON.stringify(all, rounded, 1)}\n`))
      const { cores, cpu, memoryGiB, node } = machine
      const where = `${cpu}, ${cores} cores, ${memoryGiB} GiB; Node ${node}`
      const load = `load average ${before.toFixed(1)} before, ${after.toFixed(1)} after`
      yield* Console.log([...lines, `${where}; ${load}.`, file].join("\n\n"))
    })).pipe(Command.withDescription(description))
