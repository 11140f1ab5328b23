import { assert, describe, it } from "@effect/vitest"
import { sandboxCpf } from "@lastro/domain/adapters"
import { type LenderFault, type RecordingLenderServer, recordingLenderServer } from "@lastro/testkit/lender-server"
import { Effect } from "effect"
import { migratedDatabase } from "../../../packages/adapters-sql/test/postgres.ts"
import { isOrdeal } from "../../../test/rounds.ts"
import { at, signIn, tokenOf } from "./running/asking.ts"
import { type Desk, idOf, isSettled, kycOf, patientClient } from "./running/desk.ts"
import { onPostgres, startServer } from "./running/serving.ts"

/** Starts a server on a shared database, with its own token for the lender. */
const startNode = Effect.fnUntraced(function*(database: string, name: string, lender: RecordingLenderServer) {
  const server = yield* startServer({
    ...onPostgres(database),
    LASTRO_NODE: name,
    LASTRO_LENDER: "http",
    LASTRO_LENDER_URL: lender.url,
    LASTRO_LENDER_TOKEN: name
  })
  return { name, server, shop: patientClient(server, tokenOf(yield* signIn(server))) }
})

const waitUntil = (reached: () => boolean) => Effect.repeat(Effect.sleep("10 millis"), { while: () => !reached() })

/** Opens an application and completes its KYC. Returns its id and an offer. */
const quoted = Effect.fnUntraced(function*(shop: Desk) {
  const cpf = sandboxCpf("00")
  const id = idOf(yield* shop.open(cpf))
  yield* shop.submitKyc(id, kycOf(cpf))
  yield* shop.until(id, isSettled)
  return { id, offer: String(at(yield* shop.read(id), "quote", "offers", 0, "offer_id")) }
})

const statusOf = (shop: Desk, id: string) => Effect.map(shop.read(id), (reply) => at(reply, "status"))

const paths = { submission: "/contracts", cancellation: "/contracts/cancellations" }

/** The status codes of the answers to the submissions and cancellations that the lender has handled. */
const answersOf = ({ calls }: RecordingLenderServer, to: string): ReadonlyArray<number | undefined> =>
  calls.filter(({ path }) => path === to).map(({ answer }) => answer?.status)

/**
 * Accepts an offer and holds back a call to the lender. Freezes the node that made the call, and cancels the application
 * on the other node, which takes over the job. Then the held call goes on, and the node continues. Returns false if the
 * scenario did not occur: the held call is a poll of the contract, or the other node has taken over the job before or
 * during the cancellation.
 */
const freezeOnce = Effect.fnUntraced(function*(
  call: "submission" | "cancellation",
  fault: LenderFault,
  judge: (end: { readonly lender: RecordingLenderServer; readonly proposal_id: string }) => void
) {
  const database = yield* migratedDatabase
  const lender = yield* recordingLenderServer({ stepMs: 60_000 })
  const one = yield* startNode(database, "one", lender)
  const two = yield* startNode(database, "two", lender)
  const { id, offer } = yield* quoted(one.shop)
  if (call === "cancellation") {
    yield* one.shop.accept(id, offer)
    yield* one.shop.until(id, (status) => at(status, "next_action") === "SIGN")
  }
  lender.injectFaults(fault)
  const before = lender.calls.length
  const began = call === "submission" ? yield* one.shop.accept(id, offer) : yield* one.shop.cancel(id)
  assert.strictEqual(began.status, 202)
  yield* waitUntil(() => lender.calls.length > before)
  const held = lender.calls[before]
  if (held?.path !== paths[call]) return false
  const [frozen, other] = String(held.headers["authorization"]).endsWith(one.name) ? [one, two] : [two, one]
  frozen.server.kill("SIGSTOP")
  const cancelled = yield* other.shop.cancel(id)
  const further = lender.calls.slice(before + 1)
  if (further.some(({ path }) => path === paths.submission)) return false
  if (cancelled.status === 409 && further.length > 0) return false
  assert.deepStrictEqual([cancelled.status, at(cancelled, "status")], [202, "CONTRACTING"])
  const ended = yield* other.shop.until(id, (status) => at(status, "next_action") === "NONE")
  assert.strictEqual(at(ended, "status"), "CANCELLED")
  const read = yield* other.shop.read(id)

  // The held call reaches the lender, or its answer the node, only now.
  lender.release()
  frozen.server.kill("SIGCONT")
  yield* Effect.repeat(Effect.sleep("50 millis"), {
    while: () => Effect.map(Effect.exit(frozen.shop.read(id)), ({ _tag }) => _tag !== "Success")
  })
  // The lease of the frozen node has expired, and the run that goes on ends after its call.
  yield* Effect.sleep("2 seconds")
  assert.deepStrictEqual([yield* statusOf(frozen.shop, id), yield* statusOf(other.shop, id)], [
    "CANCELLED",
    "CANCELLED"
  ])
  assert.strictEqual(at(yield* other.shop.read(id), "version"), at(read, "version"))
  judge({ lender, proposal_id: String(at(read, "proposal_id")) })
  return true
}, Effect.scoped)

/** Repeats {@link freezeOnce} until the scenario occurs. */
const freezeDuring = (...args: Parameters<typeof freezeOnce>) =>
  Effect.repeat(Effect.suspend(() => freezeOnce(...args)), { until: (isDone) => isDone })

// The scenario may have to be repeated, and each round waits for the lease of the frozen node to expire.
const timeout = 240_000

describe.concurrent("a node that is frozen during a call to the lender, while another node cancels the application", () => {
  it.live(
    "PROP-10 FGTS-35 T46 a submission that arrives after the cancellation creates no contract",
    () =>
      freezeDuring("submission", "HOLD", ({ lender, proposal_id }) => {
        assert.deepStrictEqual(lender.barred(), [proposal_id])
        assert.deepStrictEqual(lender.contracts(), [])
        assert.deepStrictEqual(answersOf(lender, paths.submission), [409])
        assert.deepStrictEqual(answersOf(lender, paths.cancellation), [200])
      }),
    { timeout }
  )

  for (const call of ["submission", "cancellation"] as const) {
    for (const fault of ["HOLD", "HOLD_ANSWER"] as const) {
      // All in `pnpm ordeal:races` only: each waits for the lease of a frozen node to expire.
      if (fault === "HOLD" && (call === "submission" || !isOrdeal)) continue
      const late = fault === "HOLD" ? "on its way" : "not answered"
      it.live(
        `FGTS-35 T46 T47 after a ${call} that was ${late}, the lender has one contract, and it is cancelled`,
        () =>
          freezeDuring(call, fault, ({ lender, proposal_id }) => {
            assert.deepStrictEqual(
              lender.contracts().map((contract) => [contract.proposal_id, contract.status]),
              [[proposal_id, "CANCELLED"]]
            )
            const cancellations = lender.calls.filter(({ path }) => path === paths.cancellation)
            const bodies = new Set(cancellations.map(({ body }) => JSON.stringify(body)))
            if (call === "cancellation") {
              assert.isAtLeast(cancellations.length, 2)
              assert.strictEqual(bodies.size, 1, "every attempt is the same request")
            }
          }),
        { timeout }
      )
    }
  }
})
