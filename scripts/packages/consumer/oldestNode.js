// Signs in with the lowest version of Node.js. It is JavaScript, because that version cannot run TypeScript.
// It creates its database, whereas the programs of the READMEs and examples copy a migrated one.
import { layerSecurity, layerTokens } from "@lastro/adapters-http/security"
import { layerPgliteNode } from "@lastro/adapters-sql"
import { layerSandboxLender } from "@lastro/domain/adapters"
import { openLastro, orThrow } from "@lastro/domain/promises"
import { layerMemory } from "@lastro/testkit"
import { Layer } from "effect"
import assert from "node:assert/strict"

assert.match(process.version, /^v22\.0\./)
const layer = layerTokens({ issuer: "https://shop.example" }).pipe(
  Layer.provideMerge(layerPgliteNode({ dataDir: "memory" })),
  Layer.provideMerge(layerSandboxLender()),
  Layer.provideMerge(layerSecurity())
)
const lastro = await openLastro(layer)
const password = "correct horse battery"
const { admin_email: username } = orThrow(await lastro.bootstrap({ admin_password: password, client_id: "office" }))
// Node.js 22 has no Argon2, so a library computes the hash.
const signIn = (password) => lastro.issueToken({ grant_type: "password", username, password })
const { access_token } = orThrow(await signIn(password))
assert.equal(orThrow(await lastro.callerOfToken(access_token)).kind, "user")
assert.equal((await signIn("wrong horse battery"))._tag, "Failure")
const page = orThrow(await lastro.listPartners(orThrow(await lastro.callerOfClient("office"))))
assert.equal(page.page.total_elements, 1)
await lastro.close()

const fixture = await openLastro(layerMemory)
orThrow(await fixture.bootstrap())
await fixture.close()
