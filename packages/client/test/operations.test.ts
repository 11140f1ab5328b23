import { assert, describe, it } from "@effect/vitest"
import { build } from "esbuild"
import openapi from "../../adapters-http/openapi.json" with { type: "json" }
import { LastroClient } from "../src/index.ts"

interface Operation {
  readonly operationId: string
  readonly tags: ReadonlyArray<string>
  readonly security?: ReadonlyArray<unknown>
  readonly parameters?: ReadonlyArray<{ readonly name?: string; readonly in?: string }>
  readonly requestBody?: { readonly content: Readonly<Record<string, unknown>> }
}

const operations = Object.entries(openapi.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ path, method, operation: operation as unknown as Operation }))
)

/** Sends a call of each operation to a `fetch` that answers with an empty page. Returns the request. */
const requestOf = async (name: string, args: ReadonlyArray<unknown>): Promise<Request> => {
  const requests: Array<Request> = []
  const client = new LastroClient({
    url: "https://lastro.example/base/",
    token: () => Promise.resolve("token"),
    fetch: (url, init) => {
      requests.push(new Request(url, init))
      return Promise.resolve(Response.json({}))
    }
  })
  const call: unknown = Object(client)[name]
  if (typeof call !== "function") return assert.fail(`${name} is missing`)
  await call.apply(client, args)
  return requests[0] ?? assert.fail(`${name} has sent no request`)
}

describe("every operation of the API but the callbacks has a method", () => {
  it.each(operations.map((one) => ({ ...one, name: one.operation.operationId })))(
    "$name",
    async ({ method, name, operation, path }) => {
      const { parameters = [], requestBody, security = [], tags } = operation
      if (tags.includes("callbacks")) {
        assert.notProperty(LastroClient.prototype, name)
        return
      }
      const ids = parameters.filter((one) => one.in === "path").map((_, index) => `id/${index}`)
      const type = Object.keys(requestBody?.content ?? {})[0]
      const content = type === "text/csv" ? "reference" : {}
      const request = await requestOf(name, [...ids, content, {}])
      const expected = ids.reduce((found, id) => found.replace(/\{\w+\}/, encodeURIComponent(id)), path)
      assert.strictEqual(request.method, method.toUpperCase())
      assert.strictEqual(new URL(request.url).pathname, `/base${expected}`)
      assert.strictEqual(
        request.headers.has("idempotency-key"),
        parameters.some((one) => one.name === "Idempotency-Key")
      )
      assert.strictEqual(request.headers.has("authorization"), security.length > 0)
      if (type !== undefined) assert.strictEqual(await request.text(), type === "text/csv" ? content : "{}")
    }
  )
})

describe("a query", () => {
  it("repeats lists, and writes objects with brackets", async () => {
    const query = {
      sort: ["name,desc", "created_at"],
      metadata: { "plan of Ana": "gold & more" },
      size: 5,
      name: undefined
    }
    const { searchParams } = new URL((await requestOf("listPartners", [query])).url)
    assert.deepStrictEqual([...searchParams], [
      ["page", "0"],
      ["size", "5"],
      ["sort", "name,desc"],
      ["sort", "created_at"],
      ["metadata[plan of Ana]", "gold & more"]
    ])
  })
})

describe("the package", () => {
  it("runs in a browser: it imports nothing", async () => {
    const { metafile, outputFiles } = await build({
      entryPoints: ["packages/client/src/index.ts"],
      bundle: true,
      format: "esm",
      metafile: true,
      minify: true,
      platform: "browser",
      write: false
    })
    const inputs = Object.keys(metafile.inputs)
    assert.deepStrictEqual(inputs.filter((input) => !input.startsWith("packages/client/src/")), [])
    assert.notMatch(outputFiles[0]?.text ?? "", /\b(?:process|Buffer|require|__dirname)\b/)
  })
})
