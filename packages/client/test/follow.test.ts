import { assert, describe, it } from "@effect/vitest"
import { aCompleteKyc, aCustomer } from "@lastro/testkit"
import { type FgtsApplicationStatus, LastroError } from "../src/index.ts"
import { type Answer, openApi, type Received, refusal, startScripted } from "./server.ts"

const status = (next_action: FgtsApplicationStatus["next_action"], version: number): Answer => [
  200,
  { application_id: "one", status: "QUOTED", next_action, version },
  { etag: `"${version}"` }
]

const inOrder = (...answers: ReadonlyArray<Answer>) => (_: Received, count: number): Answer =>
  answers[count - 1] ?? assert.fail("too many requests")

const waitsOf = (received: ReadonlyArray<Received>) =>
  received.map(({ headers, path }) => `${path.split("?")[1]} ${headers["if-none-match"] ?? "-"}`)

describe("waiting for a status", () => {
  it("ends at the first status that is not WAIT", async () => {
    await using server = await startScripted(inOrder(status("WAIT", 1), [304], status("SUBMIT_KYC", 2)))
    const found = await server.client().waitForStatus("one")
    assert.strictEqual(found.next_action, "SUBMIT_KYC")
    assert.deepStrictEqual(waitsOf(server.received), ["wait=25 -", "wait=25 \"1\"", "wait=25 \"1\""])
  })

  it("ends at the status that the caller waits for, or at one that is final", async () => {
    await using server = await startScripted(inOrder(
      status("SUBMIT_KYC", 1),
      status("SIGN", 2),
      status("ACCEPT_OFFER", 1),
      status("NONE", 2)
    ))
    const client = server.client()
    const until = ({ next_action }: FgtsApplicationStatus) => next_action === "SIGN"
    assert.strictEqual((await client.waitForStatus("one", { until })).next_action, "SIGN")
    assert.strictEqual((await client.waitForStatus("one", { until })).next_action, "NONE")
  })

  it("goes on after lost connections, 429 and 503, more often than other calls", async () => {
    const faults = [
      "lost",
      refusal(429, "RATE_LIMITED", { "retry-after": "0" }),
      refusal(503, "SERVICE_UNAVAILABLE"),
      "lost"
    ] as const
    await using server = await startScripted(inOrder(...faults, status("WAIT", 1), ...faults, status("SIGN", 2)))
    assert.strictEqual((await server.client({ attempts: 1 }).waitForStatus("one")).next_action, "SIGN")
  })

  it("pauses if the server ends a long poll early", async () => {
    await using server = await startScripted(inOrder(status("WAIT", 1), [304], status("SIGN", 2)))
    await server.client().waitForStatus("one")
    const [, second, third] = server.received.map(({ at }) => at)
    assert.isAtLeast((third ?? 0) - (second ?? 0), 900)
  })

  it("does not take a repeated status for a change", async () => {
    await using server = await startScripted(inOrder(status("SIGN", 1), status("SIGN", 1), status("NONE", 2)))
    const seen: Array<number> = []
    for await (const { version } of server.client().followStatus("one")) seen.push(version)
    assert.deepStrictEqual(seen, [1, 2])
  })

  it("fails at its end", async () => {
    await using server = await startScripted(() => status("WAIT", 1))
    const error = await server.client().waitForStatus("one", { timeout: 300 }).catch((one: unknown) => one)
    assert(error instanceof LastroError)
    assert.strictEqual(error.code, "TIMEOUT")
  })

  it("fails with a refusal of the API", async () => {
    await using server = await startScripted(() => refusal(404, "NOT_FOUND"))
    const error = await server.client().waitForStatus("one").catch((one: unknown) => one)
    assert.strictEqual(Object(error).code, "NOT_FOUND")
  })

  it("is cancelled by its signal", async () => {
    const controller = new AbortController()
    const reason = new Error("Enough.")
    await using server = await startScripted((_, count) => {
      if (count === 1) return status("WAIT", 1)
      controller.abort(reason)
      return new Promise<Answer>(() => undefined)
    })
    const waiting = server.client().waitForStatus("one", { signal: controller.signal })
    assert.strictEqual(await waiting.catch((error: unknown) => error), reason)
  })

  it("takes a loan to its payment in six calls", async () => {
    await using served = await openApi()
    const { api, client } = served
    const customer = aCustomer().withSandboxOutcome("PAID").build()
    const { birth_date, cpf } = customer
    const { application_id } = await client.createApplication({ external_id: "loan", customer: { cpf, birth_date } })
    await api.finishWork()
    const seen: Array<string> = []
    for await (const { next_action } of client.followStatus(application_id)) {
      seen.push(next_action)
      if (next_action === "SUBMIT_KYC") {
        await client.submitKyc(application_id, aCompleteKyc().for(customer).build())
      }
      if (next_action === "ACCEPT_OFFER") {
        const { quote } = await client.getApplication(application_id)
        await client.acceptOffer(application_id, quote.offers[0]?.offer_id ?? "", { terms_accepted: true })
        await api.finishWork()
      }
    }
    assert.deepStrictEqual(seen, ["SUBMIT_KYC", "ACCEPT_OFFER", "NONE"])
  })
})

describe("following the feed", () => {
  it("goes on after the last event, and after a lost connection", async () => {
    const event = (sequence: number) => ({ event_id: `event-${sequence}`, sequence, type: "partner.created" })
    await using server = await startScripted(inOrder(
      [200, { data: [event(1), event(2)], next: 2 }],
      [200, { data: [], next: 5 }],
      "lost",
      [200, { data: [event(6)], next: 6 }]
    ))
    const seen: Array<number> = []
    for await (const { sequence } of server.client().followEvents({ types: "partner.*" })) {
      seen.push(sequence)
      if (sequence === 6) break
    }
    assert.deepStrictEqual(seen, [1, 2, 6])
    assert.deepStrictEqual(server.received.map(({ path }) => path.split("?")[1]), [
      "types=partner.*&wait=25",
      "types=partner.*&after=2&wait=25",
      "types=partner.*&after=5&wait=25",
      "types=partner.*&after=5&wait=25"
    ])
  })

  it("returns the events of the API with typed data", async () => {
    await using served = await openApi()
    const { client, partner_id } = served
    await client.updatePartner(partner_id, { partner: { name: "Loja Nova" } })
    for await (const event of client.followEvents({ types: "partner.updated" })) {
      assert(event.type === "partner.updated")
      assert.strictEqual(event.data.partner_id, partner_id)
      break
    }
  })
})
