import { assert, describe, it } from "@effect/vitest"
import { sandboxCpf } from "@lastro/domain/adapters"
import { recordingLenderServer } from "@lastro/testkit/lender-server"
import { Effect } from "effect"
import { at, type Reply, signIn, tokenOf } from "./running/asking.ts"
import { startCrashableServer } from "./running/CrashableServer.ts"
import { databases } from "./running/databases.ts"
import { idOf, kycOf, patientClient } from "./running/desk.ts"
import { runToEnd } from "./running/lastro.ts"
import { freePort } from "./running/machine.ts"

/** Number of customers, and of crashes: one during the quote or the submission of each customer. */
const crashes = 10

const rejection = {
  status: 200,
  headers: { "content-type": "application/json", "lastro-lender-protocol": "2" },
  body: JSON.stringify({
    kind: "REFUSED",
    rejection: { code: "LENDER_POLICY", message: "Fora da política.", retry_at: null }
  })
}

interface Part {
  readonly lender: { readonly code: string }
  readonly status: string
}

interface Offered {
  readonly offer_id: string
  readonly lender: { readonly code: string }
  readonly table: { readonly code: string }
}

/** The lender that a part or an offer names, with another value. */
const byLender = (parts: ReadonlyArray<Part>) =>
  Object.fromEntries(parts.map(({ lender, status }) => [lender.code, status]))

const partsOf = (reply: Reply) => at(reply, "quote", "parts") as ReadonlyArray<Part>
const offersOf = (reply: Reply) => at(reply, "quote", "offers") as ReadonlyArray<Offered>

describe(`a quote at a slow, a dead and a rejecting HTTP lender, while the server is killed ${crashes} times`, () => {
  it.live(
    "QUOTE-09 T47 has one outcome for each part, and each contract is made once, by the lender of its offer",
    () =>
      Effect.gen(function*() {
        const slow = yield* recordingLenderServer()
        const rejecting = yield* recordingLenderServer()
        slow.injectFaults(...Array.from({ length: 200 }, () => "HOLD" as const))
        rejecting.injectFaults(...Array.from({ length: 200 }, () => rejection))
        const database = yield* databases.PostgreSQL
        const environment = {
          ...database,
          PORT: String(yield* freePort),
          LASTRO_LENDER: "",
          LASTRO_LENDERS: "slow=http,dead=http,rejecting=http",
          LASTRO_QUOTE_PATIENCE: "2s",
          LASTRO_LENDER_SLOW_URL: slow.url,
          LASTRO_LENDER_DEAD_URL: `http://127.0.0.1:${yield* freePort}`,
          LASTRO_LENDER_REJECTING_URL: rejecting.url
        }
        const server = yield* startCrashableServer(environment)
        // The slow lender handles each call within a second.
        yield* Effect.forkScoped(Effect.forever(Effect.andThen(Effect.sleep("1 second"), Effect.sync(slow.release))))
        const shop = patientClient(server, tokenOf(yield* signIn(server)))
        const proposals: Array<string> = []
        for (let round = 0; round < crashes; round++) {
          const cpf = sandboxCpf("00", round)
          const opened = yield* shop.open(cpf, `loan-${round}`)
          assert.strictEqual(opened.status, 201, opened.text)
          const id = idOf(opened)
          const isQuoteCrash = round % 2 === 0
          if (isQuoteCrash) {
            yield* Effect.sleep(round * 250)
            yield* server.crash
          }
          yield* shop.submitKyc(id, kycOf(cpf))
          yield* shop.until(id, (status) => at(status, "status") !== "QUOTING")
          const quoted = yield* shop.read(id)
          const { dead, ...answered } = byLender(partsOf(quoted))
          assert.deepStrictEqual(answered, { slow: "COMPLETED", rejecting: "REJECTED" }, quoted.text)
          assert.include(["PENDING", "FAILED"], dead)
          const offers = offersOf(quoted)
          assert.isNotEmpty(offers)
          assert.deepStrictEqual(offers.map(({ lender }) => lender.code), offers.map(() => "slow"))
          assert.strictEqual(new Set(offers.map(({ table }) => table.code)).size, offers.length, "one answer counts")
          const accepted = yield* shop.accept(id, offers[0]?.offer_id ?? "")
          assert.isBelow(accepted.status, 300, accepted.text)
          proposals.push(String(at(accepted, "proposal_id")))
          if (!isQuoteCrash) {
            yield* Effect.sleep(round * 150)
            yield* server.crash
          }
          yield* shop.until(id, (status) => at(status, "next_action") !== "WAIT")
          const contracting = yield* shop.read(id)
          assert.strictEqual(byLender(partsOf(contracting))["dead"] === "PENDING", false)
        }
        assert.sameMembers(slow.contracts().map(({ proposal_id }) => proposal_id), proposals)
        assert.isEmpty(rejecting.contracts())
        assert.deepStrictEqual([...new Set(rejecting.calls.map(({ method, path }) => `${method} ${path}`))], [
          "POST /quotes"
        ])
        server.current().kill("SIGTERM")
        yield* server.current().ended
        const { out } = yield* runToEnd(["check"], environment)
        assert.strictEqual(out, "Every invariant holds.\n")
      }),
    { timeout: 120_000 + crashes * 30_000 }
  )
})
