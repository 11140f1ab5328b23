import { Effect } from "effect"
import { mkdir, writeFile } from "node:fs/promises"
import { join } from "node:path"

const folder = join(import.meta.dirname, "..", "..", "results")

/** Writes results as JSON to `bench/results/NAME.json`, replacing those of the last run. Returns the path. */
export const writeResults = (name: string, results: object): Effect.Effect<string> =>
  Effect.promise(async () => {
    const file = join(folder, `${name}.json`)
    await mkdir(folder, { recursive: true })
    await writeFile(file, `${JSON.stringify(results, null, 2)}\n`)
    return file
  })
