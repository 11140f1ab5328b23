import { assert, describe, it } from "@effect/vitest"
import { spawnSync } from "node:child_process"
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { afterAll, beforeAll } from "vitest"
import { root } from "../execute.ts"

const imports = "eslint(no-restricted-imports)"
const properties = "eslint(no-restricted-properties)"
const globals = "eslint(no-restricted-globals)"
const ambientDate = "lastro(no-present-date)"

/**
 * Lines of source code: the folder of a package, the line, and the lint rule that rejects the line there. The rule is
 * undefined if the line is allowed.
 */
const lines: ReadonlyArray<readonly [folder: string, line: string, rule: string | undefined]> = [
  ["packages/domain", `export { Effect } from "effect"`, undefined],
  ["packages/domain", `export { now } from "./time/Timestamp.ts"`, undefined],
  ["packages/domain", `export { now } from "../../Timestamp.ts"`, undefined],
  ["packages/domain", `export const at = new Date(0)`, undefined],
  ["packages/domain", `export { readFile } from "node:fs"`, imports],
  ["packages/domain", `export { readFile } from "fs"`, imports],
  ["packages/domain", `export const fs = () => import("node:fs")`, imports],
  ["packages/domain", `export { SignJWT } from "jose"`, imports],
  ["packages/domain", `export { NodeRuntime } from "@effect/platform-node"`, imports],
  ["packages/domain", `export { layer } from "@lastro/adapters-sql"`, imports],
  ["packages/domain", `export { fakes } from "@lastro/testkit"`, imports],
  ["packages/domain", `export { Arbitrary } from "effect"`, imports],
  ["packages/domain", `export { Clock } from "effect"`, imports],
  ["packages/domain", `export { Random } from "effect"`, imports],
  ...["sql", "http", "http-api", "cluster", "workflow", "persistence", "crypto", "cli", "observability", "testing"].map(
    (unstable) => ["packages/domain", `export * from "effect/${unstable}"`, imports] as const
  ),
  ["packages/domain", `export const at = Date.now()`, properties],
  ["packages/domain", `export const at = Math.random()`, properties],
  ["packages/domain", `export const at = process.env["HOME"]`, properties],
  ["packages/domain", `export const at = process.pid`, globals],
  ["packages/domain", `export const at = crypto.randomUUID()`, globals],
  ["packages/domain", `export const at = new Date()`, ambientDate],
  ["packages/adapters-sql", `export { parseUuid } from "@lastro/domain/id"`, undefined],
  ["packages/adapters-sql", `export { layer } from "@lastro/adapters-http"`, imports],
  ["packages/adapters-sql", `export { fakes } from "@lastro/testkit"`, imports],
  ["packages/adapters-http", `export { parseUuid } from "@lastro/domain/id"`, undefined],
  ["packages/adapters-http", `export { layer } from "@lastro/adapters-sql"`, imports],
  ["packages/adapters-http", `export { fakes } from "@lastro/testkit"`, imports],
  ["packages/client", `export { List } from "./List.ts"`, undefined],
  ["packages/client", `export { readFile } from "node:fs"`, imports],
  ["packages/client", `export { Effect } from "effect"`, imports],
  ["packages/client", `export { parseUuid } from "@lastro/domain/id"`, imports],
  ["packages/testkit", `export { parseUuid } from "@lastro/domain/id"`, undefined],
  ["packages/testkit", `export { layer } from "@lastro/adapters-sql"`, imports],
  ["packages/testkit", `export { layer } from "@lastro/adapters-http"`, imports],
  ["apps/server", `export { layer } from "@lastro/adapters-http"`, undefined],
  ["apps/server", `export { fakes } from "@lastro/testkit"`, imports],
  ["packages/adapters-http", `export const slow = /^(a+)+$/`, "lastro(linear-regex)"],
  ["packages/adapters-http", `export const fast = /^a+$/`, undefined]
]

const folder = mkdtempSync(join(tmpdir(), "lastro-boundaries-"))
const fileOf = (index: number): string => join(lines[index]?.[0] ?? "", "src", `line${index}.ts`)
const rejections = new Map<string, ReadonlyArray<string>>()

beforeAll(() => {
  copyFileSync(join(root, ".oxlintrc.json"), join(folder, ".oxlintrc.json"))
  for (const shared of ["node_modules", "scripts"]) symlinkSync(join(root, shared), join(folder, shared))
  lines.forEach(([, line], index) => {
    mkdirSync(join(folder, dirname(fileOf(index))), { recursive: true })
    writeFileSync(join(folder, fileOf(index)), `${line}\n`)
  })
  const { stdout } = spawnSync("oxlint", ["--format", "json", "packages", "apps"], {
    cwd: folder,
    encoding: "utf8",
    env: { ...process.env, PATH: `${join(root, "node_modules", ".bin")}:${process.env["PATH"]}` }
  })
  const { diagnostics } = JSON.parse(stdout) as {
    readonly diagnostics: ReadonlyArray<{ readonly code: string; readonly filename: string }>
  }
  for (const { code, filename } of diagnostics) rejections.set(filename, [...rejections.get(filename) ?? [], code])
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

describe("boundaries between the packages", () => {
  it.each(lines.map(([where, line, rule], index) => ({ index, line, rule, verb: rule ? "rejects" : "allows", where })))(
    "$where/src $verb $line",
    ({ index, rule }) => {
      const codes = rejections.get(fileOf(index)) ?? []
      if (rule === undefined) assert.deepStrictEqual(codes, [])
      else assert.include(codes, rule)
    }
  )
})
