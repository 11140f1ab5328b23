import { assert, describe, it } from "@effect/vitest"
import { StatusWatch } from "@lastro/domain/origination"
import { refusing, ScriptedLender, storeForest, storeRootPartner } from "@lastro/testkit"
import { Effect, Fiber, Layer, MutableRef } from "effect"
import { TestClock } from "effect/testing"
import { entityTag } from "../../src/pipeline/conditionalHeaders.ts"
import { at, codeOf, problemsOf, type Reply } from "../client.ts"
import { givenCaller, givenClient, tokenFor } from "../given.ts"
import { Server, withServer } from "../harness.ts"
import { finish, givenOpened, givenVoice, offersOf } from "../origination.ts"

/** Waits until this many long polls are held. */
type Until = (expected: number) => Effect.Effect<void>

/** Runs a test against its own server, which counts held long polls. */
const holding = <A, E, R>(test: (until: Until) => Effect.Effect<A, E, R>) => {
  const waiting = MutableRef.make(0)
  const step = (by: number) => Effect.sync(() => MutableRef.update(waiting, (count) => count + by))
  const pause = TestClock.withLive(Effect.sleep("10 millis"))
  const until = Effect.fnUntraced(function*(expected: number) {
    do yield* pause
    while (MutableRef.get(waiting) !== expected)
  })
  const instead = Layer.effect(
    StatusWatch,
    Effect.map(StatusWatch, (watch) =>
      StatusWatch.of({
        ...watch,
        wait: (waiter) => Effect.acquireUseRelease(step(1), () => watch.wait(waiter), () => step(-1))
      }))
  )
  return withServer(test(until), { instead })
}

const arrange = Effect.gen(function*() {
  const root = yield* storeRootPartner()
  const voice = yield* givenVoice(root)
  const { id, kyc } = yield* givenOpened(voice)
  const known = Effect.map(voice.status(id), ({ headers }) => ({
    headers: { "if-none-match": String(headers.get("etag")) }
  }))
  return { root, voice, id, kyc, known }
})

const seen = (reply: Reply) => [reply.status, at(reply, "status"), reply.headers.get("retry-after")]

describe("status of an application", () => {
  it.effect("holds the status, and Retry-After while the next action is WAIT", () =>
    withServer(Effect.gen(function*() {
      const { id, known, kyc, voice } = yield* arrange
      assert.deepStrictEqual(seen(yield* voice.status(id)), [200, "QUOTING", "1"])
      assert.deepStrictEqual(seen(yield* voice.status(id, "", yield* known)), [304, undefined, "1"])
      yield* finish
      const quoted = yield* voice.status(id)
      assert.deepStrictEqual(quoted.body, {
        application_id: id,
        status: "QUOTED",
        quote_status: "COMPLETED",
        kyc_complete: false,
        next_action: "SUBMIT_KYC",
        retry_at: null,
        proposal_id: null,
        signature_url: null,
        version: 2,
        updated_at: "2026-01-31T12:00:00.000Z"
      })
      assert.isNull(quoted.headers.get("retry-after"))
      assert.deepStrictEqual(seen(yield* voice.status(id, "", yield* known)), [304, undefined, null])
      yield* voice.submit(id, kyc)
      const complete = yield* voice.status(id)
      assert.deepInclude(Object(complete.body), { kyc_complete: true, next_action: "ACCEPT_OFFER", version: 3 })
      const head = yield* voice.status(id, "?wait=0", { method: "HEAD" })
      assert.deepStrictEqual([head.status, head.text, head.headers.get("etag")], [
        200,
        "",
        complete.headers.get("etag")
      ])
    })))

  it.effect("rejects a wait that is not an integer, after existence and hierarchy", () =>
    withServer(Effect.gen(function*() {
      const { id, voice } = yield* arrange
      const stranger = yield* givenVoice(yield* storeRootPartner())
      for (const wait of ["x", "1.5", "1e1", " 1", "+1", "%ff"]) {
        const refused = yield* voice.status(id, `?wait=${wait}`)
        const code = wait === "%ff" ? "INVALID_FORMAT" : "INVALID_TYPE"
        assert.deepStrictEqual([refused.status, ...problemsOf(refused)], [422, `query.wait ${code}`], wait)
        assert.strictEqual(codeOf(yield* voice.status("nonsense", `?wait=${wait}`)), "NOT_FOUND")
        assert.strictEqual(codeOf(yield* stranger.status(id, `?wait=${wait}`)), "OUTSIDE_HIERARCHY")
      }
      for (const wait of ["", "0", "-5"]) {
        assert.deepStrictEqual(seen(yield* voice.status(id, `?wait=${wait}`)), [200, "QUOTING", "1"], wait)
      }
    })))

  it.effect("is held until the status changes, and then answered at once", () =>
    holding((until) =>
      Effect.gen(function*() {
        const { id, known, voice } = yield* arrange
        const tag = yield* known
        const held = [
          yield* Effect.forkChild(voice.status(id, "?wait=30")),
          yield* Effect.forkChild(voice.status(id, "?wait=30", tag)),
          yield* Effect.forkChild(voice.status(id, "?wait=30", { method: "HEAD" }))
        ]
        yield* until(3)
        yield* finish
        const [plain, conditional, head] = yield* Effect.forEach(held, Fiber.join)
        const now = yield* voice.status(id)
        assert.deepStrictEqual([plain!.status, plain!.text], [200, now.text])
        assert.deepStrictEqual([conditional!.status, conditional!.text], [200, now.text])
        assert.deepStrictEqual([head!.status, head!.headers.get("etag")], [200, now.headers.get("etag")])
        const late = yield* voice.status(id, "?wait=30", tag)
        assert.deepStrictEqual(seen(late), [200, "QUOTED", null], "the If-None-Match of the caller is outdated")
      })
    ))

  it.effect("is answered at once after a cancellation, and after its confirmation", () =>
    holding((until) =>
      Effect.gen(function*() {
        const { id, known, kyc, voice } = yield* arrange
        yield* finish
        yield* voice.submit(id, kyc)
        yield* voice.accept(id, offersOf(yield* voice.read(id))[0] ?? "")
        yield* finish
        const awakened = Effect.fnUntraced(function*<E, R>(change: Effect.Effect<unknown, E, R>) {
          const held = yield* Effect.forkChild(voice.status(id, "?wait=30", yield* known))
          yield* until(1)
          yield* change
          return seen(yield* Fiber.join(held))
        })
        assert.deepStrictEqual(yield* awakened(voice.cancel(id)), [200, "CONTRACTING", "1"])
        assert.deepStrictEqual(yield* awakened(finish), [200, "CANCELLED", null])
      })
    ))

  it.effect("is answered unchanged after the wait: 304 with a matching If-None-Match, else 200", () =>
    holding((until) =>
      Effect.gen(function*() {
        const { id, known, voice } = yield* arrange
        const waits = [
          { query: "?wait=2", sent: {}, expected: [200, "QUOTING", "1"] },
          { query: "?wait=2", sent: yield* known, expected: [304, undefined, "1"] },
          { query: "?wait=99999999999999999999", sent: {}, expected: [200, "QUOTING", "1"] }
        ]
        for (const { expected, query, sent } of waits) {
          const held = yield* Effect.forkChild(voice.status(id, query, sent))
          yield* until(1)
          yield* TestClock.adjust(query === "?wait=2" ? "2 seconds" : "30 seconds")
          assert.deepStrictEqual(seen(yield* Fiber.join(held)), expected)
        }
      })
    ))

  it.effect("is answered when offers expire, without any event", () =>
    holding((until) =>
      Effect.gen(function*() {
        const { id, known, voice } = yield* arrange
        yield* finish
        yield* TestClock.adjust("86395 seconds")
        const held = yield* Effect.forkChild(voice.status(id, "?wait=30", yield* known))
        yield* until(1)
        yield* TestClock.adjust("5 seconds")
        const expired = yield* Fiber.join(held)
        assert.deepInclude(Object(expired.body), {
          status: "EXPIRED",
          next_action: "REQUOTE",
          version: 3,
          updated_at: "2026-02-01T12:00:00.000Z"
        })
      })
    ))

  it.effect("without If-None-Match, is held only while the next action is WAIT; with it, in every status", () =>
    holding((until) =>
      Effect.gen(function*() {
        const { id, known, voice } = yield* arrange
        yield* finish
        yield* TestClock.adjust("24 hours")
        const { setQuoteAnswers } = yield* ScriptedLender
        yield* setQuoteAnswers(refusing("NO_BALANCE"))
        yield* voice.requote(id)
        yield* finish
        const untold = yield* voice.status(id, "?wait=30")
        assert.deepStrictEqual(seen(untold), [200, "REJECTED", null])
        assert.deepInclude(Object(untold.body), { next_action: "RETRY_LATER", retry_at: "2026-02-21T03:00:00.000Z" })
        const held = yield* Effect.forkChild(voice.status(id, "?wait=30", yield* known))
        yield* until(1)
        yield* TestClock.adjust("30 seconds")
        assert.deepStrictEqual(seen(yield* Fiber.join(held)), [304, undefined, null])
      })
    ))

  it.effect("names the proposal, and the signature link while the customer must sign; the link is no part of the ETag", () =>
    withServer(Effect.gen(function*() {
      const { id, kyc, voice } = yield* arrange
      yield* finish
      yield* voice.submit(id, kyc)
      const before = yield* voice.status(id)
      assert.deepInclude(Object(before.body), { proposal_id: null, signature_url: null, retry_at: null })
      const { setContractStatus } = yield* ScriptedLender
      yield* setContractStatus("AWAITING_SIGNATURE")
      const accepted = yield* voice.accept(id, offersOf(yield* voice.read(id))[0] ?? "")
      yield* finish
      const signing = yield* voice.status(id)
      const proposal_id = at(accepted, "proposal_id")
      const signature_url = at(yield* voice.proposal(String(proposal_id)), "data", "signature_url")
      assert.match(String(signature_url), /^https:/)
      assert.deepInclude(Object(signing.body), { next_action: "SIGN", proposal_id, signature_url })
      assert.strictEqual(signing.headers.get("etag"), entityTag({ ...Object(signing.body), signature_url: null }))
    })))

  it.effect("limits the long polls of a caller; the next one is refused with 429 and Retry-After", () =>
    holding((until) =>
      Effect.gen(function*() {
        const { id, known, root, voice } = yield* arrange
        const tag = yield* known
        const others = yield* Effect.replicateEffect(givenVoice(root, "viewer"), 4)
        const held = yield* Effect.forEach(
          [voice, ...others].flatMap((one) => Array.from({ length: 20 }, () => one)),
          (one) => Effect.forkChild(one.status(id, "?wait=30", tag))
        )
        yield* until(100)
        for (const sent of [{}, tag]) {
          const refused = yield* voice.status(id, "?wait=30", sent)
          assert.deepStrictEqual([refused.status, codeOf(refused), refused.headers.get("retry-after")], [
            429,
            "RATE_LIMITED",
            "1"
          ])
        }
        const client = yield* givenClient(root)
        const server = yield* Server
        const sent = { token: client.token, ...tag }
        const its = yield* Effect.forkChild(server.send(`/api/v1/fgts/applications/${id}/status?wait=30`, sent))
        yield* until(101)
        yield* finish
        const replies = [...yield* Effect.forEach(held, Fiber.join), yield* Fiber.join(its)]
        assert.deepStrictEqual([...new Set(replies.map(({ text }) => text))], [(yield* voice.status(id)).text])
        yield* until(0)
      })
    ))

  it.effect("a disconnected caller releases its long poll", () =>
    holding((until) =>
      Effect.gen(function*() {
        const { id, voice } = yield* arrange
        const { port } = yield* Server
        const token = yield* tokenFor("user", voice.user.user_id, "operator")
        const leaving = new AbortController()
        const gone = Array.from(
          { length: 20 },
          () =>
            fetch(`http://127.0.0.1:${port}/api/v1/fgts/applications/${id}/status?wait=30`, {
              headers: { authorization: `Bearer ${token}` },
              signal: leaving.signal
            }).catch(() => "gone")
        )
        yield* until(20)
        leaving.abort()
        assert.deepStrictEqual(new Set(yield* Effect.promise(() => Promise.all(gone))), new Set(["gone"]))
        yield* until(0)
        const held = yield* Effect.forkChild(voice.status(id, "?wait=30"))
        yield* until(1)
        yield* finish
        assert.deepStrictEqual(seen(yield* Fiber.join(held)), [200, "QUOTED", null])
      })
    ))

  it.effect("a stopping server releases every long poll and holds no more", () =>
    holding((until) =>
      Effect.gen(function*() {
        const { id, known, voice } = yield* arrange
        const tag = yield* known
        const held = [
          yield* Effect.forkChild(voice.status(id, "?wait=30")),
          yield* Effect.forkChild(voice.status(id, "?wait=30", tag))
        ]
        yield* until(2)
        yield* (yield* StatusWatch).release
        const expected = [[200, "QUOTING", "1"], [304, undefined, "1"]]
        assert.deepStrictEqual((yield* Effect.forEach(held, Fiber.join)).map(seen), expected)
        assert.deepStrictEqual(
          [yield* voice.status(id, "?wait=30"), yield* voice.status(id, "?wait=30", tag)].map(seen),
          expected
        )
      })
    ))

  it.effect("T09 an application that leaves the caller's hierarchy during the wait is OUTSIDE_HIERARCHY", () =>
    holding((until) =>
      Effect.gen(function*() {
        const [root, a, aa, b] = yield* storeForest([null, 0, 1, 0])
        const server = yield* Server
        const voice = yield* givenVoice(a)
        const { id } = yield* givenOpened(voice, { partner_id: aa.partner_id })
        const held = yield* Effect.forkChild(voice.status(id, "?wait=30"))
        yield* until(1)
        const moved = yield* server.send(`/api/v1/partners/${aa.partner_id}`, {
          method: "PATCH",
          token: (yield* givenCaller(root)).token,
          json: { partner: { parent_uuid: b.partner_id } }
        })
        assert.strictEqual(moved.status, 200)
        yield* finish
        assert.strictEqual(codeOf(yield* Fiber.join(held)), "OUTSIDE_HIERARCHY")
      })
    ))

  it.effect("C03 a long poll of a user who is deleted during the wait is refused", () =>
    holding((until) =>
      Effect.gen(function*() {
        const root = yield* storeRootPartner()
        const server = yield* Server
        const admin = yield* givenCaller(root)
        const { id } = yield* givenOpened(yield* givenVoice(root))
        const { token, user } = yield* givenCaller(root, "operator")
        const held = yield* Effect.forkChild(server.send(`/api/v1/fgts/applications/${id}/status?wait=30`, { token }))
        yield* until(1)
        const deleted = yield* server.send(`/api/v1/users/${user.user_id}`, { method: "DELETE", token: admin.token })
        assert.strictEqual(deleted.status, 204)
        yield* finish
        assert.strictEqual((yield* Fiber.join(held)).status, 401)
      })
    ))
})
