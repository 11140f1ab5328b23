// Writes docs/contracts.md, the sentences of every contract suite, so that a change of what a port promises shows in review.
// With --check it only says whether the file is current.
import { readFile, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { contractsPage } from "./contractsPage.ts"

const file = join(import.meta.dirname, "..", "docs", "contracts.md")
const current = contractsPage()

if (!process.argv.includes("--check")) await writeFile(file, current)
else if (await readFile(file, "utf8").catch(() => "") !== current) {
  console.error("docs/contracts.md is out of date: run node scripts/contracts.ts")
  process.exitCode = 1
}
