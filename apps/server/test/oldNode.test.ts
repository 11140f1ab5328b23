import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { transform } from "esbuild"
import { writeFile } from "node:fs/promises"
import { join } from "node:path"
import { entryText } from "../../../scripts/build/artefact.ts"
import { running } from "./running/lastro.ts"
import { emptyFolder } from "./running/machine.ts"

/** Runs the entry of the artefact, with a program that prints a line, as if Node.js had this version. */
const runAs = (version: string) =>
  Effect.gen(function*() {
    const folder = yield* emptyFolder
    const [entry, program] = [join(folder, "lastro.mjs"), join(folder, "program.mjs")]
    yield* Effect.promise(() => writeFile(program, "console.log('started')"))
    yield* Effect.promise(() => writeFile(entry, entryText("./program.mjs")))
    const pretend = `Object.defineProperty(process, "versions", { value: { node: "${version}" } })`
    const node = yield* running(process.execPath, ["--import", `data:text/javascript,${pretend}`, entry], {})
    return { ending: yield* node.ended, out: node.out(), err: node.err() }
  })

describe("the entry of the artefact", () => {
  it.live("starts the program with a version of Node.js that is new enough", () =>
    Effect.gen(function*() {
      for (const version of ["24.7.0", "24.21.0", "25.0.0"]) {
        assert.deepStrictEqual(yield* runAs(version), { ending: 0, out: "started\n", err: "" })
      }
    }))

  it.live("states the version that it needs, with an older one", () =>
    Effect.gen(function*() {
      for (const version of ["20.20.2", "24.6.9"]) {
        assert.deepStrictEqual(yield* runAs(version), {
          ending: 2,
          out: "",
          err: `lastro: Node.js 24.7 or newer is required. This is Node.js ${version}.\n`
        })
      }
    }))

  it.live("has no syntax that is newer than ECMAScript 2015, except a dynamic import", () =>
    Effect.promise(async () => {
      const [old, present] = await Promise.all(
        ["es2015", "esnext"].map((target) =>
          transform(entryText("./program.mjs"), { target, supported: { "dynamic-import": true } })
        )
      )
      assert.strictEqual(old?.code, present?.code)
    }))
})
