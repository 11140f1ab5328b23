// Writes docs/rules.md, docs/threats.md and docs/sandbox.md. With --check, fails if they are out of date. Always fails
// if a rule or a required threat has no test, an id is used twice, or a test name starts with an unknown id.
import { existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { findProblems, parseRules, parseTestNames, rulesPage, type SourceFile, threatsPage } from "./ruleIndex.ts"
import { sandboxPage } from "./sandboxPage.ts"
import { threats } from "./threats.ts"

const root = join(import.meta.dirname, "..")

const sources = (patterns: ReadonlyArray<string>): ReadonlyArray<SourceFile> =>
  globSync(patterns, { cwd: root, exclude: ["**/node_modules/**", "**/dist/**"] }).toSorted().map((path) => ({
    path,
    text: readFileSync(join(root, path), "utf8")
  }))

const parsed = sources(["packages/*/src/**/*.ts"]).map(parseRules)
const rules = parsed.flatMap((file) => file.rules)
const tests = sources(["packages/*/test/**/*.ts", "apps/*/test/**/*.ts", "packages/testkit/src/**/*.ts"]).flatMap(
  parseTestNames
)
const problems = [...parsed.flatMap((file) => file.problems), ...findProblems(rules, threats, tests)]

const pages = {
  "docs/rules.md": rulesPage(rules),
  "docs/threats.md": threatsPage(threats, tests),
  "docs/sandbox.md": sandboxPage()
}
for (const [path, text] of Object.entries(pages)) {
  const file = join(root, path)
  if (process.argv.includes("--check")) {
    if (!existsSync(file) || readFileSync(file, "utf8") !== text) {
      problems.push(`${path} is out of date: run pnpm rules`)
    }
  } else {
    mkdirSync(join(root, "docs"), { recursive: true })
    writeFileSync(file, text)
  }
}

for (const problem of problems) console.error(problem)
process.exitCode = problems.length > 0 ? 1 : 0
