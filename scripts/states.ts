// Writes docs/states.md from the state table of the domain's tests. With --check, fails if the file is out of date.
import { readFile, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { statesPage } from "./statesPage.ts"

const file = join(import.meta.dirname, "..", "docs", "states.md")
const current = statesPage()

if (!process.argv.includes("--check")) await writeFile(file, current)
else if (await readFile(file, "utf8").catch(() => "") !== current) {
  console.error("docs/states.md is out of date: run pnpm states")
  process.exitCode = 1
}
