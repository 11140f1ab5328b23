import { assert, describe, it } from "@effect/vitest"
import { layerHttpLender } from "@lastro/adapters-http"
import { CallbackRefused, Lender, type LenderCallback } from "@lastro/domain/lender"
import { DurableWork } from "@lastro/domain/origination"
import { addMillis, currentTimestamp, millisOf } from "@lastro/domain/values"
import {
  aCustomer,
  exampleInstant,
  pending,
  PendingWork,
  ScriptedLender,
  storeApplication,
  storeRootPartner
} from "@lastro/testkit"
import { exampleCallbackSecret, recordingLenderServer, signedCallback } from "@lastro/testkit/lender-server"
import { Effect, Layer, Redacted } from "effect"
import { codeOf } from "../client.ts"
import { Server, type TestOptions, withServer } from "../harness.ts"

/** A lender whose callbacks are authenticated by a secret, and have the id of a quote as their body. Records the callbacks. */
const recordingLender = () => {
  const received: Array<LenderCallback> = []
  const instead = Layer.effect(
    Lender,
    Effect.map(Lender, (scripted) =>
      Lender.of({
        ...scripted,
        callback: (callback) => {
          received.push(callback)
          const quote_id = new TextDecoder().decode(callback.body)
          return callback.headers["x-secret"] === "secret"
            ? Effect.succeed([{ kind: "quote", quote_id: quote_id as never }])
            : Effect.fail(new CallbackRefused({ detail: "wrong secret" }))
        }
      }))
  )
  return { received, options: { instead } satisfies TestOptions }
}

const path = "/api/v1/lender-callbacks/scripted"
const headers = { "x-secret": "secret" }

describe("receiveLenderCallback", () => {
  it.effect("JOB-06 passes the request to the lender byte by byte, with any media type, and answers 204", () => {
    const { options, received } = recordingLender()
    return withServer(
      Effect.gen(function*() {
        const server = yield* Server
        const body = new Uint8Array([0, 255, 128, 10])
        for (const type of ["application/json", "text/plain; charset=latin1", undefined]) {
          const reply = yield* server.send(`${path}?event=1`, {
            body,
            headers: { ...headers, ...(type === undefined ? {} : { "content-type": type }) }
          })
          assert.strictEqual(reply.status, 204)
          assert.strictEqual(reply.text, "")
        }
        assert.strictEqual(received.length, 3)
        for (const callback of received) {
          assert.deepStrictEqual(Array.from(callback.body), Array.from(body))
          assert.deepInclude(callback, { method: "POST", path: `${path}?event=1` })
          assert.strictEqual(callback.headers["x-secret"], "secret")
        }
        assert.strictEqual(received[0]?.headers["content-type"], "application/json")
      }),
      options
    )
  })

  it.effect("JOB-06 makes the job due that an authentic callback names, and no other callback does", () => {
    const { options } = recordingLender()
    return withServer(
      Effect.gen(function*() {
        const server = yield* Server
        const work = yield* PendingWork
        const at = yield* currentTimestamp
        const application = yield* storeApplication(yield* storeRootPartner(), { at })
        const [{ quote_id }] = application.quotes
        const look_at = addMillis(at, 3_600_000)
        yield* (yield* ScriptedLender).setQuoteAnswers(pending("state", { look_at }))
        yield* (yield* DurableWork).startQuote(quote_id)
        yield* work.finish
        const forged = yield* server.send(path, { body: quote_id, headers: { "x-secret": "guess" } })
        assert.strictEqual(forged.status, 401)
        assert.strictEqual(codeOf(forged), "CALLBACK_REFUSED")
        assert.isNotNull(forged.headers.get("www-authenticate"))
        const other = yield* server.send("/api/v1/lender-callbacks/another", { body: quote_id, headers })
        assert.strictEqual(other.status, 404)
        assert.strictEqual((yield* server.send(path, { body: "unknown", headers })).status, 204)
        assert.strictEqual((yield* server.send(path, { method: "POST", headers })).status, 204)
        assert.deepStrictEqual(yield* work.pending, [])
        assert.strictEqual((yield* server.send(path, { body: quote_id, headers })).status, 204)
        assert.deepStrictEqual((yield* work.pending).map(({ id }) => id), [quote_id])
      }),
      options
    )
  })

  it.effect("JOB-06 a callback of the lender protocol is signed: forged and old ones are refused, replays change nothing", () =>
    Effect.scoped(Effect.gen(function*() {
      const at_ms = millisOf(exampleInstant)
      const { url } = yield* recordingLenderServer({ now: () => at_ms })
      const callbackSecret = Redacted.make(exampleCallbackSecret)
      const test = Effect.gen(function*() {
        const server = yield* Server
        const work = yield* PendingWork
        const customer = yield* aCustomer().withSandboxOutcome("AWAITING_CALLBACK")
        const application = yield* storeApplication(yield* storeRootPartner(), { at: exampleInstant, customer })
        const [{ quote_id }] = application.quotes
        yield* (yield* DurableWork).startQuote(quote_id)
        yield* work.finish
        assert.deepStrictEqual(yield* work.pending, [], "the lender has answered PENDING")
        const send = ({ body, headers }: LenderCallback, name = "http") =>
          server.send(`/api/v1/lender-callbacks/${name}`, { body: new Uint8Array(body), headers })
        const sound = signedCallback(exampleCallbackSecret, { quote_id, callback_key: null }, { at_ms })
        const otherSecret = `whsec_${Buffer.from("another secret of 24 to 64 bytes").toString("base64")}`
        const refused = {
          "another secret": signedCallback(otherSecret, { quote_id }, { at_ms }),
          "too old": signedCallback(exampleCallbackSecret, { quote_id }, { at_ms: at_ms - 6 * 60_000 }),
          "another body": { ...sound, body: new TextEncoder().encode(JSON.stringify({ quote_id, more: 1 })) },
          "no signature": { ...sound, headers: { "content-type": "application/json" } }
        }
        for (const [name, callback] of Object.entries(refused)) {
          const reply = yield* send(callback)
          assert.deepStrictEqual([reply.status, codeOf(reply)], [401, "CALLBACK_REFUSED"], name)
        }
        assert.strictEqual((yield* send(sound, "unknown")).status, 404)
        const unknown = signedCallback(exampleCallbackSecret, { reference: "unknown" }, { at_ms })
        assert.strictEqual((yield* send(unknown)).status, 204)
        assert.deepStrictEqual(yield* work.pending, [])
        assert.strictEqual((yield* send(sound)).status, 204)
        assert.deepStrictEqual((yield* work.pending).map(({ id }) => id), [quote_id])
        assert.strictEqual((yield* send(sound)).status, 204)
        assert.deepStrictEqual((yield* work.pending).map(({ id }) => id), [quote_id])
      })
      yield* withServer(test, { lender: Layer.orDie(layerHttpLender({ url, callbackSecret })) })
    })))

  it.effect("limits the body, the rate of a client address, and the methods", () => {
    const { options } = recordingLender()
    return withServer(
      Effect.gen(function*() {
        const server = yield* Server
        const large = yield* server.send(path, { body: new Uint8Array(300 * 1024), headers })
        assert.strictEqual(large.status, 413)
        assert.strictEqual((yield* server.send(path)).status, 405)
        assert.strictEqual((yield* server.send(path, { body: "one", headers })).status, 204)
        const limited = yield* server.send(path, { body: "two", headers })
        assert.strictEqual(limited.status, 429)
        assert.match(limited.headers.get("ratelimit-policy") ?? "", /^"callback"/)
      }),
      { ...options, callerLimit: { rate: 1, burst: 2 } }
    )
  })
})
