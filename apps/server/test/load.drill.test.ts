import { assert, layer } from "@effect/vitest"
import { completeCnpj } from "@lastro/domain/values"
import { Context, Effect, Fiber, Layer } from "effect"
import { ask, at, logIn, patiently, signIn, tokenOf } from "./running/asking.ts"
import { residentMemory } from "./running/machine.ts"
import { openConnection } from "./running/raw.ts"
import { type RunningServer, startServer } from "./running/serving.ts"

class Embedded extends Context.Service<Embedded, RunningServer>()("@lastro/server/test/load/Embedded") {}

const parallel = { concurrency: "unbounded" } as const

const times = <A>(count: number, make: (index: number) => A): ReadonlyArray<A> =>
  Array.from({ length: count }, (_, index) => make(index))

const partner = (index: number) => ({
  partner: {
    type: "pj",
    name: `Partner ${index}`,
    email: `partner${index}@example.com`,
    phone: "11987654321",
    document_number: completeCnpj(`LOAD${String(index).padStart(8, "0")}`)
  }
})

/** Asserts that every log line is valid JSON. */
const assertValidLog = ({ out }: RunningServer): void => {
  for (const line of out().trimEnd().split("\n")) assert.doesNotThrow(() => JSON.parse(line) as unknown, line)
}

layer(Layer.effect(Embedded, Effect.map(startServer({ LASTRO_DEMO: "off" }), Embedded.of)), {
  timeout: 60_000,
  excludeTestServices: true
})(
  "a server on the embedded database",
  (it) => {
    it.effect("T37 answers health checks and limits its memory during 50 concurrent password checks", () =>
      Effect.gen(function*() {
        const server = yield* Embedded
        const before = yield* residentMemory(server.pid)
        const health: Array<number> = []
        const isOver = () => health.length >= 20
        const statuses = new Set<number>()
        let users = 0
        const logInAsNobody = Effect.suspend(() => logIn(server, `nobody${users++}@example.com`, "not the password"))
        const keepLoggingIn = Effect.repeat(Effect.map(logInAsNobody, ({ status }) => void statuses.add(status)), {
          until: isOver
        })
        const logins = yield* Effect.forkChild(Effect.replicateEffect(keepLoggingIn, 50, parallel))
        let most = before
        while (logins.pollUnsafe() === undefined) {
          health.push((yield* ask(server, "/health/live")).status)
          most = Math.max(most, yield* residentMemory(server.pid))
          yield* Effect.sleep("10 millis")
        }
        yield* Fiber.join(logins)
        // On a slow machine, the last password checks would wait too long, and are refused (503).
        assert.isTrue(statuses.has(400))
        assert.includeMembers([400, 503], Array.from(statuses))
        assert.deepStrictEqual(new Set(health), new Set([200]))
        // All at once they would take 64 MiB each.
        assert.isBelow(most - before, 25 * 64 * 1_024 * 1_024)
      }))

    it.effect("T56 finishes 20 concurrent transactions and 20 concurrent reads", () =>
      Effect.gen(function*() {
        const server = yield* Embedded
        const token = tokenOf(yield* signIn(server))
        // On a slow machine, the last requests would wait too long, and are refused at first.
        const list = patiently(ask(server, "/api/v1/partners?size=1", { token }))
        const before = Number(at(yield* list, "page", "total_elements"))
        const made = times(20, (index) => patiently(ask(server, "/api/v1/partners", { token, json: partner(index) })))
        const replies = yield* Effect.all([...made, ...times(20, () => list)], parallel)
        assert.deepStrictEqual(
          replies.map(({ status }) => status),
          [...times(20, () => 201), ...times(20, () => 200)]
        )
        assert.strictEqual(at(yield* list, "page", "total_elements"), before + 20)
      }))

    it.effect("T30 answers a body of 10 MB, declared or not, with 413 instead of a connection reset", () =>
      Effect.gen(function*() {
        const server = yield* Embedded
        const token = tokenOf(yield* signIn(server))
        const declared = yield* ask(server, "/api/v1/partners", { token, body: "x".repeat(10_000_000) })
        assert.deepStrictEqual([declared.status, at(declared, "error", "code")], [413, "PAYLOAD_TOO_LARGE"])

        const chunk = `186a0\r\n${"x".repeat(100_000)}\r\n`
        const connection = yield* openConnection(server.port)
        connection.write(
          `POST /api/v1/partners HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAuthorization: Bearer ${token}\r\n` +
            "Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n"
        )
        for (let sent = 0; sent < 100; sent++) connection.write(chunk)
        connection.write("0\r\n\r\n")
        const answer = yield* connection.closed
        assert.match(answer, /^HTTP\/1\.1 413 /)
        assert.include(answer, "PAYLOAD_TOO_LARGE")
      }))

    it.effect("T32 refuses too large or malformed headers and URLs, and the log stays valid", () =>
      Effect.gen(function*() {
        const server = yield* Embedded
        const answerTo = (request: string) =>
          Effect.scoped(Effect.flatMap(openConnection(server.port), (connection) => {
            connection.write(request)
            return Effect.map(connection.closed, (answer) => answer.split("\r\n")[0])
          }))
        const get = (path: string, headers = "") =>
          answerTo(`GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${headers}\r\n`)
        const large = "HTTP/1.1 431 Request Header Fields Too Large"
        const broken = "HTTP/1.1 400 Bad Request"
        assert.strictEqual(yield* get("/health/live", `X-Large: ${"x".repeat(100_000)}\r\n`), large)
        assert.strictEqual(yield* get("/health/live", "X-Many: 1\r\n".repeat(3_000)), large)
        assert.strictEqual(yield* get(`/${"x".repeat(1_000_000)}`), large)
        assert.strictEqual(yield* get("/health/live", "X-Request-Id: a\nb: {\"level\":\"INFO\"}\r\n"), broken)
        assert.strictEqual(yield* get("/health/live", "X-Request-Id: a\rforged\r\n"), broken)
        assert.strictEqual(yield* get("/health/live", "X-Request-Id: a\u0000b\r\n"), broken)
        assert.strictEqual((yield* ask(server, "/health/live")).status, 200)
        assertValidLog(server)
      }))
  }
)
