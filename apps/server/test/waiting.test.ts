import { assert, layer } from "@effect/vitest"
import { sandboxCpf } from "@lastro/domain/adapters"
import { Context, Effect, Fiber, Layer } from "effect"
import { migratedDatabase } from "../../../packages/adapters-sql/test/postgres.ts"
import { at, signIn, tokenOf } from "./running/asking.ts"
import { applicationClient, type Desk, idOf, isSettled, kycOf, twentyWaiting } from "./running/desk.ts"
import { serveInProcess } from "./running/inProcess.ts"
import { onPostgres } from "./running/serving.ts"

class Shop extends Context.Service<Shop, Desk>()("@lastro/server/test/waiting.test/Shop") {}

const layerShop = Layer.effect(
  Shop,
  Effect.gen(function*() {
    const server = yield* serveInProcess(onPostgres(yield* migratedDatabase))
    return Shop.of(applicationClient(server, tokenOf(yield* signIn(server))))
  })
)

/** Creates a quoted application and returns its id and the ETag of its status. */
const quoted = Effect.fnUntraced(function*(shop: Desk, digits: string, index = 0) {
  const id = idOf(yield* shop.open(sandboxCpf(digits, index)))
  const status = yield* shop.until(id, isSettled)
  return { id, known: status.headers.get("etag") }
})

/** Long enough for a request to arrive and be held. */
const untilHeld = Effect.sleep("300 millis")

layer(layerShop, { timeout: 60_000, excludeTestServices: true })("a long poll of a status", (it) => {
  it.effect("ends after its wait: 304 with the known ETag, 200 without one", () =>
    Effect.gen(function*() {
      const shop = yield* Shop
      const { id, known } = yield* quoted(shop, "00")
      const began = performance.now()
      const [unchanged, untold] = yield* Effect.all(
        [shop.status(id, { wait: 1, known }), shop.status(id, { wait: 1 })],
        {
          concurrency: 2
        }
      )
      assert.isAtLeast(performance.now() - began, 990)
      assert.deepStrictEqual([unchanged.status, unchanged.text, unchanged.headers.get("etag")], [304, "", known])
      assert.deepStrictEqual([untold.status, untold.headers.get("etag")], [200, known])
    }))

  it.effect("returns at once for an outdated ETag", () =>
    Effect.gen(function*() {
      const shop = yield* Shop
      const { id } = yield* quoted(shop, "00", 1)
      const answer = yield* shop.status(id, { wait: 30, known: "\"older\"" })
      assert.deepStrictEqual([answer.status, at(answer, "next_action")], [200, "SUBMIT_KYC"])
    }))

  it.effect("ends when another request changes the status", () =>
    Effect.gen(function*() {
      const shop = yield* Shop
      const { id, known } = yield* quoted(shop, "00", 2)
      const waiting = yield* Effect.forkChild(shop.status(id, { wait: 30, known }))
      yield* untilHeld
      yield* shop.submitKyc(id, kycOf(sandboxCpf("00", 2)))
      const answer = yield* Fiber.join(waiting)
      assert.deepStrictEqual([answer.status, at(answer, "next_action")], [200, "ACCEPT_OFFER"])
    }))

  it.effect("ends when the offers expire, although no event is recorded", () =>
    Effect.gen(function*() {
      const shop = yield* Shop
      const id = idOf(yield* shop.open(sandboxCpf("85")))
      let known = yield* shop.until(id, isSettled)
      // Its offers last two seconds, so a slow machine may need another quote.
      while (at(known, "status") !== "QUOTED") {
        yield* shop.requote(id)
        known = yield* shop.until(id, isSettled)
      }
      const answer = yield* shop.status(id, { wait: 30, known: known.headers.get("etag") })
      assert.deepStrictEqual([answer.status, at(answer, "status"), at(answer, "next_action")], [
        200,
        "EXPIRED",
        "REQUOTE"
      ])
      assert.isAbove(Number(at(answer, "version")), Number(at(known, "version")))
      const still = yield* shop.status(id, { wait: 1, known: answer.headers.get("etag") })
      assert.strictEqual(still.status, 304)
    }))

  it.effect("returns at once without an ETag, unless the next action is WAIT", () =>
    Effect.gen(function*() {
      const shop = yield* Shop
      const { id } = yield* quoted(shop, "89")
      const untold = yield* shop.status(id, { wait: 30 })
      assert.deepStrictEqual([untold.status, at(untold, "next_action")], [200, "RETRY_LATER"])
      assert.isString(at(untold, "retry_at"))
    }))

  it.effect("is suggested by Retry-After while the lender works, and limited to twenty per caller", () =>
    Effect.gen(function*() {
      const shop = yield* Shop
      const opened = yield* shop.open(sandboxCpf("98"))
      const pending = yield* shop.status(idOf(opened))
      assert.deepStrictEqual([at(pending, "next_action"), pending.headers.get("retry-after")], ["WAIT", "1"])

      const { id, known } = yield* quoted(shop, "00", 3)
      const { answers, notHeld } = yield* twentyWaiting(shop, id, known)
      assert.deepStrictEqual([notHeld.status, notHeld.headers.get("retry-after")], [429, "1"])
      yield* shop.submitKyc(id, kycOf(sandboxCpf("00", 3)))
      const actions = (yield* answers).map((answer) => at(answer, "next_action"))
      assert.deepStrictEqual(actions, Array.from({ length: 20 }, () => "ACCEPT_OFFER"))
    }))
})
