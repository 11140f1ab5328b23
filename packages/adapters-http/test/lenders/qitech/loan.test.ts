import { assert, describe, it } from "@effect/vitest"
import { type ProposalId } from "@lastro/domain/id"
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
  return { id, voice, proposal: () => voice.proposal(proposal_id), proposal_id }
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
})
