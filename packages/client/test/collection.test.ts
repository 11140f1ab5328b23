// oxlint-disable-next-line typescript/triple-slash-reference -- the package has types, but does not name them
/// <reference path="../node_modules/postman-collection/types/index.d.ts" />
import { assert, describe, it } from "@effect/vitest"
import { readFileSync } from "node:fs"
import { createContext, runInContext } from "node:vm"
import postman, { type Header, type Item, type ItemGroup } from "postman-collection"
import openapi from "../../adapters-http/openapi.json" with { type: "json" }
import { openApi } from "./server.ts"

const definition = JSON.parse(
  readFileSync(new URL("../lastro.postman_collection.json", import.meta.url), "utf8")
)

/** Runs requests of the collection as Postman does: with its variables, its authorization and its scripts. */
const openRunner = (settings: Readonly<Record<string, string>>) => {
  const collection = new postman.Collection(definition)
  const variables = new postman.VariableScope({ values: definition.variable })
  for (const [key, value] of Object.entries(settings)) variables.set(key, value)
  const run = async (item: Item): Promise<{ readonly status: number; readonly text: string }> => {
    const filled = variables.replaceIn(item.request.toJSON())
    const request = new postman.Request(filled)
    const headers = new Headers()
    const enabled = request.headers.all().filter((header: Header) => header.disabled !== true)
    for (const { key, value } of enabled) headers.set(key, value)
    if (filled.auth?.type !== "noauth") headers.set("authorization", `Bearer ${variables.get("access_token")}`)
    const isForm = request.body?.mode === "urlencoded"
    if (isForm) headers.set("content-type", "application/x-www-form-urlencoded")
    const body = request.method === "GET" ? null : request.body?.toString() ?? null
    const response = await fetch(request.url.toString(), { method: request.method, headers, body })
    const text = await response.text()
    const pm = {
      response: { code: response.status, headers: response.headers, json: () => JSON.parse(text), text: () => text },
      collectionVariables: {
        get: (key: string): unknown => variables.get(key),
        set: (key: string, value: string) => variables.set(key, value)
      },
      execution: { setNextRequest: () => undefined },
      info: { requestName: item.name }
    }
    for (const { script } of [...collection.events.all(), ...item.events.all()]) {
      runInContext(script.toSource() ?? "", createContext({ pm }))
    }
    return { status: response.status, text }
  }
  const folder = (name: string): ReadonlyArray<Item> => {
    const found = collection.items.all().find((one: Item | ItemGroup) => one.name === name)
    if (found === undefined || !postman.ItemGroup.isItemGroup(found)) return assert.fail(`no folder ${name}`)
    return found.items.all().filter((one: Item | ItemGroup) => postman.Item.isItem(one))
  }
  return { folder, run, variables }
}

describe("the Postman collection", () => {
  it("takes a loan to its payment", async () => {
    await using served = await openApi()
    const { api, clientId, clientSecret, url } = served
    const { folder, run } = openRunner({ base_url: url, client_id: clientId, client_secret: clientSecret })
    const bodies: Array<unknown> = []
    for (const item of folder("A loan")) {
      const { status, text } = await run(item)
      assert.isBelow(status, 300, `${item.name}: ${text}`)
      bodies.push(JSON.parse(text))
      // The background jobs of the fixture run on request.
      await api.finishWork()
    }
    assert.strictEqual(Object(bodies.at(-1)).data.status, "PAID")
  })

  it("has every operation of the API but the callbacks, with examples that the API accepts", async () => {
    await using served = await openApi()
    const { api, clientId, clientSecret, url } = served
    const { folder, run, variables } = openRunner({ base_url: url, client_id: clientId, client_secret: clientSecret })
    const groups = openapi.tags.map(({ name }) => name).filter((name) => name !== "callbacks")
    // The token is revoked last. The commissions are those of a new partner.
    const newPartner = folder("partners").find(({ name }) => name === "Create a partner")
    const items = groups.toReversed().flatMap((group) => folder(group))
    const count = Object.values(openapi.paths).flatMap((methods) => Object.keys(methods)).length
    // The one operation of the callbacks is missing.
    assert.strictEqual(items.length, count - 1)
    for (const item of folder("A loan")) {
      await run(item)
      await api.finishWork()
    }
    const invalid: Array<string> = []
    for (const item of items) {
      if (newPartner !== undefined && folder("commissions").includes(item)) await run(newPartner)
      const { status, text } = await run(item)
      // The loan is already paid, and other records may have been deleted.
      if (status >= 400 && ![404, 409].includes(status)) invalid.push(`${item.name}: ${status} ${text}`)
    }
    assert.deepStrictEqual(invalid, [])
    assert.match(String(variables.get("webhook_id")), /^[0-9a-f-]{36}$/)
  })
})
