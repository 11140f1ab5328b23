import { assert, describe, it } from "@effect/vitest"
import { globSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { version } from "../../packages/adapters-http/src/version/version.ts"

const root = join(import.meta.dirname, "../..")

const manifests = globSync("{packages,apps}/*/package.json", { cwd: root })

const versionIn = (file: string): unknown => JSON.parse(readFileSync(join(root, file), "utf8")).version

describe("the version", () => {
  it("is the same in the source, the packages and the server", () => {
    assert.isAtLeast(manifests.length, 6)
    for (const file of manifests) assert.strictEqual(versionIn(file), version, file)
  })
})
