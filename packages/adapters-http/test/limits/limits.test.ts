import { assert, describe, it } from "@effect/vitest"
import { NodeAlarms } from "@lastro/domain/adapters"
import { setPartnerStatus } from "@lastro/domain/operator"
import { storeRootPartner } from "@lastro/testkit"
import { type Duration, Effect } from "effect"
import { IpNetwork } from "effect/net"
import { TestClock } from "effect/testing"
import { at, codeOf } from "../client.ts"
import { givenCaller } from "../given.ts"
import { Server, withServer } from "../harness.ts"

const token = { form: { grant_type: "nonsense" } }

describe("rate limits", () => {
  it.effect("limits each caller by a bucket of its own: a burst, then a rate", () =>
    withServer(
      Effect.gen(function*() {
        const server = yield* Server
        const root = yield* storeRootPartner()
        const mine = yield* givenCaller(root)
        const theirs = yield* givenCaller(root)
        const ask = (one: string) => server.send("/api/v1/groups", { token: one })
        for (const remaining of [4, 3, 2, 1, 0]) {
          const reply = yield* ask(mine.token)
          assert.strictEqual(reply.status, 200)
          assert.strictEqual(reply.headers.get("ratelimit-policy"), "\"caller\";q=5;w=3")
          assert.match(reply.headers.get("ratelimit") ?? "", new RegExp(`^"caller";r=${remaining};t=[1-3]$`))
        }
        const refused = yield* ask(mine.token)
        assert.deepStrictEqual([refused.status, codeOf(refused)], [429, "RATE_LIMITED"])
        assert.strictEqual(refused.headers.get("retry-after"), "1")
        assert.strictEqual(refused.headers.get("ratelimit"), "\"caller\";r=0;t=1")
        assert.strictEqual((yield* ask(theirs.token)).status, 200)
        yield* TestClock.adjust("1 second")
        assert.deepStrictEqual(
          [(yield* ask(mine.token)).status, (yield* ask(mine.token)).status, (yield* ask(mine.token)).status],
          [200, 200, 429]
        )
        yield* TestClock.adjust("1 minute")
        for (let count = 0; count < 5; count++) assert.strictEqual((yield* ask(mine.token)).status, 200)
        assert.strictEqual((yield* ask(mine.token)).status, 429, "a bucket never holds more than its burst")
      }),
      { callerLimit: { rate: 2, burst: 5 } }
    ))

  it.effect("T08 a token that is no longer valid does not show the quota of its caller", () =>
    withServer(
      Effect.gen(function*() {
        const server = yield* Server
        const root = yield* storeRootPartner()
        const { token } = yield* givenCaller(root)
        const asked = [
          server.send("/api/v1/groups", { token }),
          server.send("/api/v1/partners", { token, method: "POST", body: "{}" })
        ]
        for (const ask of asked) assert.isNotNull((yield* ask).headers.get("ratelimit"))
        yield* setPartnerStatus(root.partner_id, "inactive")
        for (const ask of asked) {
          const reply = yield* ask
          assert.strictEqual(reply.status, 401)
          assert.isNull(reply.headers.get("ratelimit"))
        }
      }),
      { callerLimit: { rate: 5, burst: 50 } }
    ))

  it.effect("unauthenticated requests use no caller's bucket", () =>
    withServer(
      Effect.gen(function*() {
        const server = yield* Server
        const { token } = yield* givenCaller(yield* storeRootPartner())
        for (let count = 0; count < 5; count++) {
          const reply = yield* server.send("/api/v1/groups", { token: "nobody" })
          assert.strictEqual(reply.status, 401)
          assert.isNull(reply.headers.get("ratelimit"))
        }
        assert.strictEqual((yield* server.send("/api/v1/groups", { token })).status, 200)
      }),
      { callerLimit: { rate: 1, burst: 1 } }
    ))

  it.effect("T36 limits token operations by address, with OAuth 2 errors", () =>
    withServer(
      Effect.gen(function*() {
        const server = yield* Server
        const statuses = []
        for (let count = 0; count < 4; count++) statuses.push((yield* server.send("/api/v1/oauth/token", token)).status)
        assert.deepStrictEqual(statuses, [400, 400, 400, 429])
        const refused = yield* server.send("/api/v1/oauth/revoke", { form: { token: "x" } })
        assert.deepStrictEqual([refused.status, at(refused, "error")], [429, "temporarily_unavailable"])
        assert.strictEqual(refused.headers.get("retry-after"), "1")
        assert.match(refused.headers.get("ratelimit-policy") ?? "", /^"token";q=3;/)
        const elsewhere = yield* server.send("/api/v1/oauth/token", {
          ...token,
          headers: { "x-forwarded-for": "198.51.100.1" }
        })
        assert.strictEqual(elsewhere.status, 429, "nobody is believed where no proxy is trusted")
      }),
      { tokenLimit: { rate: 1, burst: 3 } }
    ))

  const warnings = (logs: ReadonlyArray<string>) => logs.filter((line) => line.includes("X-Forwarded-For"))

  it.effect("NODE-01 logs once that X-Forwarded-For of an untrusted peer is ignored, and raises an alarm for a day", () =>
    withServer(
      Effect.gen(function*() {
        const server = yield* Server
        yield* server.send("/health/live")
        assert.isEmpty(warnings(server.logs)) // The alarms belong to the process, and an earlier test may have raised one.
        ;(yield* NodeAlarms).clear()
        assert.isUndefined(at(yield* server.send("/health/ready"), "alarms"))
        for (const path of ["/health/live", "/api/v1/groups", "/nowhere", "/api/v1/oauth/token"]) {
          yield* server.send(path, { headers: { "x-forwarded-for": "198.51.100.1" } })
        }
        assert.lengthOf(warnings(server.logs), 1)
        const { level, message } = JSON.parse(warnings(server.logs)[0]!) as Record<string, unknown>
        assert.strictEqual(level, "WARN")
        assert.include(String(message), "LASTRO_TRUSTED_PROXIES")
        assert.notInclude(warnings(server.logs)[0]!, "198.51.100.1")
        const ready = yield* server.send("/health/ready")
        assert.deepStrictEqual([ready.status, at(ready, "alarms")], [200, ["UNTRUSTED_PROXY"]])
        const alarmsAfter = Effect.fnUntraced(function*(time: Duration.Input) {
          yield* TestClock.adjust(time)
          return at(yield* server.send("/health/ready"), "alarms")
        })
        assert.deepStrictEqual(yield* alarmsAfter("23 hours"), ["UNTRUSTED_PROXY"])
        yield* server.send("/health/live", { headers: { "x-forwarded-for": "198.51.100.1" } })
        assert.deepStrictEqual(yield* alarmsAfter("23 hours"), ["UNTRUSTED_PROXY"])
        assert.isUndefined(yield* alarmsAfter("1 hour"))
      })
    ))

  it.effect("does not warn of X-Forwarded-For from a trusted proxy", () =>
    withServer(
      Effect.gen(function*() {
        const server = yield* Server
        yield* server.send("/health/live", { headers: { "x-forwarded-for": "198.51.100.1:567" } })
        assert.isEmpty(warnings(server.logs))
      }),
      { trustedProxies: [IpNetwork.fromStringUnsafe("127.0.0.0/8")] }
    ))

  it.effect("T36 behind a trusted proxy each client has its own bucket and cannot use another's", () =>
    withServer(
      Effect.gen(function*() {
        const server = yield* Server
        const from = (forwarded: string) =>
          Effect.map(
            server.send("/api/v1/oauth/token", { ...token, headers: { "x-forwarded-for": forwarded } }),
            ({ status }) => status
          )
        assert.strictEqual(yield* from("198.51.100.1"), 400)
        assert.strictEqual(yield* from("198.51.100.1"), 429)
        assert.strictEqual(yield* from("198.51.100.2"), 400)
        assert.strictEqual(
          yield* from("198.51.100.9, 198.51.100.2"),
          429,
          "what the client itself claims counts nothing"
        )
        assert.strictEqual(yield* from("2001:db8::1"), 400)
        assert.strictEqual(yield* from("2001:db8::2"), 429, "one subscriber has a whole network")
      }),
      { tokenLimit: { rate: 1, burst: 1 }, trustedProxies: [IpNetwork.fromStringUnsafe("127.0.0.0/8")] }
    ))
})
