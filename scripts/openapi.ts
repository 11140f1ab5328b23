// Writes packages/adapters-http/openapi.json, the description of the API as it is served, so that a change of it shows in
// review. With --check it only says whether the file is current.
import { readFile, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { openApi } from "../packages/adapters-http/src/api/openApi.ts"

const file = join(import.meta.dirname, "..", "packages", "adapters-http", "openapi.json")
const current = `${JSON.stringify(openApi(), null, 2)}\n`

if (process.argv.includes("--check")) {
  if (await readFile(file, "utf8").catch(() => "") !== current) {
    console.error("packages/adapters-http/openapi.json is out of date: run node scripts/openapi.ts")
    process.exitCode = 1
  }
} else await writeFile(file, current)
