import { assert, describe, it } from "@effect/vitest"
import { PartnerRepository } from "@lastro/domain/partner"
import { storeRootPartner } from "@lastro/testkit"
import { Effect, Layer, Metric } from "effect"
import { describeDefect, LogCauses } from "../../src/index.ts"
import { at, codeOf } from "../client.ts"
import { givenCaller } from "../given.ts"
import { Server, withServer } from "../harness.ts"

/** Like a database error: the message quotes the rejected value, the code names the failure. */
class DatabaseFailure extends Error {
  readonly code: string
  readonly isTransient: boolean
  readonly isOutcomeUnknown: boolean
  constructor(code: string) {
    super("duplicate key: (email)=(ana.secret@example.com), cpf 52998224725", {
      cause: new TypeError("cpf 52998224725")
    })
    this.name = "DatabaseFailure"
    this.code = code
    this.isTransient = code === "ECONNREFUSED"
    this.isOutcomeUnknown = code === "COMMIT"
  }
}

const failing = (code: string) =>
  Layer.effect(
    PartnerRepository,
    Effect.map(PartnerRepository, (partners) =>
      PartnerRepository.of({ ...partners, list: () => Effect.die(new DatabaseFailure(code)) }))
  )

/** Returns a list that JSON cannot represent. */
const unencodable = Layer.effect(
  PartnerRepository,
  Effect.map(PartnerRepository, (partners) =>
    PartnerRepository.of({
      ...partners,
      list: (...query) =>
        Effect.map(partners.list(...query), (page) => ({
          ...page,
          items: page.items.map((item) => ({ ...item, name: 1n as never }))
        }))
    }))
)

describe("failures", () => {
  it("T33 describes a failure only by class, code and declared log message", () => {
    class Declared extends Error {
      override readonly name = "Declared"
      readonly logMessage = `ConstraintError, constraint app_user_email_key${" ".repeat(1000)}`
    }
    const { defect } = describeDefect(
      new Error("cpf 52998224725", { cause: new Declared("secret", { cause: new TypeError("secret") }) })
    )
    assert.strictEqual(defect[1]?.length, "Declared: ".length + 300)
    assert.deepStrictEqual(defect.map((line) => line.trim()), [
      "Error",
      "Declared: ConstraintError, constraint app_user_email_key",
      "TypeError"
    ])
  })

  it.effect("T33 answers a defect with 500 without details, and logs it without its message", () =>
    withServer(
      Effect.gen(function*() {
        const server = yield* Server
        const { token } = yield* givenCaller(yield* storeRootPartner())
        const reply = yield* server.send("/api/v1/partners", {
          token,
          headers: { "x-request-id": "0af7651916cd43dd8448eb211c80319c" }
        })
        assert.strictEqual(reply.status, 500)
        assert.deepStrictEqual(reply.body, {
          error: {
            code: "INTERNAL_ERROR",
            message: "An internal error occurred. If it persists, send the request id to support.",
            request_id: "0af7651916cd43dd8448eb211c80319c",
            details: []
          }
        })
        const entries = server.logs.map((line) =>
          JSON.parse(line) as { readonly level: string; readonly annotations: object }
        )
        const failure = entries.find(({ level }) => level === "ERROR")
        assert.deepInclude(failure?.annotations, {
          request_id: "0af7651916cd43dd8448eb211c80319c",
          defect: ["DatabaseFailure 23505", "TypeError"]
        })
        assert.include(JSON.stringify(failure), "failures.test.ts", "where it happened")
        const logged = server.logs.join("\n")
        for (const secret of ["ana.secret", "52998224725", "duplicate"]) assert.notInclude(logged, secret)
      }),
      { instead: failing("23505") }
    ))

  it.effect("answers, logs and counts a response that cannot be encoded as 500", () =>
    withServer(
      Effect.gen(function*() {
        const server = yield* Server
        const { token } = yield* givenCaller(yield* storeRootPartner())
        const count = Effect.fnUntraced(function*(status: string) {
          const found = (yield* Metric.snapshot).find(({ attributes, id }) =>
            id === "http_server_requests_total" && attributes?.["route"] === "/api/v1/partners" &&
            attributes["method"] === "GET" && attributes["status"] === status
          )
          return found?.type === "Counter" ? Number(found.state.count) : 0
        })
        const [succeeded, failed] = [yield* count("200"), yield* count("500")]
        const reply = yield* server.send("/api/v1/partners", { token })
        assert.deepStrictEqual([reply.status, codeOf(reply)], [500, "INTERNAL_ERROR"])
        assert.deepStrictEqual([(yield* count("200")) - succeeded, (yield* count("500")) - failed], [0, 1])
        const entries = server.logs.map((line) => JSON.parse(line))
        assert.isTrue(entries.some(({ level, message }) => level === "ERROR" && message !== "request"))
        const request = entries.find(({ message }) => message === "request")
        assert.strictEqual(request?.annotations.status, 500)
      }),
      { instead: unencodable }
    ))

  it.effect("logs the whole cause of a defect if LogCauses is set", () =>
    withServer(
      Effect.gen(function*() {
        const server = yield* Server
        const { token } = yield* givenCaller(yield* storeRootPartner())
        assert.strictEqual((yield* server.send("/api/v1/partners", { token })).status, 500)
        const logged = server.logs.join("\n")
        for (const part of ["(email)=(ana.secret@example.com)", "failures.test.ts"]) assert.include(logged, part)
      }),
      { instead: Layer.merge(failing("23505"), Layer.succeed(LogCauses, true)) }
    ))

  it.effect("answers an unreachable dependency with 503 and Retry-After", () =>
    withServer(
      Effect.gen(function*() {
        const server = yield* Server
        const { token } = yield* givenCaller(yield* storeRootPartner())
        const reply = yield* server.send("/api/v1/partners", { token })
        assert.strictEqual(reply.status, 503)
        assert.strictEqual(at(reply, "error", "code"), "SERVICE_UNAVAILABLE")
        assert.match(reply.headers.get("retry-after") ?? "", /^[1-9][0-9]*$/)
      }),
      { instead: failing("ECONNREFUSED") }
    ))

  it.effect("answers a lost commit with 503, Retry-After and the remedy, in both languages", () =>
    withServer(
      Effect.gen(function*() {
        const server = yield* Server
        const { token } = yield* givenCaller(yield* storeRootPartner())
        for (
          const [language, remedy] of [["en", "same Idempotency-Key"], ["pt-BR", "mesma Idempotency-Key"]] as const
        ) {
          const reply = yield* server.send("/api/v1/partners", { token, headers: { "accept-language": language } })
          assert.strictEqual(reply.status, 503)
          assert.strictEqual(at(reply, "error", "code"), "OUTCOME_UNKNOWN")
          assert.include(at(reply, "error", "message"), remedy)
          assert.match(reply.headers.get("retry-after") ?? "", /^[1-9][0-9]*$/)
        }
      }),
      { instead: failing("COMMIT") }
    ))

  it.effect("health reports readiness", () =>
    withServer(
      Effect.gen(function*() {
        const server = yield* Server
        assert.deepStrictEqual((yield* server.send("/health/live")).body, { status: "ok" })
        const ready = yield* server.send("/health/ready")
        assert.strictEqual(ready.status, 503)
        assert.strictEqual(at(ready, "error", "code"), "SERVICE_UNAVAILABLE")
      }),
      { ready: Effect.succeed(false) }
    ))
})
