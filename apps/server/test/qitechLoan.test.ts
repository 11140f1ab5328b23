import { assert } from "@effect/vitest"
import { sandboxCpf } from "@lastro/domain/adapters"
import { type QitechSimulator } from "@lastro/testkit/qitech"
import { Effect } from "effect"
import { at, signIn, tokenOf } from "./running/asking.ts"
import { idOf, isSettled, kycOf, patientClient } from "./running/desk.ts"
import { onServers, type ServedApi } from "./running/onServers.ts"
import { qitechServer } from "./running/qitechServer.ts"
import { historyOf, lastReasonOf, reachesOf, statusOf } from "./running/SandboxDesk.ts"

/** The fields that QI Tech requires in addition. */
const qitechFields = {
  profession: "Professora",
  spouse_name: "Rui Exemplo",
  documents: [
    { kind: "IDENTITY_FRONT", reference: "front.jpg", sha256: null },
    { kind: "IDENTITY_BACK", reference: "back.jpg", sha256: null },
    { kind: "PROOF_OF_RESIDENCE", reference: "home.pdf", sha256: null }
  ]
}

/** Brings a loan to the signature. Every status that the lender reports reaches the server by callbacks and by looks. */
const signing = Effect.fnUntraced(function*(server: ServedApi, simulator: QitechSimulator, index: number) {
  const desk = patientClient(server, tokenOf(yield* signIn(server)))
  const reaches = reachesOf(desk)
  const cpf = sandboxCpf("00", index)
  const id = idOf(yield* desk.open(cpf, `qitech-${index}`))
  yield* desk.until(id, isSettled)
  const quoted = yield* desk.read(id)
  assert.strictEqual(statusOf(quoted), "QUOTED", quoted.text)
  const incomplete = yield* desk.submitKyc(id, kycOf(cpf))
  assert.deepStrictEqual(at(incomplete, "missing_fields"), ["profession", "spouse_name", "documents"])
  assert.strictEqual(at(yield* desk.submitKyc(id, qitechFields), "complete"), true)
  const accepted = yield* desk.accept(id, String(at(quoted, "quote", "offers", 0, "offer_id")))
  assert.strictEqual(accepted.status, 202, accepted.text)
  const proposal = String(at(accepted, "proposal_id"))
  const waiting = yield* reaches(proposal, "AWAITING_SIGNATURE")
  const key = String(at(waiting, "data", "reference"))
  assert.strictEqual(at(waiting, "data", "signature_url"), `https://sign.example/${key}`)
  const debt = () => simulator.debts().find((one) => one.key === key)
  return {
    desk,
    reaches: (...statuses: ReadonlyArray<string>) => reaches(proposal, ...statuses),
    debt,
    id,
    key,
    proposal
  }
})

type Loan = Effect.Success<ReturnType<typeof signing>>

const paid = Effect.fnUntraced(function*({ key, reaches }: Loan, simulator: QitechSimulator) {
  simulator.sign(key)
  yield* reaches("GUARANTEE_PENDING")
  simulator.pay(key)
  return yield* reaches("PAID")
})

const loans: Readonly<Record<string, (loan: Loan, simulator: QitechSimulator) => Effect.Effect<void>>> = {
  "is quoted by callback, signed and PAID": (loan, simulator) =>
    Effect.gen(function*() {
      const proposal = yield* paid(loan, simulator)
      assert.deepStrictEqual(historyOf(proposal), [
        "SUBMITTING",
        "AWAITING_SIGNATURE",
        "GUARANTEE_PENDING",
        "DISBURSING",
        "PAID"
      ])
      assert.strictEqual(statusOf(yield* loan.desk.read(loan.id)), "CONTRACTED")
      assert.strictEqual(loan.debt()?.paid, 1)
    }),

  "is cancelled before its signature": (loan) =>
    Effect.gen(function*() {
      assert.strictEqual((yield* loan.desk.cancel(loan.id)).status, 202)
      const proposal = yield* loan.reaches("CANCELLED")
      assert.deepStrictEqual(historyOf(proposal).slice(-2), ["CANCELLING", "CANCELLED"])
      assert.strictEqual(at(yield* loan.desk.read(loan.id), "rejection", "code"), "CUSTOMER_CANCELLED")
      assert.strictEqual(loan.debt()?.paid, 0)
    }),

  "is PAID, withdrawn and refunded": (loan, simulator) =>
    Effect.gen(function*() {
      yield* paid(loan, simulator)
      assert.strictEqual((yield* loan.desk.withdraw(loan.proposal)).status, 202)
      const asked = loan.desk.proposal(loan.proposal)
      const pending = yield* Effect.repeat(Effect.andThen(Effect.sleep("100 millis"), asked), {
        until: (reply) => at(reply, "data", "refund") !== null
      })
      assert.isString(at(pending, "data", "refund", "pix_copy_paste"))
      assert.strictEqual(statusOf(yield* loan.desk.read(loan.id)), "REFUNDING")
      simulator.payRefund(loan.key)
      const refunded = yield* loan.reaches("REFUNDED")
      assert.deepStrictEqual(historyOf(refunded).slice(-3), ["PAID", "REFUND_PENDING", "REFUNDED"])
      assert.isNotNull(lastReasonOf(refunded))
      assert.strictEqual(statusOf(yield* loan.desk.read(loan.id)), "CANCELLED")
    })
}

/** Signs each loan of a server and its simulator, and runs it. */
const cases = Object.fromEntries(
  Object.entries(loans).map(([name, run], index) => [
    name,
    ({ server, simulator }: Effect.Success<ReturnType<typeof qitechServer>>) =>
      Effect.flatMap(signing(server, simulator, index), (loan) => run(loan, simulator))
  ])
)

onServers("a loan at QI Tech", { start: qitechServer, cases })
