import { assert, describe, it } from "@effect/vitest"
import { globSync, readFileSync } from "node:fs"
import { dirname, join, normalize } from "node:path"
import { root } from "../execute.ts"

/** Packages whose folders must not import each other in a cycle. */
const packages = globSync(["packages/*/src", "apps/*/src"], { cwd: root }).toSorted()

const importPattern = /\bfrom "(\.{1,2}\/[^"]+)"/g

/** Maps each folder of a package to the folders that its files import. Type-only imports count, too. */
const importedFolders = (source: string): ReadonlyMap<string, ReadonlySet<string>> => {
  const folders = new Map<string, Set<string>>()
  for (const file of globSync("**/*.ts", { cwd: join(root, source) })) {
    const folder = dirname(file)
    const imported = folders.get(folder) ?? new Set<string>()
    folders.set(folder, imported)
    for (const [, path = ""] of readFileSync(join(root, source, file), "utf8").matchAll(importPattern)) {
      const target = dirname(normalize(join(folder, path)))
      if (target !== folder) imported.add(target)
    }
  }
  return folders
}

/** Finds a cycle of folders. Returns it as a path that ends where it starts. Undefined if there is none. */
const findCycle = (folders: ReadonlyMap<string, ReadonlySet<string>>): ReadonlyArray<string> | undefined => {
  const finished = new Set<string>()
  const visit = (folder: string, path: ReadonlyArray<string>): ReadonlyArray<string> | undefined => {
    if (path.includes(folder)) return [...path.slice(path.indexOf(folder)), folder]
    if (finished.has(folder)) return undefined
    for (const next of folders.get(folder) ?? []) {
      const cycle = visit(next, [...path, folder])
      if (cycle !== undefined) return cycle
    }
    finished.add(folder)
    return undefined
  }
  for (const folder of folders.keys()) {
    const cycle = visit(folder, [])
    if (cycle !== undefined) return cycle
  }
  return undefined
}

describe("folders do not import each other in a cycle", () => {
  for (const source of packages) {
    it(source, () => assert.isUndefined(findCycle(importedFolders(source))?.join(" → ")))
  }

  it("a cycle is found", () => {
    const folders = new Map([["a", new Set(["b"])], ["b", new Set(["c"])], ["c", new Set(["b"])]])
    assert.deepStrictEqual(findCycle(folders), ["b", "c", "b"])
  })
})

/** The folders of the domain that contain only rules. They import only each other and `effect`. */
const ring: ReadonlySet<string> = new Set(["access", "hierarchy", "input", "kyc", "loan", "offer", "values"])

describe("the rooms of the rules import no port, no use case and no adapter", () => {
  const folders = importedFolders("packages/domain/src")
  for (const room of ring) {
    it(room, () => {
      const imported = folders.get(room) ?? new Set<string>()
      assert.deepStrictEqual([...imported].filter((folder) => !ring.has(folder)), [])
    })
  }

  it("the rooms exist", () => assert.deepStrictEqual([...ring].filter((room) => !folders.has(room)), []))
})

describe("a change of a record is recorded with its events", () => {
  /** `recordChange` itself, and the files that record a read, a sign-in or the start of a job, which change no record. */
  const reads: ReadonlyArray<string> = [
    "event/recordChange.ts",
    "identity/Session.ts",
    "operator/jobs.ts",
    "operator/showApplication.ts",
    "origination/GetKyc.ts",
    "privacy/ExportPerson.ts"
  ]

  it("every other use case names the events of its change", () => {
    const source = join(root, "packages/domain/src")
    const recording = globSync("**/*.ts", { cwd: source })
      .filter((file) =>
        !file.startsWith("audit/") && /import [^;]*\brecordAudit\b/.test(readFileSync(join(source, file), "utf8"))
      )
    assert.deepStrictEqual(recording.toSorted(), reads)
  })
})

describe("a loan changes only through decide and evolve", () => {
  /** Finds imports of decisions from the folder `loan` that bypass `decide`. */
  const decisionsIn = (source: string): ReadonlyArray<string> =>
    [...source.matchAll(/import \{([^}]*)\} from "[^"]*\/loan(?:\/\w+\.ts)?"/g)]
      .flatMap(([, names = ""]) => names.split(","))
      .map((name) => name.trim())
      .filter((name) => /^decide\w+|^evolve\w+/.test(name))

  it("no file outside the room imports the decision of an area", () => {
    const files = globSync("{packages,apps}/*/src/**/*.ts", { cwd: root })
      .filter((file) => !file.startsWith("packages/domain/src/loan/"))
    assert.isAbove(files.length, 600)
    const offenders = files.filter((file) => decisionsIn(readFileSync(join(root, file), "utf8")).length > 0)
    assert.deepStrictEqual(offenders, [])
  })

  it("such an import is found", () => {
    assert.deepStrictEqual(decisionsIn(`import { decide, decideCancel } from "../loan/decideCancel.ts"`), [
      "decideCancel"
    ])
  })
})
