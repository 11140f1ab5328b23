import { assert } from "@effect/vitest"
import { sandboxCpf } from "@lastro/domain/adapters"
import { recordingLenderServer } from "@lastro/testkit/lender-server"
import { Effect, type Scope } from "effect"
import { at, signIn, tokenOf } from "./asking.ts"
import { applicationClient, idOf, isSettled, kycOf } from "./desk.ts"
import { type Environment } from "./lastro.ts"
import { freePort } from "./machine.ts"
import { type RunningServer, startServer } from "./serving.ts"

/**
 * Starts a server with a quote and a contract in progress at the lender. Replaces the server with `replace`, which
 * returns the settings of the next one. Verifies that the next server ends both with one contract, and accepts the
 * access token of the first one.
 */
export const replaceServerWithJobs = <R>(
  settings: Environment,
  replace: (first: RunningServer) => Effect.Effect<Environment, never, R>
): Effect.Effect<void, never, R | Scope.Scope> =>
  Effect.gen(function*() {
    const lender = yield* recordingLenderServer()
    const constant = { PORT: String(yield* freePort), LASTRO_LENDER: "http", LASTRO_LENDER_URL: lender.url }
    const callCount = Effect.sync(() => lender.calls.length).pipe(Effect.delay("5 millis"))
    const untilCalls = (count: number) => Effect.repeat(callCount, { until: (length) => length >= count })
    const first = yield* startServer({ ...settings, ...constant })
    const shop = applicationClient(first, tokenOf(yield* signIn(first)))
    const [contracting, quoting] = [sandboxCpf("00"), sandboxCpf("00", 1)]
    const contract = idOf(yield* shop.open(contracting))
    yield* shop.submitKyc(contract, kycOf(contracting))
    yield* shop.until(contract, isSettled)
    const offer = String(at(yield* shop.read(contract), "quote", "offers", 0, "offer_id"))
    // The lender does not respond to the quote, and its response to the contract is lost.
    lender.injectFaults("SILENCE", "LOSE")
    const quote = idOf(yield* shop.open(quoting))
    yield* untilCalls(2)
    yield* shop.accept(contract, offer)
    yield* untilCalls(3)
    const next = yield* replace(first)

    const second = yield* startServer({ ...next, ...constant })
    assert.strictEqual(second.port, first.port)
    const [quoted, paid] = yield* Effect.all([shop.until(quote, isSettled), shop.until(contract, isSettled)], {
      concurrency: 2
    })
    assert.deepStrictEqual([at(quoted, "status"), at(paid, "status")], ["QUOTED", "CONTRACTED"])
    const proposal_id = at(yield* shop.read(contract), "proposal_id")
    assert.deepStrictEqual(lender.contracts().map((recorded) => recorded.proposal_id), [proposal_id])
  })
