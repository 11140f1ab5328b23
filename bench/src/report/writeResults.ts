import { Effect } from "effect"
import { mkdir, writeFile } from "node:fs/promises"
import { join } from "node:path"

const folder = join(import.meta.dirname, "..", "..", "results", "latest")

/** Rounds a fractional number to five significant digits. */
const rounded = (_: string, value: unknown): unknown =>
  typeof value === "number" && Number.isFinite(value) && !Number.isInteger(value) ? Number(value.toPrecision(5)) : value

/**
 * Writes results as JSON to `bench/results/latest/NAME.json`. Replaces the results of the previous run. Returns the
 * path.
 */
export const writeResults = (name: string, results: object): Effect.Effect<string> =>
  Effect.promise(async () => {
    const file = join(folder, `${name}.json`)
    await mkdir(folder, { recursive: true })
    await writeFile(file, `${JSON.stringify(results, rounded, 1)}\n`)
    return file
  })
