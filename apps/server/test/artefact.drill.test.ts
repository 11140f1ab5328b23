import { assert, describe, it } from "@effect/vitest"
import { version } from "@lastro/adapters-http"
import { Effect } from "effect"
import { cp, readdir, realpath, stat } from "node:fs/promises"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { writeArtefact } from "../../../scripts/build/artefact.ts"
import { ask, at, signIn, tokenOf } from "./running/asking.ts"
import { loadedFiles, reportLoadedFiles, root, running } from "./running/lastro.ts"
import { emptyFolder } from "./running/machine.ts"
import { credentials, listening } from "./running/serving.ts"

const cache = "node_modules/.cache/lastro"

/** Builds the artefact. Copies the cached embedded database into it, so that the test does not initialize one. */
const build = async (folder: string) => {
  const packages = await writeArtefact(folder)
  await cp(join(root, cache), join(folder, cache), {
    recursive: true,
    filter: (path) => path.endsWith("lastro") || path.endsWith(".tar")
  }).catch(() => undefined)
  return packages.map(({ name }) => name)
}

/** Returns the size of the files in a folder in bytes, without caches. */
const sizeOf = async (folder: string): Promise<number> => {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile() && !entry.parentPath.includes(".cache"))
  const sizes = await Promise.all(files.map(async ({ name, parentPath }) => (await stat(join(parentPath, name))).size))
  return sizes.reduce((sum, size) => sum + size, 0)
}

describe("the artefact", () => {
  it.live("serves the API from any folder, and loads no file from elsewhere", () =>
    Effect.gen(function*() {
      const empty = yield* emptyFolder
      const folder = join(yield* Effect.promise(() => realpath(empty)), "lastro")
      const packages = yield* Effect.promise(() => build(folder))
      assert.includeMembers(packages, ["effect", "jose", "@electric-sql/pglite"])
      assert.isBelow(yield* Effect.promise(() => sizeOf(folder)), 60e6)

      const command = [process.execPath, join(folder, "lastro.mjs"), "serve"]
      const settings = {
        ...credentials,
        ...reportLoadedFiles,
        LASTRO_DATA_DIR: "memory",
        LASTRO_DEMO: "off",
        PORT: "0"
      }
      const server = yield* listening(yield* running("sh", ["-c", `cd / && exec "$0" "$@"`, ...command], settings))
      assert.strictEqual(at(yield* ask(server, "/openapi.json"), "info", "version"), version)
      assert.strictEqual((yield* ask(server, "/docs")).status, 200)
      const token = tokenOf(yield* signIn(server))
      assert.strictEqual((yield* ask(server, "/api/v1/partners", { token })).status, 200)
      server.kill("SIGTERM")
      assert.strictEqual(yield* server.ended, 0)
      const files = loadedFiles(server.err())
      assert.isAtLeast(files.length, 4)
      assert.deepStrictEqual(files.filter((file) => !file.startsWith(`${pathToFileURL(folder)}/`)), [])
    }), 120_000)
})
