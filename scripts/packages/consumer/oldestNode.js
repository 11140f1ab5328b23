// Uses the domain, its database and its test fixture with the lowest version of Node.js. JavaScript, because that version runs no TypeScript.
import { layerPgliteNode } from "@lastro/adapters-sql"
import { layerSandboxLender } from "@lastro/domain/adapters"
import { openLastro } from "@lastro/domain/promises"
import { layerMemory } from "@lastro/testkit"
import { Layer } from "effect"
import assert from "node:assert/strict"

assert.match(process.version, /^v22\.0\./)
// The fixture provides tokens and password hashes. PGlite replaces its repositories.
const layer = layerPgliteNode({ dataDir: "memory" }).pipe(
  Layer.provideMerge(layerSandboxLender()),
  Layer.provideMerge(layerMemory)
)
const lastro = await openLastro(layer)
await lastro.bootstrap({ client_id: "office" })
const caller = await lastro.callerOfClient("office")
assert.equal(caller._tag, "Success")
const page = await lastro.listPartners(caller.success)
assert.equal(page.success.page.total_elements, 1)
await lastro.close()
