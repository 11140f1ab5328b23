import { assert, describe, it } from "@effect/vitest"
import { LastroClient, LastroError } from "../src/index.ts"
import { type Answer, refusal, startScripted } from "./server.ts"

/** A client whose list of groups stands for a list that is also a CSV file. */
class CsvClient extends LastroClient {
  rows(signal?: AbortSignal) {
    return this.exportable({
      operation: "listGroups",
      method: "GET",
      path: "/rows",
      query: { name: "a" },
      options: { signal }
    })
  }
}

const open = async (...answers: ReadonlyArray<Answer>) => {
  const server = await startScripted((_, count) => answers[count - 1] ?? [500])
  const client = new CsvClient({ url: server.url, clientId: "shop", clientSecret: "secret", attemptTimeout: 5_000 })
  return { client, server, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() }
}

describe("a list as a CSV file", () => {
  it("is a stream of its bytes, with the filters of the list and without a page", async () => {
    await using opened = await open("lost", [200, "name\r\nAna\r\n", { "content-type": "text/csv" }])
    const stream = await opened.client.rows().csv()
    assert.strictEqual(await new Response(stream).text(), "name\r\nAna\r\n")
    assert.deepStrictEqual(opened.server.received.map(({ headers, path }) => [headers.accept, path]), [
      ["text/csv", "/rows?name=a"],
      ["text/csv", "/rows?name=a"]
    ])
  })

  it("fails with the refusal of the API", async () => {
    await using opened = await open(refusal(422, "VALIDATION_FAILED"))
    const error = await opened.client.rows().csv().catch((one: unknown) => one)
    assert(error instanceof LastroError)
    assert.strictEqual(error.code, "VALIDATION_FAILED")
  })

  it("ends with its signal", async () => {
    const controller = new AbortController()
    await using opened = await open([200, "name\r\n", { "content-type": "text/csv", "content-length": "100" }])
    const stream = await opened.client.rows(controller.signal).csv()
    const reason = new Error("Enough.")
    const reading = new Response(stream).text().catch((error: unknown) => error)
    controller.abort(reason)
    assert.strictEqual(await reading, reason)
  })
})
