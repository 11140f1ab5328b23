import { assert } from "@effect/vitest"
import { type Cpf } from "@lastro/domain/values"
import { Effect } from "effect"
import { at, type Reply } from "./asking.ts"
import { idOf, isSettled, kycOf } from "./desk.ts"
import { historyOf, refusalOf, type SandboxDesk } from "./SandboxDesk.ts"

const cpfOf = (reply: Reply) => at(reply, "customer", "cpf") as Cpf

/** Opens another application of the customer of an application, and returns it with its offer and a complete KYC. */
const quotedAgain = Effect.fnUntraced(function*(desk: SandboxDesk, id: string) {
  const cpf = cpfOf(yield* desk.read(id))
  const opened = yield* desk.open(cpf, `again-${id}`)
  assert.strictEqual(opened.status, 201, opened.text)
  const again = idOf(opened)
  yield* desk.until(again, isSettled)
  assert.strictEqual((yield* desk.submitKyc(again, kycOf(cpf))).status, 200)
  return { id: again, offer: String(at(yield* desk.read(again), "quote", "offers", 0, "offer_id")) }
})

const existing = [409, "OFFER_NOT_AVAILABLE", "offer_id", "EXISTING_CONTRACT"]

const refusedFieldOf = (reply: Reply): ReadonlyArray<unknown> => [
  ...refusalOf(reply),
  at(reply, "error", "details", 0, "field"),
  at(reply, "error", "details", 0, "code")
]

/** The guards of an application: duplicate contracts, minors, the suggestions of the KYC, and the list by status. */
export const guards: Readonly<Record<string, (desk: SandboxDesk) => Effect.Effect<void>>> = {
  "not contracted while another contract pledges the same withdrawals": (desk) =>
    Effect.gen(function*() {
      const { id, offer } = yield* desk.quoted("00")
      const second = yield* quotedAgain(desk, id)
      const accepted = yield* Effect.all([desk.accept(id, offer), desk.accept(second.id, second.offer)], {
        concurrency: 2
      })
      const [won, lost] = accepted.toSorted((a, b) => a.status - b.status)
      assert.deepStrictEqual([won?.status, lost?.status], [202, 409])
      assert.deepStrictEqual(lost === undefined ? [] : refusedFieldOf(lost), existing)
      const third = yield* quotedAgain(desk, id)
      assert.deepStrictEqual(refusedFieldOf(yield* desk.accept(third.id, third.offer)), existing)
    }),

  "told to wait for the settlement, and contracted again after it": (desk) =>
    Effect.gen(function*() {
      const paid = yield* desk.contracting("00")
      const blocked = yield* quotedAgain(desk, paid.id)
      assert.strictEqual(at(yield* desk.status(blocked.id), "next_action"), "WAIT_FOR_SETTLEMENT")
      assert.isString(at(yield* desk.read(blocked.id), "quote", "blocked_until"))
      const settled = yield* desk.contracting("69")
      const proposal = yield* desk.reaches(settled.proposal, "SETTLED")
      assert.isString(at(proposal, "data", "settled_at"))
      assert.deepStrictEqual(historyOf(proposal).slice(-2), ["PAID", "SETTLED"])
      const free = yield* quotedAgain(desk, settled.id)
      assert.strictEqual(at(yield* desk.status(free.id), "next_action"), "ACCEPT_OFFER")
      assert.strictEqual((yield* desk.accept(free.id, free.offer)).status, 202)
    }),

  "not opened for a customer under 18": (desk) =>
    Effect.gen(function*() {
      const { id } = yield* desk.quoted("00")
      const customer = { cpf: cpfOf(yield* desk.read(id)), birth_date: `${new Date().getFullYear() - 10}-01-01` }
      const reply = yield* desk.open(customer.cpf, "minor", { json: { external_id: "minor", customer } })
      assert.deepStrictEqual(refusedFieldOf(reply), [422, "VALIDATION_FAILED", "customer.birth_date", "OUT_OF_RANGE"])
    }),

  "filled in from an earlier KYC only with the CPF and the birth date of the customer": (desk) =>
    Effect.gen(function*() {
      const { id } = yield* desk.quoted("00")
      const first = yield* desk.read(id)
      const cpf = cpfOf(first)
      const mother_name = at(yield* desk.kyc(id), "mother_name")
      assert.isString(mother_name)
      const suggested = Effect.fnUntraced(function*(birth_date: unknown) {
        const opened = yield* desk.open(cpf, "known", {
          json: { external_id: "known", customer: { cpf, birth_date } }
        })
        const kyc = yield* desk.kyc(idOf(opened))
        return [at(kyc, "mother_name"), at(kyc, "address"), at(kyc, "pix")]
      })
      const known = yield* suggested(at(first, "customer", "birth_date"))
      assert.strictEqual(known[0], mother_name)
      assert.isNotNull(known[1])
      assert.isNull(known[2])
      assert.deepStrictEqual(yield* suggested("1991-05-17"), [null, null, null])
    }),

  "listed under its present status, and under no other": (desk) =>
    Effect.gen(function*() {
      const { id } = yield* desk.quoted("00")
      const cpf = cpfOf(yield* desk.read(id))
      const listed = Effect.fnUntraced(function*(status: string) {
        const page = yield* desk.list(`cpf=${cpf}&status=${status}`)
        assert.strictEqual(page.status, 200, page.text)
        const content = at(page, "content") as ReadonlyArray<
          { readonly application_id: string; readonly status: string }
        >
        assert.strictEqual(at(page, "page", "total_elements"), content.length)
        return content.map((item) => [item.application_id, item.status])
      })
      assert.deepStrictEqual(yield* listed("QUOTED"), [[id, "QUOTED"]])
      assert.deepStrictEqual(yield* listed("CANCELLED"), [])
      assert.strictEqual((yield* desk.cancel(id)).status, 202)
      assert.deepStrictEqual(yield* listed("QUOTED"), [])
      assert.deepStrictEqual(yield* listed("CANCELLED"), [[id, "CANCELLED"]])
    })
}
