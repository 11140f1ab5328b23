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

/** Number of customers, and of crashes: one for each customer, during the quote, a late part or the submission. */
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

const repeat = <A>(times: number, value: A): ReadonlyArray<A> => Array.from({ length: times }, () => value)

describe(`a quote at a quick, a slow, a dead and a rejecting HTTP lender, while the server is killed ${crashes} times`, () => {
  it.live(
    "QUOTE-07 QUOTE-09 QUOTE-11 T47 shows each part, the late offers join, each part has one outcome, and no lender gets anything of another",
    () =>
      Effect.gen(function*() {
        const servers = {
          quick: yield* recordingLenderServer(),
          slow: yield* recordingLenderServer(),
          rejecting: yield* recordingLenderServer()
        }
        const { quick, rejecting, slow } = servers
        slow.injectFaults(...repeat(1_000, "HOLD" as const))
        rejecting.injectFaults(...repeat(1_000, rejection))
        const nowhere = `http://127.0.0.1:${yield* freePort}`
        const urls = { slow: slow.url, dead: nowhere, rejecting: rejecting.url, quick: quick.url }
        const codes = Object.keys(urls)
        const database = yield* databases.PostgreSQL
        const environment = {
          ...database,
          PORT: String(yield* freePort),
          LASTRO_LENDER: "",
          LASTRO_LENDERS: codes.map((code) => `${code}=http`).join(","),
          LASTRO_QUOTE_PATIENCE: "2s",
          ...Object.fromEntries(
            Object.entries(urls).flatMap(([code, url]) => [
              [`LASTRO_LENDER_${code.toUpperCase()}_URL`, url],
              [`LASTRO_LENDER_${code.toUpperCase()}_TOKEN`, `the-token-of-${code}`]
            ])
          )
        }
        const server = yield* startCrashableServer(environment)
        // While it is awake, the slow lender handles each call within a quarter of a second. Otherwise, it handles none.
        let isAwake = false
        const handleCalls = Effect.sync(() => isAwake ? slow.release() : undefined)
        yield* Effect.forkScoped(Effect.forever(Effect.andThen(Effect.sleep("250 millis"), handleCalls)))
        const shop = patientClient(server, tokenOf(yield* signIn(server)))
        const proposals = { quick: new Array<string>(), slow: new Array<string>() }
        const ids: Array<string> = []
        for (let round = 0; round < crashes; round++) {
          const crashAt = (["quote", "late part", "submission"] as const)[round % 3]
          const chosen = (["quick", "slow"] as const)[round % 2] ?? "quick"
          const cpf = sandboxCpf("00", round)
          isAwake = false
          const opened = yield* shop.open(cpf, `loan-${round}`)
          assert.strictEqual(opened.status, 201, opened.text)
          const id = idOf(opened)
          ids.push(id)
          if (crashAt === "quote") {
            yield* Effect.sleep(round * 200)
            yield* server.crash
          }
          yield* shop.submitKyc(id, kycOf(cpf))

          // The quote ends although the slow lender never answers: its patience is over.
          yield* shop.until(id, (status) => at(status, "status") !== "QUOTING")
          const quoted = yield* shop.read(id)
          const first = byLender(partsOf(quoted))
          assert.sameMembers(Object.keys(first), codes)
          assert.deepInclude(first, { quick: "COMPLETED", slow: "PENDING" }, quoted.text)
          assert.sameMembers([...new Set(offersOf(quoted).map(({ lender }) => lender.code))], ["quick"])

          if (crashAt === "late part") yield* server.crash
          isAwake = true
          let joined = yield* shop.read(id)
          while (!(["slow", "rejecting"].every((code) => byLender(partsOf(joined))[code] !== "PENDING"))) {
            yield* Effect.sleep("100 millis")
            joined = yield* shop.read(id)
          }
          const offers = offersOf(joined)
          assert.sameMembers([...new Set(offers.map(({ lender }) => lender.code))], ["quick", "slow"])
          const firstIds = offersOf(quoted).map(({ offer_id }) => offer_id)
          assert.includeMembers(offers.map(({ offer_id }) => offer_id), firstIds)

          const offer = offers.find(({ lender }) => lender.code === chosen)
          const accepted = yield* shop.accept(id, offer?.offer_id ?? "")
          assert.isBelow(accepted.status, 300, accepted.text)
          proposals[chosen].push(String(at(accepted, "proposal_id")))
          if (crashAt === "submission") {
            yield* Effect.sleep(round * 100)
            yield* server.crash
          }
          yield* shop.until(id, (status) => at(status, "next_action") !== "WAIT")
        }

        // One outcome for each part, and the offers of one answer.
        for (const id of ids) {
          const read = yield* shop.read(id)
          const { dead, ...answered } = byLender(partsOf(read))
          assert.deepStrictEqual(answered, { quick: "COMPLETED", slow: "COMPLETED", rejecting: "REJECTED" }, read.text)
          assert.include(["FAILED", "SKIPPED"], dead)
          const priced = offersOf(read).map(({ lender, table }) => `${lender.code} ${table.code}`)
          assert.strictEqual(new Set(priced).size, priced.length, "one answer of a lender counts")
        }

        // A contract is made once, at the lender of its offer. No lender gets a proposal or a token of another.
        const made = ({ contracts }: typeof quick) => contracts().map(({ proposal_id }) => proposal_id)
        assert.sameMembers(made(quick), proposals.quick)
        assert.sameMembers(made(slow), proposals.slow)
        const paths = rejecting.calls.map(({ method, path }) => `${method} ${path}`)
        assert.deepStrictEqual([...new Set(paths)], ["POST /quotes"])
        for (const [code, { calls }] of Object.entries(servers)) {
          const received = JSON.stringify(calls.map(({ answer: _, ...call }) => call))
          const foreign = Object.entries(proposals).flatMap(([other, some]) => other === code ? [] : some)
          for (const proposal_id of foreign) assert.notInclude(received, proposal_id)
          const tokens = new Set(calls.map(({ headers }) => headers["authorization"]))
          assert.deepStrictEqual([...tokens], [`Bearer the-token-of-${code}`])
        }
        server.current().kill("SIGTERM")
        yield* server.current().ended
        const { out } = yield* runToEnd(["check"], environment)
        assert.strictEqual(out, "Every invariant holds.\n")
      }),
    { timeout: 120_000 + crashes * 60_000 }
  )
})
