import { assert } from "@effect/vitest"
import { type Cpf } from "@lastro/domain/values"
import { Effect } from "effect"
import { at, type Reply } from "./asking.ts"
import { idOf, isSettled, kycOf } from "./desk.ts"
import { refusalOf, type Visit } from "./Visit.ts"

const cpfOf = (reply: Reply) => at(reply, "customer", "cpf") as Cpf

/** Opens another application of the customer of an application, and returns it with its offer and a complete KYC. */
const quotedAgain = Effect.fnUntraced(function*(visit: Visit, id: string) {
  const cpf = cpfOf(yield* visit.read(id))
  const opened = yield* visit.open(cpf, `again-${id}`)
  assert.strictEqual(opened.status, 201, opened.text)
  const again = idOf(opened)
  yield* visit.until(again, isSettled)
  assert.strictEqual((yield* visit.submitKyc(again, kycOf(cpf))).status, 200)
  return { id: again, offer: String(at(yield* visit.read(again), "quote", "offers", 0, "offer_id")) }
})

const existing = [409, "OFFER_NOT_AVAILABLE", "offer_id", "EXISTING_CONTRACT"]

const refusedFieldOf = (reply: Reply): ReadonlyArray<unknown> => [
  ...refusalOf(reply),
  at(reply, "error", "details", 0, "field"),
  at(reply, "error", "details", 0, "code")
]

/** The guards of an application: duplicate contracts, minors, the suggestions of the KYC, and the list by status. */
export const guards: Readonly<Record<string, (visit: Visit) => Effect.Effect<void>>> = {
  "not contracted while another contract pledges the same withdrawals": (visit) =>
    Effect.gen(function*() {
      const { id, offer } = yield* visit.quoted("00")
      const other = yield* quotedAgain(visit, id)
      const accepted = yield* Effect.all([visit.accept(id, offer), visit.accept(other.id, other.offer)], {
        concurrency: 2
      })
      const [won, lost] = accepted.toSorted((one, another) => one.status - another.status)
      assert.deepStrictEqual([won?.status, lost?.status], [202, 409])
      assert.deepStrictEqual(lost === undefined ? [] : refusedFieldOf(lost), existing)
      const third = yield* quotedAgain(visit, id)
      assert.deepStrictEqual(refusedFieldOf(yield* visit.accept(third.id, third.offer)), existing)
    }),

  "not opened for a customer under 18": (visit) =>
    Effect.gen(function*() {
      const { id } = yield* visit.quoted("00")
      const customer = { cpf: cpfOf(yield* visit.read(id)), birth_date: `${new Date().getFullYear() - 10}-01-01` }
      const reply = yield* visit.open(customer.cpf, "minor", { json: { external_id: "minor", customer } })
      assert.deepStrictEqual(refusedFieldOf(reply), [422, "VALIDATION_FAILED", "customer.birth_date", "OUT_OF_RANGE"])
    }),

  "filled in from an earlier KYC only with the CPF and the birth date of the customer": (visit) =>
    Effect.gen(function*() {
      const { id } = yield* visit.quoted("00")
      const first = yield* visit.read(id)
      const cpf = cpfOf(first)
      const mother_name = at(yield* visit.kyc(id), "mother_name")
      assert.isString(mother_name)
      const suggested = Effect.fnUntraced(function*(birth_date: unknown) {
        const opened = yield* visit.open(cpf, "known", {
          json: { external_id: "known", customer: { cpf, birth_date } }
        })
        const kyc = yield* visit.kyc(idOf(opened))
        return [at(kyc, "mother_name"), at(kyc, "address"), at(kyc, "pix")]
      })
      const known = yield* suggested(at(first, "customer", "birth_date"))
      assert.strictEqual(known[0], mother_name)
      assert.isNotNull(known[1])
      assert.isNull(known[2])
      assert.deepStrictEqual(yield* suggested("1991-05-17"), [null, null, null])
    }),

  "listed under its present status, and under no other": (visit) =>
    Effect.gen(function*() {
      const { id } = yield* visit.quoted("00")
      const cpf = cpfOf(yield* visit.read(id))
      const listed = Effect.fnUntraced(function*(status: string) {
        const page = yield* visit.list(`cpf=${cpf}&status=${status}`)
        assert.strictEqual(page.status, 200, page.text)
        const content = at(page, "content") as ReadonlyArray<
          { readonly application_id: string; readonly status: string }
        >
        assert.strictEqual(at(page, "page", "total_elements"), content.length)
        return content.map((item) => [item.application_id, item.status])
      })
      assert.deepStrictEqual(yield* listed("QUOTED"), [[id, "QUOTED"]])
      assert.deepStrictEqual(yield* listed("CANCELLED"), [])
      assert.strictEqual((yield* visit.cancel(id)).status, 202)
      assert.deepStrictEqual(yield* listed("QUOTED"), [])
      assert.deepStrictEqual(yield* listed("CANCELLED"), [[id, "CANCELLED"]])
    })
}
