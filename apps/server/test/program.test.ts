import { assert, describe, it } from "@effect/vitest"
import { version } from "@lastro/adapters-http"
import { Effect } from "effect"
import { execFileSync } from "node:child_process"
import { readFileSync } from "node:fs"
import { cp, mkdir, readdir, writeFile } from "node:fs/promises"
import { dirname, join } from "node:path"
import { pathToFileURL } from "node:url"
import { bundleProgram } from "../src/program/bundleProgram.ts"
import { findProgram, type Project } from "../src/program/Project.ts"
import { serverProgram } from "../src/program/serverProgram.ts"
import { withSourcePlaces } from "../src/program/sourcePlaces.ts"
import { fromSources, loadedFiles, reportLoadedFiles, runToEnd } from "./running/lastro.ts"
import { emptyFolder } from "./running/machine.ts"

/** The files of a small project. Each prints or exports where it is. */
const sources = {
  "package.json": `{ "type": "module" }`,
  "src/main.ts": `
    import { type Part, part } from "./parts/part.ts"
    import { type Unused } from "./unused.ts"
    import { eager } from "eager"
    const { here } = await import("lazy")
    const answer: Part = part
    console.log(JSON.stringify([answer, eager, here.slice(here.indexOf("node_modules"))]))`,
  "src/parts/part.ts": `
    export type Part = string
    export const part: Part = import.meta.url.slice(import.meta.url.indexOf("src/"))`,
  "src/unused.ts": `console.log("a type-only import is loaded")\nexport type Unused = string`,
  "node_modules/lockfile.yaml": "version: 1",
  "node_modules/eager/package.json":
    `{ "type": "module", "exports": { "module": "./no.js", "default": "./index.js" } }`,
  "node_modules/eager/index.js": `export const eager = "eager"`,
  "node_modules/eager/no.js": `export const eager = "a condition that Node.js does not have"`,
  "node_modules/lazy/package.json": `{ "type": "module", "exports": "./index.js" }`,
  "node_modules/lazy/index.js": `export const here = import.meta.url`
}

const write = (root: string, files: Readonly<Record<string, string>>) =>
  Effect.promise(() =>
    Promise.all(
      Object.entries(files).map(async ([file, content]) => {
        await mkdir(dirname(join(root, file)), { recursive: true })
        await writeFile(join(root, file), content)
      })
    )
  )

const makeProject = Effect.gen(function*() {
  const root = yield* emptyFolder
  yield* write(root, sources)
  return {
    root,
    entry: "src/main.ts",
    others: ["node_modules/lockfile.yaml"],
    programs: "node_modules/.cache/programs"
  } satisfies Project
})

const bundle = (project: Project) => Effect.promise(() => bundleProgram(project))

const output = (path: string): string => execFileSync(process.execPath, [path], { encoding: "utf8" })

const run = (path: string): unknown => JSON.parse(output(path))

const whatItPrints = ["src/parts/part.ts", "eager", "node_modules/lazy/index.js"]

describe("a bundled program", () => {
  it.live("behaves like its sources, also if the project has moved", () =>
    Effect.gen(function*() {
      const project = yield* makeProject
      yield* bundle(project)
      assert.deepStrictEqual(run(findProgram(project) ?? ""), whatItPrints)
      const root = join(yield* emptyFolder, "moved")
      yield* Effect.promise(() => cp(project.root, root, { recursive: true }))
      assert.deepStrictEqual(run(findProgram({ ...project, root }) ?? ""), whatItPrints)
    }))

  it.live("is not used once a source file or the lockfile has changed, or is missing", () =>
    Effect.gen(function*() {
      const project = yield* makeProject
      assert.isUndefined(findProgram(project))
      yield* bundle(project)
      const program = findProgram(project)
      assert.isDefined(program)
      for (const file of ["src/main.ts", "src/parts/part.ts", "node_modules/lockfile.yaml"] as const) {
        yield* write(project.root, { [file]: `${sources[file]} ` })
        assert.isUndefined(findProgram(project), file)
        yield* write(project.root, { [file]: sources[file] })
        assert.strictEqual(findProgram(project), program)
      }
      yield* write(project.root, { "src/parts/part.ts": `export type Part = string\nexport const part = "changed"` })
      yield* bundle(project)
      assert.deepStrictEqual(run(findProgram(project) ?? ""), ["changed", ...whatItPrints.slice(1)])
      assert.isUndefined(findProgram({ ...project, others: [], programs: "elsewhere" }))
    }))

  it.live("replaces older programs, of which two remain", () =>
    Effect.gen(function*() {
      const project = yield* makeProject
      for (let version = 0; version < 6; version++) {
        yield* write(project.root, { "node_modules/lockfile.yaml": `version: ${version}` })
        yield* bundle(project)
        assert.isDefined(findProgram(project))
      }
      const entries = yield* Effect.promise(() => readdir(join(project.root, project.programs)))
      assert.strictEqual(entries.filter((entry) => entry !== "manifest.json").length, 3)
    }))

  it.live("names the files and lines of its sources in stack traces", () =>
    Effect.gen(function*() {
      const project = yield* makeProject
      yield* write(project.root, {
        "src/main.ts":
          `import { fail } from "./parts/part.ts"\ntry { fail(1) } catch (error) { console.log(error.stack) }`,
        "src/parts/part.ts":
          `interface Removed {\n  readonly line: 2\n}\n\nexport const fail = (_: number): Removed => {\n` +
          `  throw new Error("line 6")\n}`
      })
      yield* bundle(project)
      const path = findProgram(project) ?? ""
      const program = pathToFileURL(path).href
      const stack = withSourcePlaces(output(path), program)
      assert.include(stack, `at fail (${pathToFileURL(join(project.root, "src/parts/part.ts"))}:6)`)
      assert.include(stack, `at ${pathToFileURL(join(project.root, "src/main.ts"))}:2`)
      for (const text of ["at a (file:///nowhere/program.mjs:1:1)", `at a (${program}:1000000:1)`, program]) {
        assert.strictEqual(withSourcePlaces(text, program), text)
      }
    }))

  it.live("that does not compile is not written, and the sources are loaded", () =>
    Effect.gen(function*() {
      const project = yield* makeProject
      yield* write(project.root, { "src/main.ts": "const = 1" })
      const exit = yield* Effect.exit(Effect.tryPromise(() => bundleProgram(project)))
      assert.strictEqual(exit._tag, "Failure")
      assert.isUndefined(findProgram(project))
    }))
})

describe("the server", () => {
  it.live("is loaded as one file", () =>
    Effect.gen(function*() {
      const { ending, err, out } = yield* runToEnd(["--version"], reportLoadedFiles)
      assert.strictEqual(out, `lastro v${version}\n`)
      const files = loadedFiles(err)
      assert.strictEqual(ending, 0)
      assert.strictEqual(files.filter((file) => file.endsWith("/program.mjs")).length, 1)
      assert.deepStrictEqual(files.filter((file) => file.includes("/packages/") || file.includes("effect@")), [])
    }), 60_000)

  it("is a file of ASCII characters", () => {
    const lines = readFileSync(serverProgram() ?? "", "utf8").split("\n")
    assert.deepStrictEqual(lines.filter((line) => /[\u0080-\uffff]/.test(line)), [])
  })

  it.live("is loaded from its source files under node --watch", () =>
    Effect.gen(function*() {
      const { err } = yield* runToEnd(["--version"], { ...reportLoadedFiles, ...fromSources })
      const files = loadedFiles(err)
      assert.isTrue(files.some((file) => file.endsWith("/apps/server/src/run.ts")))
      assert.deepStrictEqual(files.filter((file) => file.endsWith("/program.mjs")), [])
    }))
})
