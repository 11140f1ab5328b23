import { globSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { Failure, report, root } from "./execute.ts"
import { findProblems, parseRules, parseTestNames, rulesPage, type SourceFile, threatsPage } from "./ruleIndex.ts"
import { sandboxPage } from "./sandboxPage.ts"
import { threats } from "./threats.ts"

const sources = (...patterns: ReadonlyArray<string>): ReadonlyArray<SourceFile> =>
  globSync(patterns, { cwd: root, exclude: ["**/node_modules/**", "**/dist/**"] }).toSorted()
    .map((path) => ({ path, text: readFileSync(join(root, path), "utf8") }))

/**
 * Returns docs/rules.md, docs/threats.md and docs/sandbox.md. Reports rules and threats without a test, ids that are
 * used twice, and test names that start with an unknown id.
 */
export const rulePages = (): Readonly<Record<string, string>> => {
  const parsed = sources("packages/*/src/**/*.ts").map(parseRules)
  const rules = parsed.flatMap((file) => file.rules)
  const tests = sources("packages/*/test/**/*.ts", "apps/*/test/**/*.ts", "packages/testkit/src/**/*.ts")
    .flatMap(parseTestNames)
  const problems = [...parsed.flatMap((file) => file.problems), ...findProblems(rules, threats, tests)]
  report(problems.map((problem) => new Failure(problem)))
  return {
    "docs/rules.md": rulesPage(rules),
    "docs/threats.md": threatsPage(threats, tests),
    "docs/sandbox.md": sandboxPage()
  }
}
