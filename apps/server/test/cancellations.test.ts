import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { migratedDatabase } from "../../../packages/adapters-sql/test/postgres.ts"
import { at, type Reply, signIn, tokenOf } from "./running/asking.ts"
import { cancellations, notCancellable } from "./running/cancellations.ts"
import { isSettled } from "./running/desk.ts"
import { guards } from "./running/guards.ts"
import { serveInProcess } from "./running/inProcess.ts"
import { onServers } from "./running/onServers.ts"
import { historyOf, refusalOf, type SandboxDesk, sandboxDesk, statusOf } from "./running/SandboxDesk.ts"
import { onPostgres } from "./running/serving.ts"

/** The time between two steps of a sandbox contract. */
const stepMs = 1_000

/**
 * Requests a new signature link. The lender does not wait: if the contract is signed before the request arrives, the
 * next customer is tried.
 */
const signedWithNewLink = (desk: SandboxDesk): Effect.Effect<void> =>
  Effect.gen(function*() {
    const { before, proposal } = yield* desk.contractingIn("00", "AWAITING_SIGNATURE")
    const renewed = yield* desk.renewLink(proposal)
    if (renewed.status === 409) return yield* signedWithNewLink(desk)
    assert.strictEqual(renewed.status, 202, renewed.text)
    const urlOf = (reply: Reply) => at(reply, "data", "signature_url")
    const after = yield* Effect.repeat(Effect.andThen(Effect.sleep("200 millis"), desk.proposal(proposal)), {
      until: (reply) => urlOf(reply) !== urlOf(before)
    })
    if (at(after, "data", "status") === "AWAITING_SIGNATURE") assert.isString(urlOf(after))
    yield* desk.reaches(proposal, "PAID")
    assert.deepStrictEqual(refusalOf(yield* desk.renewLink(proposal)), [409, "SIGNATURE_NOT_PENDING"])
  })

const cases: Readonly<Record<string, (desk: SandboxDesk) => Effect.Effect<void>>> = {
  ...cancellations,

  "withdrawn and refunded": (desk) =>
    Effect.gen(function*() {
      const unpaid = yield* desk.contractingIn("72", "CORRECTION_NEEDED")
      assert.deepStrictEqual(refusalOf(yield* desk.withdraw(unpaid.proposal)), [409, "PROPOSAL_NOT_WITHDRAWABLE"])
      const { id, proposal } = yield* desk.contracting("00")
      const paid = yield* desk.reaches(proposal, "PAID")
      assert.isAbove(Number(at(paid, "data", "paid", "amount")), 0)
      assert.deepStrictEqual(refusalOf(yield* desk.cancel(id)), notCancellable)
      const key = { "Idempotency-Key": `withdrawal-${id}` }
      const withdrawn = yield* desk.withdraw(proposal, { headers: key })
      assert.deepStrictEqual([withdrawn.status, at(withdrawn, "data", "status")], [202, "REFUND_PENDING"])
      assert.deepStrictEqual((yield* desk.withdraw(proposal, { headers: key })).body, withdrawn.body)
      assert.deepStrictEqual(refusalOf(yield* desk.cancel(id)), notCancellable)
      yield* desk.reaches(proposal, "REFUNDED")
      const read = yield* desk.read(id)
      assert.deepStrictEqual([statusOf(read), at(read, "rejection", "code")], ["CANCELLED", "CUSTOMER_CANCELLED"])
      const refunded = yield* desk.proposal(proposal)
      assert.deepStrictEqual(historyOf(refunded).slice(-3), ["PAID", "REFUND_PENDING", "REFUNDED"])
    }),

  "withdrawn, but the refund was not paid in time": (desk) =>
    Effect.gen(function*() {
      const { id, proposal } = yield* desk.contracting("74")
      yield* desk.reaches(proposal, "PAID")
      assert.strictEqual((yield* desk.withdraw(proposal)).status, 202)
      const status = yield* desk.status(id)
      if (statusOf(status) === "REFUNDING") assert.strictEqual(at(status, "next_action"), "WAIT")
      const pending = yield* desk.reaches(proposal, "REFUND_PENDING", "PAID")
      const again = yield* desk.reaches(proposal, "PAID")
      const history = historyOf(again)
      assert.deepStrictEqual(history.slice(-3), ["PAID", "REFUND_PENDING", "PAID"])
      assert.strictEqual(statusOf(yield* desk.read(id)), "CONTRACTED")
      assert.isTrue(historyOf(pending).length <= history.length)
    }),

  "reversed by the lender after PAID": (desk) =>
    Effect.gen(function*() {
      const { id, proposal } = yield* desk.contracting("73")
      yield* desk.reaches(proposal, "PAID", "REFUNDED")
      const reversed = desk.callBack({ proposal_id: proposal }).pipe(
        Effect.andThen(Effect.sleep("300 millis")),
        Effect.andThen(desk.proposal(proposal)),
        Effect.repeat({ until: (reply) => at(reply, "data", "status") === "REFUNDED" })
      )
      assert.strictEqual(at(yield* reversed, "data", "rejection", "code"), "LENDER_POLICY")
      const read = yield* desk.read(id)
      assert.deepStrictEqual([statusOf(read), at(read, "rejection", "code")], ["CANCELLED", "LENDER_POLICY"])
      assert.deepStrictEqual(historyOf(yield* reversed).slice(-2), [
        "PAID",
        "REFUNDED"
      ])
    }),

  "corrected, and then PAID": (desk) =>
    Effect.gen(function*() {
      const { id, proposal } = yield* desk.contracting("72")
      yield* desk.reaches(proposal, "CORRECTION_NEEDED")
      assert.strictEqual(at(yield* desk.status(id), "next_action"), "FIX_KYC")
      const kyc = yield* desk.kyc(id)
      assert.deepStrictEqual(at(kyc, "missing_fields"), ["address.number"])
      const address = { ...Object(at(kyc, "address")), number: "S/N" }
      const locked = yield* desk.submitKyc(id, { mother_name: "Eva Exemplo" })
      assert.deepStrictEqual(refusalOf(locked), [409, "KYC_LOCKED"])
      const corrected = yield* desk.submitKyc(id, { address })
      assert.strictEqual(corrected.status, 200, corrected.text)
      const paid = yield* desk.reaches(proposal, "PAID")
      assert.deepStrictEqual(historyOf(paid).slice(0, 4), [
        "SUBMITTING",
        "CORRECTION_NEEDED",
        "SUBMITTING",
        "AWAITING_SIGNATURE"
      ])
    }),

  "quoted although the lender answers later": (desk) => Effect.asVoid(desk.quoted("70")),
  "quoted although the lender throttles requests": (desk) => Effect.asVoid(desk.quoted("71")),
  "quoted when the lender calls back": (desk) =>
    Effect.gen(function*() {
      const id = yield* desk.opened("77")
      const quote_id = at(yield* desk.read(id), "quote", "quote_id")
      assert.strictEqual((yield* desk.callBack({ quote_id }, { token: "wrong" })).status, 401)
      const called = desk.callBack({ quote_id }).pipe(
        Effect.andThen(Effect.sleep("300 millis")),
        Effect.andThen(desk.status(id)),
        Effect.repeat({ until: (reply) => statusOf(reply) !== "QUOTING" })
      )
      assert.strictEqual(statusOf(yield* called), "QUOTED")
    }),

  "signed with a new link": signedWithNewLink
}

onServers("an application is", {
  start: (serve) =>
    Effect.gen(function*() {
      const server = yield* serve({ LASTRO_SANDBOX_STEP_MS: String(stepMs) })
      return sandboxDesk(server, tokenOf(yield* signIn(server)))
    }),
  cases: { ...cases, ...guards }
})

describe("a server with LASTRO_LENDER_RATE", () => {
  it.live("calls the lender no more often than the rate allows", () =>
    Effect.scoped(Effect.gen(function*() {
      const server = yield* serveInProcess({
        ...onPostgres(yield* migratedDatabase),
        LASTRO_LENDER_RATE: "4",
        LASTRO_SANDBOX_STEP_MS: "0"
      })
      const desk = sandboxDesk(server, tokenOf(yield* signIn(server)))
      const begun = Date.now()
      const ids = yield* Effect.forEach(Array.from({ length: 5 }), () => desk.opened("00"), { concurrency: 5 })
      yield* Effect.forEach(ids, (id) => desk.until(id, isSettled), { concurrency: 5 })
      // Five calls are four intervals of 250 ms. A busy machine is only slower.
      assert.isAtLeast(Date.now() - begun, 1_000)
    })))
})
