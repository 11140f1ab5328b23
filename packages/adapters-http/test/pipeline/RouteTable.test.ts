import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as fc from "fast-check"
import { endpoints } from "../../src/pipeline/endpoints.ts"
import { serverContextOf } from "../../src/pipeline/Exchange.ts"
import { type Handler, handleRequest } from "../../src/pipeline/handleRequest.ts"
import { allowedMethods, RouteTable } from "../../src/pipeline/RouteTable.ts"

/** Makes a handler that no test starts. */
const aHandler = (): Handler<never> =>
  handleRequest("", serverContextOf({}), () => assert.fail("not started"), () => Effect.die("not started"))

const notFound = aHandler()

/** A table of every endpoint, and the handler of each by method and path. */
const tableOfEndpoints = () => {
  const table = new RouteTable<never>(notFound)
  const handlers = new Map<string, Handler<never>>()
  for (const [path, group] of Map.groupBy(endpoints, ({ path }) => path)) {
    const byMethod = new Map(group.map(({ method }) => [method, aHandler()]))
    const notAllowed = aHandler()
    table.add(path, { byMethod, notAllowed })
    for (const [method, handler] of byMethod) handlers.set(`${method} ${path}`, handler)
    handlers.set(`PURGE ${path}`, notAllowed)
  }
  return { table, handlers }
}

const { handlers, table } = tableOfEndpoints()

/** A path segment that needs no encoding. */
const segment = fc.stringMatching(/^[0-9A-Za-z.~_@\\-]{1,100}$/)

const query = fc.constantFrom("", "?", "?a=1", "?a=/b?c#d")

describe("RouteTable", () => {
  it("T54 finds the endpoint of every path and its parameters", () => {
    const literals = new Set(endpoints.flatMap(({ ids, path }) => ids.length === 0 ? [path] : []))
    fc.assert(fc.property(fc.constantFrom(...endpoints), fc.array(segment, { minLength: 2, maxLength: 2 }), query, (
      { ids, method, path },
      values,
      query
    ) => {
      const params = Object.fromEntries(ids.map((name, index) => [name, values[index] ?? ""]))
      const url = path.replaceAll(/:([a-z_]+)/g, (_, name: string) => params[name] ?? "")
      // A path without parameters precedes a path with parameters.
      fc.pre(ids.length === 0 || !literals.has(url as `/${string}`))
      const found = table.find(method, url + query)
      assert.strictEqual(found.handler, handlers.get(`${method} ${path}`), `${method} ${url}`)
      assert.deepStrictEqual(found.params, params)
      assert.strictEqual(table.find("PURGE", url).handler, handlers.get(`PURGE ${path}`))
    }))
  })

  it("answers HEAD with the handler of GET", () => {
    assert.strictEqual(table.find("HEAD", "/health/live").handler, handlers.get("GET /health/live"))
    assert.strictEqual(table.find("HEAD", "/api/v1/oauth/token").handler, handlers.get("PURGE /api/v1/oauth/token"))
    assert.deepStrictEqual(allowedMethods(["POST", "GET"]), ["GET", "HEAD", "POST"])
  })

  it("T54 finds no other spelling of a path", () => {
    const urls = [
      "",
      "*",
      "/",
      "health/live",
      "//health/live",
      "/health//live",
      "/health/live/",
      "/HEALTH/live",
      "/health/live;x",
      "/health/live#x",
      "/health%2flive",
      "/health/./live",
      "/api/v1/partners/",
      "/api/v1/partners/a%62",
      "/api/v1/partners/%",
      "/api/v1/partners/a;b",
      "/api/v1/partners/a#b",
      "/api/v1/partners/a/b",
      `/api/v1/partners/${"x".repeat(101)}`
    ]
    for (const url of urls) assert.strictEqual(table.find("GET", url).handler, notFound, url)
  })
})
