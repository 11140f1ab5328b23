import { assert, describe, it } from "@effect/vitest"
import { sandboxCpf } from "@lastro/domain/adapters"
import { recordingLenderServer } from "@lastro/testkit/lender-server"
import { Effect } from "effect"
import { isOrdeal } from "../../../test/rounds.ts"
import { at, signIn, tokenOf } from "./running/asking.ts"
import { databases } from "./running/databases.ts"
import { applicationClient, idOf, isSettled, kycOf } from "./running/desk.ts"
import { freePort } from "./running/freePort.ts"
import { startServer } from "./running/serving.ts"

/** Each signal runs on one database, and in `pnpm ordeal:races` on both. The crash test kills servers on PostgreSQL, too. */
const isTested = (name: string, signal: string): boolean => isOrdeal || (name === "PGlite") === (signal === "SIGKILL")

describe.concurrent("jobs of a stopped server", () => {
  for (const [name, database] of Object.entries(databases)) {
    for (const signal of ["SIGKILL", "SIGTERM"] as const) {
      if (!isTested(name, signal)) continue
      it.live(`complete after a restart from ${signal}, on ${name}`, () =>
        Effect.gen(function*() {
          const lender = yield* recordingLenderServer()
          const environment = {
            ...yield* database,
            PORT: String(yield* freePort),
            LASTRO_LENDER: "http",
            LASTRO_LENDER_URL: lender.url
          }
          const asked = Effect.sync(() => lender.calls.length).pipe(Effect.delay("5 millis"))
          const calls = (count: number) => Effect.repeat(asked, { until: (length) => length >= count })
          const first = yield* startServer(environment)
          const shop = applicationClient(first, tokenOf(yield* signIn(first)))
          const [contracting, quoting] = [sandboxCpf("00"), sandboxCpf("00", 1)]
          const contract = idOf(yield* shop.open(contracting))
          yield* shop.submitKyc(contract, kycOf(contracting))
          yield* shop.until(contract, isSettled)
          const offer = String(at(yield* shop.read(contract), "quote", "offers", 0, "offer_id"))
          // The lender does not respond to the quote, and its response to the contract is lost.
          lender.injectFaults("SILENCE", "LOSE")
          const quote = idOf(yield* shop.open(quoting))
          yield* calls(2)
          yield* shop.accept(contract, offer)
          yield* calls(3)
          first.kill(signal)
          yield* first.ended

          const second = yield* startServer(environment)
          assert.strictEqual(second.port, first.port)
          const [quoted, paid] = yield* Effect.all([shop.until(quote, isSettled), shop.until(contract, isSettled)], {
            concurrency: 2
          })
          assert.deepStrictEqual([at(quoted, "status"), at(paid, "status")], ["QUOTED", "CONTRACTED"])
          const proposal_id = at(yield* shop.read(contract), "proposal_id")
          assert.deepStrictEqual(lender.contracts().map((made) => made.proposal_id), [proposal_id])
        }), { timeout: 60_000 })
    }
  }
})
