// Writes docs/contracts.md, the case names of every contract suite, so that a changed contract is visible in review.
// With --check, fails if the file is out of date.
import { readFile, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { contractsPage } from "./contractsPage.ts"

const file = join(import.meta.dirname, "..", "docs", "contracts.md")
const current = contractsPage()

if (!process.argv.includes("--check")) await writeFile(file, current)
else if (await readFile(file, "utf8").catch(() => "") !== current) {
  console.error("docs/contracts.md is out of date: run pnpm contracts")
  process.exitCode = 1
}
