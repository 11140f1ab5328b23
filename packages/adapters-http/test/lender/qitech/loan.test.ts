import { assert, describe, it } from "@effect/vitest"
import { type ProposalId } from "@lastro/domain/values"
import { exampleInstant, PendingWork, storeRootPartner } from "@lastro/testkit"
import { type QitechSimulator, qitechSimulator } from "@lastro/testkit/qitech"
import { Clock, Effect, Layer } from "effect"
import { TestClock } from "effect/testing"
import { at } from "../../client.ts"
import { Server, withServer } from "../../harness.ts"
import { givenOpened, givenVoice, offersOf } from "../../origination.ts"
import { callbackPath, layerOver, qitechFields } from "./harness.ts"

const periods = ["2027-05-01", "2028-05-01", "2029-05-01"].map((due_date) => ({ due_date, amount: 500 }))

/** Runs all pending jobs. The clock advances while they wait between attempts. */
const finish = Effect.gen(function*() {
  yield* TestClock.adjust("1 minute")
  const running = yield* Effect.forkChild(Effect.flatMap(PendingWork, (work) => work.finish))
  while (running.pollUnsafe() === undefined) {
    yield* TestClock.withLive(Effect.sleep(20))
    yield* TestClock.adjust("100 millis")
  }
})

/** Runs the jobs that wait, one minute later. */
const look = TestClock.adjust("1 minute").pipe(
  Effect.andThen(PendingWork),
  Effect.flatMap((work) => work.poll),
  Effect.andThen(finish)
)

/** Delivers all waiting webhooks to the callback endpoint of the API. Returns the statuses of the answers. */
const deliver = Effect.fnUntraced(function*(simulator: QitechSimulator, times = 1) {
  const { send } = yield* Server
  const context = yield* Effect.context()
  simulator.sendTo(callbackPath, ({ body, headers, method, path }) =>
    Effect.runPromiseWith(context)(
      Effect.map(send(path, { method, headers, body: new Uint8Array(body) }), ({ status }) => status)
    ))
  return yield* Effect.promise(() => simulator.deliver({ times }))
})

/** Runs a test with the API over in-memory ports, whose lender is a simulator of QI Tech. */
const withLoan = <A, E, R>(test: (simulator: QitechSimulator) => Effect.Effect<A, E, R>) =>
  Effect.scoped(Effect.gen(function*() {
    const clock = yield* Clock.Clock
    yield* TestClock.setTime(Date.parse(exampleInstant))
    const simulator = yield* qitechSimulator({ now: () => clock.currentTimeMillisUnsafe() })
    simulator.setBalance(periods)
    return yield* withServer(test(simulator), { lender: Layer.orDie(layerOver(simulator)) })
  }))

/** Opens an application and runs its quote to the end. */
const quotedLoan = Effect.fnUntraced(function*(simulator: QitechSimulator) {
  const voice = yield* givenVoice(yield* storeRootPartner())
  const opened = yield* givenOpened(voice)
  yield* finish
  assert.strictEqual(at(yield* voice.read(opened.id), "status"), "QUOTING")
  assert.deepStrictEqual(yield* deliver(simulator, 2), [204, 204])
  yield* look
  const read = yield* voice.read(opened.id)
  assert.strictEqual(at(read, "status"), "QUOTED")
  return { ...opened, voice, offers: offersOf(read) }
})

/** Accepts the first offer and submits the contract. */
const contracted = Effect.fnUntraced(function*(simulator: QitechSimulator) {
  const { id, kyc, offers, voice } = yield* quotedLoan(simulator)
  const submitted = yield* voice.submit(id, { ...kyc, ...qitechFields })
  assert.strictEqual(at(submitted, "status"), "COMPLETE")
  const accepted = yield* voice.accept(id, offers[0]!)
  assert.strictEqual(accepted.status, 202)
  yield* finish
  const proposal_id = String(at(accepted, "proposal_id")) as ProposalId
  const proposal = () => voice.proposal(proposal_id)
  return {
    id,
    kyc,
    voice,
    proposal,
    status: Effect.map(proposal(), (reply) => at(reply, "data", "status")),
    cancel: voice.send(`/api/v1/fgts/applications/${id}/cancel`, { json: { reason: "CUSTOMER_REQUEST" } }),
    withdraw: voice.send(`/api/v1/proposals/${proposal_id}/withdrawal`, { json: { reason: "CUSTOMER_REQUEST" } })
  }
})

/** Signs and pays the newest debt, and delivers the webhooks. */
const paid = Effect.fnUntraced(function*(simulator: QitechSimulator) {
  simulator.sign()
  simulator.pay()
  yield* deliver(simulator)
  yield* look
})

describe("a loan at QI Tech, through the API", () => {
  it.effect("goes from the quote over the signature to PAID", () =>
    withLoan((simulator) =>
      Effect.gen(function*() {
        const { id, proposal, voice } = yield* contracted(simulator)
        const waiting = yield* proposal()
        assert.strictEqual(at(waiting, "data", "status"), "AWAITING_SIGNATURE")
        assert.strictEqual(at(waiting, "data", "signature_url"), `https://sign.example/${simulator.debts()[0]?.key}`)
        simulator.sign()
        assert.deepStrictEqual(new Set(yield* deliver(simulator, 2)), new Set([204]))
        yield* look
        assert.strictEqual(at(yield* proposal(), "data", "status"), "GUARANTEE_PENDING")
        simulator.pay()
        yield* deliver(simulator)
        yield* look
        assert.strictEqual(at(yield* proposal(), "data", "status"), "PAID")
        assert.strictEqual(at(yield* voice.read(id), "status"), "CONTRACTED")
        assert.strictEqual(simulator.debts()[0]?.paid, 1)
      })
    ))

  it.effect("recovers from a lost callback", () =>
    withLoan((simulator) =>
      Effect.gen(function*() {
        const voice = yield* givenVoice(yield* storeRootPartner())
        const { id } = yield* givenOpened(voice)
        yield* finish
        simulator.loseWebhooks()
        yield* look
        assert.strictEqual(at(yield* voice.read(id), "status"), "QUOTING")
        assert.deepStrictEqual(yield* deliver(simulator), [204])
        yield* look
        assert.strictEqual(at(yield* voice.read(id), "status"), "QUOTED")
      })
    ))

  it.effect("is one debt, although the answer to the issue is lost", () =>
    withLoan((simulator) =>
      Effect.gen(function*() {
        simulator.injectFaults(/debt_fgts/, "LOSE")
        const { id, kyc, offers, voice } = yield* quotedLoan(simulator)
        yield* voice.submit(id, { ...kyc, ...qitechFields })
        const accepted = yield* voice.accept(id, offers[0]!)
        assert.strictEqual(accepted.status, 202, accepted.text)
        yield* finish
        assert.strictEqual(
          at(yield* voice.proposal(String(at(accepted, "proposal_id"))), "data", "status"),
          "AWAITING_SIGNATURE"
        )
        assert.strictEqual(simulator.debts().length, 1)
      })
    ))

  it.effect("refuses a callback that is forged", () =>
    withLoan((simulator) =>
      Effect.gen(function*() {
        const { send } = yield* Server
        const forged = yield* send(callbackPath, {
          method: "POST",
          json: { webhook_type: "available_balance", key: "k" }
        })
        assert.strictEqual(forged.status, 401)
        assert.strictEqual((yield* send("/api/v1/lender-callbacks/other", { json: {} })).status, 404)
        void simulator
      })
    ))

  it.effect("is cancelled before the signature, once, although callbacks are repeated", () =>
    withLoan((simulator) =>
      Effect.gen(function*() {
        const { cancel, id, proposal, status, voice } = yield* contracted(simulator)
        assert.strictEqual((yield* cancel).status, 202)
        yield* finish
        yield* deliver(simulator, 3)
        yield* look
        assert.strictEqual(yield* status, "CANCELLED")
        assert.strictEqual(at(yield* proposal(), "data", "rejection", "code"), "CUSTOMER_CANCELLED")
        assert.strictEqual(at(yield* voice.read(id), "status"), "CANCELLED")
        assert.strictEqual(simulator.debts()[0]?.status, "canceled_permanently")
        assert.strictEqual((yield* cancel).status, 409)
      })
    ))

  it.effect("is cancelled after the signature, although the answers are lost", () =>
    withLoan((simulator) =>
      Effect.gen(function*() {
        const { cancel, id, status, voice } = yield* contracted(simulator)
        simulator.sign()
        yield* deliver(simulator)
        yield* look
        assert.strictEqual(yield* status, "GUARANTEE_PENDING")
        simulator.injectFaults(/PATCH .*cancel/, "LOSE")
        simulator.injectFaults(/cancel_permanently/, "LOSE")
        assert.strictEqual((yield* cancel).status, 202)
        yield* finish
        assert.strictEqual(yield* status, "CANCELLED")
        assert.strictEqual(at(yield* voice.read(id), "status"), "CANCELLED")
        assert.strictEqual(simulator.debts()[0]?.status, "canceled_permanently")
      })
    ))

  it.effect("is PAID if the payment is faster than the cancellation", () =>
    withLoan((simulator) =>
      Effect.gen(function*() {
        const { cancel, proposal, status } = yield* contracted(simulator)
        simulator.sign()
        simulator.pay()
        assert.strictEqual((yield* cancel).status, 202)
        yield* finish
        assert.strictEqual(yield* status, "PAID")
        const history = at(yield* proposal(), "data", "status_history") as ReadonlyArray<{ readonly status: string }>
        assert.deepStrictEqual(history.slice(-2).map((one) => one.status), ["CANCELLING", "PAID"])
        assert.strictEqual(simulator.debts()[0]?.status, "opened")
      })
    ))

  it.effect("is refunded: the customer gets a PIX code and pays the money back", () =>
    withLoan((simulator) =>
      Effect.gen(function*() {
        const { id, proposal, status, voice, withdraw } = yield* contracted(simulator)
        yield* paid(simulator)
        assert.strictEqual(yield* status, "PAID")
        simulator.injectFaults(/debt\/reversal/, "LOSE")
        assert.strictEqual((yield* withdraw).status, 202)
        yield* finish
        const pending = yield* proposal()
        assert.strictEqual(at(pending, "data", "status"), "REFUND_PENDING")
        assert.match(String(at(pending, "data", "refund", "pix_copy_paste")), /^0002/)
        assert.strictEqual(at(yield* voice.read(id), "status"), "REFUNDING")
        simulator.payRefund()
        yield* deliver(simulator, 2)
        yield* look
        assert.strictEqual(yield* status, "REFUNDED")
        assert.strictEqual(at(yield* voice.read(id), "status"), "CANCELLED")
        assert.strictEqual(simulator.calls.filter(({ path }) => path === "/debt/reversal").length, 1)
      })
    ))

  it.effect("is PAID again if the customer does not pay the refund in time", () =>
    withLoan((simulator) =>
      Effect.gen(function*() {
        const { id, status, voice, withdraw } = yield* contracted(simulator)
        yield* paid(simulator)
        assert.strictEqual((yield* withdraw).status, 202)
        yield* finish
        assert.strictEqual(yield* status, "REFUND_PENDING")
        yield* TestClock.adjust("13 days")
        yield* look
        assert.strictEqual(yield* status, "REFUND_PENDING")
        yield* TestClock.adjust("2 days")
        yield* look
        assert.strictEqual(yield* status, "PAID")
        assert.strictEqual(at(yield* voice.read(id), "status"), "CONTRACTED")
      })
    ))

  it.effect("is paid once, to the corrected key, after the first payment was refused", () =>
    withLoan((simulator) =>
      Effect.gen(function*() {
        const { id, kyc, status, voice } = yield* contracted(simulator)
        simulator.sign()
        simulator.refusePayment("pix_refusal")
        yield* deliver(simulator, 2)
        yield* look
        assert.strictEqual(yield* status, "DISBURSEMENT_FAILED")
        simulator.injectFaults(/PUT/, "LOSE")
        simulator.injectFaults(/disbursement_option/, "LOSE")
        const pix = { type: "EMAIL", key: "ana@example.com" }
        const corrected = yield* voice.submit(id, { ...kyc, ...qitechFields, pix })
        assert.strictEqual(corrected.status, 200, corrected.text)
        yield* finish
        assert.strictEqual(yield* status, "DISBURSING")
        assert.include(JSON.stringify(simulator.debts()[0]?.accounts), "ana@example.com")
        assert.strictEqual(simulator.debts()[0]?.presented, 2)
        simulator.pay()
        yield* deliver(simulator)
        yield* look
        assert.strictEqual(yield* status, "PAID")
        assert.strictEqual(simulator.debts()[0]?.paid, 1)
      })
    ))

  it.effect("is priced with the balance that the callback brought, without asking for a further callback", () =>
    withLoan((simulator) =>
      Effect.gen(function*() {
        const { offers } = yield* quotedLoan(simulator)
        assert.isNotEmpty(offers)
        assert.deepStrictEqual(simulator.calls.filter(({ path }) => path.includes("/notification")), [])
      })
    ))
})
