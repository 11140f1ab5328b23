import { assert, describe, it } from "@effect/vitest"
import { MemoryDatabase } from "@lastro/testkit"
import { Effect } from "effect"
import { type Caller } from "../../src/access/Caller.ts"
import { opened, partnerBody, refusal, success } from "./opened.ts"

const cyclic: Record<string, unknown> = {}
cyclic["partner"] = cyclic

let deep: unknown = null
for (let level = 0; level < 100_000; level++) deep = [deep]

describe("untrusted input", () => {
  it("refuses a body that is not JSON, with an idempotency key and without", async () => {
    const { client, lastro } = await opened()
    const bodies = [
      cyclic,
      { partner: deep },
      { partner: { name: 1n } },
      { partner: () => 1 },
      Symbol("body"),
      new Date(0)
    ]
    const refusals = await Promise.all(bodies.flatMap((body) =>
      [
        lastro.createPartner(client, body),
        lastro.createPartner(client, body, { idempotency_key: "k" })
      ].map(refusal)
    ))
    for (const one of refusals) assert.match(one, /INVALID_TYPE|REQUIRED|UNKNOWN_FIELD/)
    await lastro.close()
  })

  it("refuses an idempotency key that is not a text, and ignores such a request id or client address", async () => {
    const { client, lastro } = await opened()
    const create = (options: unknown) => refusal(lastro.createPartner(client, {}, options as never))
    const keys = [4711, null, ["k"], {}].map((idempotency_key) => create({ idempotency_key }))
    for (const one of await Promise.all(keys)) assert.strictEqual(one, "idempotency_key INVALID_FORMAT")
    const others = [{ request_id: 7 }, { request_id: null }, { client_address: 7 }, { client_address: null }]
    for (const one of await Promise.all(others.map(create))) assert.strictEqual(one, "partner REQUIRED")
    const inTransaction = await lastro.atomically((tx) =>
      refusal(tx.createPartner(client, {}, { request_id: 7, client_address: null } as never))
    )
    assert.strictEqual(inTransaction, "partner REQUIRED")
    await lastro.close()
  })

  it("accepts a query as an object or URLSearchParams, and names its invalid parameters", async () => {
    const { client, lastro } = await opened()
    const list = (query: unknown) => lastro.listPartners(client, query)
    const page = async (query: unknown) => (await success(list(query))).page
    for (
      const query of [{ size: 7 }, { size: "7" }, { size: ["7", "8"] }, new URLSearchParams("size=7"), {
        size: 7,
        name: null
      }]
    ) {
      // oxlint-disable-next-line eslint/no-await-in-loop -- sequential, so that a failure names its query
      assert.strictEqual((await page(query)).size, 7)
    }
    assert.strictEqual(
      await refusal(list({ name: { toString: "x" }, size: new Date(0) })),
      "query.name INVALID_TYPE, query.size INVALID_TYPE"
    )
    assert.strictEqual(await refusal(list("size=7")), "query INVALID_TYPE")
    assert.strictEqual(await refusal(list([["size", "7"]])), "query INVALID_TYPE")
    assert.strictEqual(await refusal(list({ size: Number.NaN })), "query.size INVALID_TYPE")
    const metadata: ReadonlyArray<readonly [value: unknown, problem: string]> = [
      ["gold", "query.metadata INVALID_TYPE"],
      [["gold"], "query.metadata INVALID_TYPE"],
      [new Map([["plan", "gold"]]), "query.metadata INVALID_TYPE"],
      [{ plan: { name: "gold" } }, "query.metadata[plan] INVALID_TYPE"],
      [{ plan: ["gold", "silver"] }, "query.metadata[plan] INVALID_TYPE"],
      [{ "a][b": "x" }, "query.metadata[a][b] INVALID_TYPE"],
      [{ plan: "\0" }, "query.metadata[plan] INVALID_FORMAT"]
    ]
    for (const [value, problem] of metadata) {
      // oxlint-disable-next-line eslint/no-await-in-loop -- sequential, so that a failure names its query
      assert.strictEqual(await refusal(list({ metadata: value })), problem)
    }
    await lastro.close()
  })

  it("refuses malformed ids, groups and statuses", async () => {
    const { client, installed, lastro } = await opened()
    const absent = JSON.parse("null")
    assert.strictEqual(await refusal(lastro.callerOfClient("a\u0000b")), "Unauthenticated")
    assert.strictEqual(await refusal(lastro.getPartner(client, absent)), "NotFound")
    assert.strictEqual(await refusal(lastro.getUser(client, absent)), "NotFound")
    assert.strictEqual(
      await refusal(lastro.setPartnerStatus(installed.root_id, JSON.parse("\"gone\""))),
      "status UNKNOWN_VALUE"
    )
    assert.strictEqual(
      await refusal(lastro.createApiClient(installed.root_id, JSON.parse("\"king\""))),
      "group UNKNOWN_VALUE"
    )
    await lastro.close()
  })

  it("rejects a value that is not a Caller, through the promise", async () => {
    const { client, installed, lastro } = await opened()
    const result: unknown = await lastro.callerOfClient(installed.client_id)
    for (const none of [undefined, null, {}, result, { ...client }, structuredClone(client)]) {
      // oxlint-disable-next-line eslint/no-await-in-loop -- sequential, so that a failure names its caller
      const error = await lastro.listPartners(none as Caller).then(() => undefined, (caught: unknown) => caught)
      assert.match(String(error), /first argument is not a Caller/)
    }
    await lastro.close()
  })

  it("ignores a request id that is a CPF or CNPJ, and counts failed sign-ins by network", async () => {
    const { client, lastro } = await opened()
    await success(lastro.createPartner(client, partnerBody("11222333000181"), { request_id: "111.444.777-35" }))
    const state = await success(lastro.run(Effect.flatMap(MemoryDatabase, ({ state }) => state)))
    assert.isNull(state.audit.at(-1)?.request_id)
    const wrong = { grant_type: "client_credentials", client_id: "erp", client_secret: "another secret" }
    const attempts = Array.from({ length: 6 }, (_, last) => `2001:db8::${last + 1}`)
    const outcomes = attempts.map((client_address) => () => refusal(lastro.issueToken(wrong, { client_address })))
    const seen: Array<string> = []
    // oxlint-disable-next-line eslint/no-await-in-loop -- attempts are sequential
    for (const outcome of outcomes) seen.push(await outcome())
    assert.strictEqual(seen.at(0), "TokenRefused")
    assert.strictEqual(seen.at(-1), "TooManyAttempts")
    await lastro.close()
  })
})
