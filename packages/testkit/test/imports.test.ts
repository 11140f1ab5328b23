import { assert, describe, it } from "@effect/vitest"
import { readFileSync } from "node:fs"
import { Session } from "node:inspector/promises"
import { dirname, join } from "node:path"

const source = join(import.meta.dirname, "..", "src")

// The compiler removes `import type` and `export type`. It keeps an import in which each name has an inline `type`.
const importPattern = /^(?:import|export) (?!type\b)[^;]*?from "([^"]+)"/gm

/** Lists the packages that a file imports at run time, directly and through other files of the testkit. */
const importedPackages = (entry: string): ReadonlySet<string> => {
  const packages = new Set<string>()
  const files = new Set<string>()
  const visit = (file: string): void => {
    if (files.has(file)) return
    files.add(file)
    for (const [, specifier = ""] of readFileSync(file, "utf8").matchAll(importPattern)) {
      if (specifier.startsWith(".")) visit(join(dirname(file), specifier))
      else packages.add(specifier)
    }
  }
  visit(join(source, entry))
  return packages
}

/** Counts the calls of functions of fast-check while an action runs. */
const countCalls = async (action: () => Promise<unknown>): Promise<number> => {
  const session = new Session()
  session.connect()
  try {
    await session.post("Profiler.enable")
    await session.post("Profiler.startPreciseCoverage", { callCount: true, detailed: false })
    await action()
    const { result } = await session.post("Profiler.takePreciseCoverage")
    return result.filter(({ url }) => url.includes("/fast-check/")).flatMap(({ functions }) => functions)
      .reduce((calls, { ranges }) => calls + (ranges[0]?.count ?? 0), 0)
  } finally {
    session.disconnect()
  }
}

describe("imports", () => {
  it("the root entry does not load fast-check", () => {
    const packages = importedPackages("index.ts")
    assert.include([...packages], "@lastro/domain/promises")
    assert.notInclude([...packages], "fast-check")
    assert.include([...importedPackages("arbitraries/index.ts")], "fast-check")
  })

  it("the arbitraries build no string arbitrary of all Unicode characters, which takes fast-check millions of calls", async () => {
    const calls = await countCalls(() => import("../src/arbitraries/index.ts"))
    assert.isAbove(calls, 1_000)
    assert.isBelow(calls, 200_000)
  })
})
