import { assert, describe, it } from "@effect/vitest"
import { layerMemory, openTestLastro } from "@lastro/testkit"
import { Option } from "effect"
import { registerHooks } from "node:module"
import { sealFound } from "../../src/hierarchy/Scope.ts"
import { openLastro } from "../../src/promises/openLastro.ts"
import { type PartnerId } from "../../src/values/ids.ts"
import { opened } from "./opened.ts"

/** Returns the message of the error that a promise rejects with. */
const messageOf = (promise: Promise<unknown>) =>
  promise.then(() => "", (error: unknown) => error instanceof Error ? error.message : String(error))

/** The folder of the package. */
const sources = new URL("../../src/", import.meta.url).href

/** Loads a second copy of the package: to Node.js, files with different queries are different modules. */
const loadAgain = async () => {
  const hooks = registerHooks({
    resolve: (specifier, context, next) => {
      const resolved = next(specifier, context)
      return resolved.url.startsWith(sources) ? { ...resolved, url: `${resolved.url}?copy` } : resolved
    }
  })
  try {
    return {
      ...await import("../../src/promises/openLastro.ts"),
      ...await import("../../src/hierarchy/Scope.ts"),
      ...await import("../../src/access/Authorization.ts")
    }
  } finally {
    hooks.deregister()
  }
}

describe("two copies of the domain", () => {
  it("are refused at the start, with a sentence that names the package and the remedy", async () => {
    const other = await loadAgain()
    const message = await messageOf(other.openLastro(layerMemory))
    assert.match(message, /^@lastro\/testkit uses another copy of @lastro\/domain than the code that opens its ports\./)
    assert.match(message, /`npm dedupe`/)
    const fixture = await openTestLastro()
    assert.match(await messageOf(other.openLastro(fixture.lastro.layer)), /^@lastro\/testkit uses another copy/)
    await fixture.close()
  })

  it("are accepted beside each other, if each has its own ports", async () => {
    const lastro = await openLastro(layerMemory)
    await lastro.close()
  })

  it("are reported when a record or a caller of one reaches the other", async () => {
    const { client, installed, lastro } = await opened()
    await using _ = lastro
    const other = await loadAgain()
    const record = Option.some(sealFound(installed.root_id satisfies PartnerId, true))
    assert.throws(() => other.judgeFound(record as never), /A repository uses another copy of @lastro\/domain\./)
    assert.throws(() => other.authorize(client as never, "partners:read"), /from another copy of @lastro\/domain/)
  })
})
