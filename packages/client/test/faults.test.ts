import { assert, describe, it, vi } from "@effect/vitest"
import { LastroClient, LastroError } from "../src/index.ts"
import { parseRetryAfter } from "../src/LastroError.ts"
import { retryDelay } from "../src/retry.ts"
import { type Answer, type Received, refusal, startScripted } from "./server.ts"

const codeOf = async (call: PromiseLike<unknown>): Promise<string> => {
  try {
    await call
  } catch (error) {
    return error instanceof LastroError ? error.code : String(error)
  }
  return "none"
}

const keysOf = (received: ReadonlyArray<Received>) => received.map(({ headers }) => headers["idempotency-key"])

/** Answers the first requests in this order, and all others with an empty record. */
const inOrder = (...answers: ReadonlyArray<Answer>) => (_: Received, count: number): Answer =>
  answers[count - 1] ?? [200, {}, { etag: "\"2\"" }]

const html: Answer = [502, "<h1>Bad gateway</h1>", { "content-type": "text/html" }]

describe("a call with an idempotency key", () => {
  it.each<readonly [string, Answer]>([
    ["a lost connection", "lost"],
    ["a 502 of a proxy", html],
    ["a 503 of a proxy", [503, "", {}]],
    ["a 504 of a proxy", [504, "", {}]],
    ["OUTCOME_UNKNOWN", refusal(503, "OUTCOME_UNKNOWN")],
    ["SERVICE_UNAVAILABLE", refusal(503, "SERVICE_UNAVAILABLE")],
    ["IDEMPOTENCY_IN_FLIGHT", refusal(409, "IDEMPOTENCY_IN_FLIGHT")],
    ["RATE_LIMITED", refusal(429, "RATE_LIMITED")]
  ])("is repeated with the same key after %s", async (_, answer) => {
    await using server = await startScripted(inOrder(answer, answer))
    await server.client().requoteApplication("one")
    const keys = keysOf(server.received)
    assert.strictEqual(keys.length, 3)
    assert.match(String(keys[0]), /^[0-9a-f-]{36}$/)
    assert.strictEqual(new Set(keys).size, 1)
    assert.strictEqual(new Set(server.received.map(({ headers }) => headers["x-request-id"])).size, 1)
  })

  it("has a new key for each call, or that of the caller", async () => {
    await using server = await startScripted(inOrder("lost"))
    const client = server.client()
    await client.requoteApplication("one", {}, { idempotencyKey: "mine" })
    await client.requoteApplication("one")
    await client.requoteApplication("one")
    const [first, second, third, fourth] = keysOf(server.received)
    assert.deepStrictEqual([first, second], ["mine", "mine"])
    assert.notStrictEqual(third, fourth)
  })

  it("is not repeated after a refusal", async () => {
    await using server = await startScripted(() => refusal(409, "KYC_INCOMPLETE"))
    assert.strictEqual(
      await codeOf(server.client().acceptOffer("one", "two", { terms_accepted: true })),
      "KYC_INCOMPLETE"
    )
    assert.strictEqual(server.received.length, 1)
  })

  it("ends after the maximum number of attempts with the last error", async () => {
    await using server = await startScripted(() => "lost")
    assert.strictEqual(await codeOf(server.client({ attempts: 3 }).requoteApplication("one")), "NETWORK_ERROR")
    assert.strictEqual(server.received.length, 3)
  })

  it("waits for Retry-After before it is repeated", async () => {
    await using server = await startScripted(inOrder(refusal(429, "RATE_LIMITED", { "retry-after": "1" })))
    await server.client().requoteApplication("one")
    const [first, second] = server.received.map(({ at }) => at)
    // Both clocks are that of the server, and timers of Node.js can end a millisecond early.
    assert.isAtLeast((second ?? 0) - (first ?? 0), 995)
  })

  it("fails at once if Retry-After is after its deadline", async () => {
    await using server = await startScripted(() => refusal(429, "RATE_LIMITED", { "retry-after": "900" }))
    const error = await server.client().requoteApplication("one").catch((one: unknown) => one)
    assert(error instanceof LastroError)
    assert.deepStrictEqual([error.code, error.status, error.retry_after], ["RATE_LIMITED", 429, 900])
    assert.strictEqual(server.received.length, 1)
  })
})

describe("a change without an idempotency key", () => {
  const patch = { partner: { name: "Loja" } }

  it("is not repeated after a lost connection without a precondition", async () => {
    await using server = await startScripted(inOrder("lost"))
    assert.strictEqual(await codeOf(server.client().updatePartner("one", patch)), "NETWORK_ERROR")
    assert.strictEqual(server.received.length, 1)
  })

  it("is repeated if the server has not executed it", async () => {
    const answers = [refusal(429, "RATE_LIMITED"), refusal(503, "SERVICE_UNAVAILABLE")]
    await using server = await startScripted(inOrder(...answers))
    await server.client().updatePartner("one", patch)
    assert.strictEqual(server.received.length, 3)
  })

  it("is repeated after a lost connection with a precondition", async () => {
    await using server = await startScripted(inOrder("lost"))
    await server.client().updatePartner("one", patch, { ifMatch: "\"1\"" })
    assert.deepStrictEqual(server.received.map(({ headers }) => headers["if-match"]), ["\"1\"", "\"1\""])
  })

  it("has an unknown outcome if the precondition fails after a lost response", async () => {
    await using server = await startScripted(inOrder("lost", refusal(412, "PRECONDITION_FAILED")))
    const call = server.client().updatePartner("one", patch, { ifMatch: "\"1\"" })
    assert.strictEqual(await codeOf(call), "OUTCOME_UNKNOWN")
  })

  it("that deletes a record succeeds if the record is gone after a lost response", async () => {
    await using server = await startScripted(inOrder("lost", refusal(404, "NOT_FOUND")))
    assert.isUndefined(await server.client().deletePartner("one"))
  })

  it("that deletes an unknown record fails", async () => {
    await using server = await startScripted(() => refusal(404, "NOT_FOUND"))
    assert.strictEqual(await codeOf(server.client().deletePartner("one")), "NOT_FOUND")
  })
})

describe("the end of a call", () => {
  it("is the reason of its signal, also between two attempts", async () => {
    const controller = new AbortController()
    const reason = new Error("The page was closed.")
    await using server = await startScripted(() => {
      // The answer arrives first, so the call then waits for Retry-After.
      setTimeout(() => controller.abort(reason), 200)
      return refusal(429, "RATE_LIMITED", { "retry-after": "30" })
    })
    const call = server.client().getPartner("one", { signal: controller.signal })
    assert.strictEqual(await call.catch((error: unknown) => error), reason)
    assert.strictEqual(server.received.length, 1)
    const late = server.client().getPartner("one", { signal: controller.signal })
    assert.strictEqual(await late.catch((error: unknown) => error), reason)
    assert.strictEqual(server.received.length, 1)
  })

  it("is the reason of its signal during an attempt and during a sign-in, and other calls go on", async () => {
    const reason = new Error("Enough.")
    const controllers = [new AbortController(), new AbortController()] as const
    let release: (answer: Answer) => void = () => undefined
    const held = new Promise<Answer>((resolve) => {
      release = resolve
    })
    await using server = await startScripted(({ path }) => {
      if (!path.endsWith("/held")) return [200, {}]
      controllers[1].abort(reason)
      return new Promise<Answer>(() => undefined)
    }, () => {
      controllers[0].abort(reason)
      return held
    })
    const client = server.client()
    const cancelled = client.getPartner("one", { signal: controllers[0].signal }).catch((error: unknown) => error)
    const other = client.getPartner("two")
    assert.strictEqual(await cancelled, reason)
    release([200, { access_token: "token", token_type: "Bearer", expires_in: 900 }])
    assert.deepStrictEqual(await other, {} as never)
    const during = client.getPartner("held", { signal: controllers[1].signal })
    assert.strictEqual(await during.catch((error: unknown) => error), reason)
    assert.strictEqual(server.tokens.length, 1)
  })

  it("comes after its timeout if the server does not answer", async () => {
    await using server = await startScripted(() => new Promise<Answer>(() => undefined))
    assert.strictEqual(await codeOf(server.client().getPartner("one", { timeout: 200 })), "TIMEOUT")
    assert.isAtMost(server.received.length, 1)
  })

  it("comes after its timeout if a function returns no access token", async () => {
    const client = new LastroClient({ url: "http://127.0.0.1:1", token: () => new Promise<string>(() => undefined) })
    assert.strictEqual(await codeOf(client.getPartner("one", { timeout: 200 })), "TIMEOUT")
  })

  it("is an error for a response that is not JSON, and for a redirect", async () => {
    await using server = await startScripted(({ path }) =>
      path.endsWith("/moved") ? [302, "", { location: "/elsewhere" }] : [200, "<html>", {}]
    )
    const client = server.client({ attempts: 1 })
    assert.strictEqual(await codeOf(client.getPartner("page")), "UNEXPECTED_RESPONSE")
    assert.strictEqual(await codeOf(client.getPartner("moved")), "UNEXPECTED_RESPONSE")
  })
})

describe("a request that cannot be sent", () => {
  // Programs in JavaScript can pass anything.
  const noIds = ["", ".", "..", undefined, null, {}] as ReadonlyArray<string>
  it.each(noIds)("because the id is %j rejects, and sends nothing", async (id) => {
    await using server = await startScripted(() => [200, {}])
    assert.include(await codeOf(server.client().getPartner(id)), "is not an id")
    assert.include(await codeOf(server.client().acceptOffer("one", id, { terms_accepted: true })), "is not an id")
    assert.lengthOf([...server.received, ...server.tokens], 0)
    await server.client().getPartner("../users")
    assert.match(String(server.received[0]?.path), /\/partners\/\.\.%2Fusers$/)
  })

  const token = () => Promise.resolve("token")
  const throwing = () => {
    throw new Error("no network")
  }
  it.each<readonly [string, string, () => PromiseLike<unknown>]>([
    ["a URL that is invalid", "TypeError", () => new LastroClient({ url: "nowhere", token }).getPartner("one")],
    [
      "a body that is not JSON",
      "TypeError",
      () =>
        new LastroClient({ url: "http://127.0.0.1:1", token }).requoteApplication("one", {
          max_installments: 1n as never
        })
    ],
    [
      "a `fetch` that throws",
      "NETWORK_ERROR",
      () => new LastroClient({ url: "http://127.0.0.1:1", token, attempts: 1, fetch: throwing }).getPartner("one")
    ]
  ])("because of %s leaves no timer, so that the process can exit", async (_, code, call) => {
    const started = vi.spyOn(globalThis, "setTimeout")
    const stopped = vi.spyOn(globalThis, "clearTimeout")
    try {
      assert.include(await codeOf(call()), code)
      assert.includeMembers(stopped.mock.calls.map(([timer]) => timer), started.mock.results.map(({ value }) => value))
    } finally {
      started.mockRestore()
      stopped.mockRestore()
    }
  })
})

describe("an access token", () => {
  const tokenFor = (seconds: number) => (_: Received, count: number): Answer => [
    200,
    { access_token: `token-${count}`, token_type: "Bearer", expires_in: seconds }
  ]

  it("is that of the credentials that are present, whatever others are undefined", async () => {
    await using server = await startScripted(() => [200, {}], tokenFor(900))
    const absent = { token: undefined, email: undefined, password: undefined }
    await server.client(absent as never).getPartner("one")
    assert.include(String(server.tokens[0]?.body), "client_credentials")
  })

  it("is used for calls until it is about to end", async () => {
    await using server = await startScripted(() => [200, {}], tokenFor(900))
    const client = server.client()
    for (const id of ["one", "two", "three"]) await client.getPartner(id)
    assert.deepStrictEqual(server.received.map(({ headers }) => headers.authorization), Array(3).fill("Bearer token-1"))
  })

  it("is renewed before its end", async () => {
    await using server = await startScripted(() => [200, {}], tokenFor(0))
    const client = server.client()
    for (const id of ["one", "two"]) await client.getPartner(id)
    assert.deepStrictEqual(server.received.map(({ headers }) => headers.authorization), [
      "Bearer token-1",
      "Bearer token-2"
    ])
  })

  it("is renewed once after a 401, and a second 401 is the end", async () => {
    await using server = await startScripted(() => refusal(401, "UNAUTHENTICATED"))
    assert.strictEqual(await codeOf(server.client().getPartner("one")), "UNAUTHENTICATED")
    assert.deepStrictEqual(server.received.map(({ headers }) => headers.authorization), [
      "Bearer token-1",
      "Bearer token-2"
    ])
  })

  it("is requested again after a failure", async () => {
    const answers: ReadonlyArray<Answer> = ["lost", [503, { error: "temporarily_unavailable" }]]
    await using server = await startScripted(
      () => [200, {}],
      (request, count) => answers[count - 1] ?? tokenFor(900)(request, count)
    )
    await server.client().getPartner("one")
    assert.strictEqual(server.tokens.length, 3)
  })
})

describe("the delay before a retry", () => {
  it("is a random part of an exponential backoff with a maximum", () => {
    const delays = [1, 2, 3, 4, 5, 6, 7].map((attempt) => retryDelay(attempt, null, 1))
    assert.deepStrictEqual(delays, [250, 500, 1_000, 2_000, 4_000, 8_000, 8_000])
    assert.strictEqual(retryDelay(3, null, 0), 0)
    assert.strictEqual(retryDelay(3, 2, 0.5), 2_500)
  })

  it("reads Retry-After in seconds and as a date", () => {
    const now = Date.parse("2026-01-31T12:00:00Z")
    assert.strictEqual(parseRetryAfter("7", now), 7)
    assert.strictEqual(parseRetryAfter("Sat, 31 Jan 2026 12:01:00 GMT", now), 60)
    assert.strictEqual(parseRetryAfter("Sat, 31 Jan 2026 11:00:00 GMT", now), 0)
    for (const header of ["soon", "soon 1", "1.5", "-1", "2026-02-01", "", null]) {
      assert.isNull(parseRetryAfter(header, now))
    }
  })
})
