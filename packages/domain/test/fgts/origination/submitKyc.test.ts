import { assert, describe, it } from "@effect/vitest"
import {
  aCompleteKyc,
  givenApplication,
  givenContract,
  moved,
  PendingWork,
  saving,
  ScriptedLender
} from "@lastro/testkit"
import { Effect } from "effect"
import { type Application } from "../../../src/fgts/application/Application.ts"
import { emptyKyc } from "../../../src/fgts/kyc/KycValues.ts"
import { getKyc } from "../../../src/fgts/origination/GetKyc.ts"
import { KycSuggestions } from "../../../src/fgts/origination/KycSuggestions.ts"
import { submitKyc } from "../../../src/fgts/origination/SubmitKyc.ts"
import { submitContract } from "../../../src/fgts/work/submitContract.ts"
import { type Allowed } from "../../../src/identity/Authorization.ts"
import { type PartnerDetail } from "../../../src/partner/PartnerDetail.ts"
import { currentTimestamp } from "../../../src/time/Timestamp.ts"
import { auditOf, byHand, callerOf, givenWorld, may, present, refused } from "../../fixtures.ts"

const setUp = Effect.gen(function*() {
  const trees = yield* givenWorld
  const caller = yield* callerOf(trees.aAdmin)
  return {
    ...trees,
    reading: yield* may(caller, "kyc:read"),
    writing: yield* may(caller, "fgts:write"),
    /** The same caller with a token without `kyc:read`. */
    withoutKycRead: yield* may(yield* callerOf(trees.aAdmin, ["fgts:write"]), "fgts:write"),
    stranger: yield* may(yield* callerOf(trees.strangerAdmin), "fgts:write")
  }
})

/** A contract with a failed payment. */
const storeUnpaidContract = Effect.fnUntraced(function*(partner: PartnerDetail) {
  const contract = yield* givenContract(partner, { at: yield* currentTimestamp })
  return yield* saving(contract, moved(contract, "DISBURSEMENT_FAILED"))
})

const submit = (writing: Allowed<"fgts:write">, { application_id }: Application, body: unknown) =>
  submitKyc(writing, application_id, body)

const lastEntry = ({ application_id }: Application) => Effect.map(auditOf(application_id), (entries) => entries.at(-1))

const hashOf = (entryState: unknown): unknown => Reflect.get(entryState as object, "disbursement_hash")

describe("submitKyc", () => {
  it.effect("KYC-05 KYC-06 returns suggestions until the first submission, and reading stores nothing", () =>
    byHand(Effect.gen(function*() {
      const { a, reading, writing } = yield* setUp
      const application = yield* givenApplication(a, { at: yield* currentTimestamp })
      const read = yield* getKyc(reading, application.application_id)
      assert.strictEqual(read.status, "PREFILLED")
      assert.deepStrictEqual(yield* present(application), application)
      const nothing = yield* submit(writing, application, {})
      assert.deepStrictEqual(nothing, read)
      assert.deepStrictEqual(yield* present(application), application)
      const submitted = yield* submit(writing, application, JSON.parse(JSON.stringify(read)))
      assert.deepStrictEqual(submitted, { ...read, ...submitted, prefilled_fields: [], status: "PARTIAL" })
      assert.deepStrictEqual(yield* getKyc(reading, application.application_id), submitted)
      assert.strictEqual((yield* lastEntry(application))?.action, "application.kyc")
      const again = (yield* present(application)).version
      yield* submit(writing, application, JSON.parse(JSON.stringify(submitted)))
      assert.strictEqual((yield* present(application)).version, again)
    })))

  it.effect("KYC-05 looks up suggestions only if they are shown: submitted values replace them", () =>
    byHand(Effect.gen(function*() {
      const { a, writing } = yield* setUp
      const application = yield* givenApplication(a, { at: yield* currentTimestamp })
      const unusedSuggestions = KycSuggestions.of({
        suggest: () => Effect.die(new Error("suggestions were requested"))
      })
      const whole = aCompleteKyc().for(application.customer).build()
      const { status } = yield* Effect.provideService(
        submit(writing, application, whole),
        KycSuggestions,
        unusedSuggestions
      )
      assert.strictEqual(status, "COMPLETE")
    })))

  it.effect("KYC-10 without permission to read KYC, the answer contains derived fields and no values", () =>
    byHand(Effect.gen(function*() {
      const { a, withoutKycRead } = yield* setUp
      const application = yield* givenApplication(a, { at: yield* currentTimestamp })
      const answer = yield* submit(withoutKycRead, application, aCompleteKyc().for(application.customer).build())
      assert.deepStrictEqual(answer, {
        ...emptyKyc,
        complete: true,
        missing_fields: [],
        status: "COMPLETE",
        prefilled_fields: []
      })
      assert.strictEqual((yield* present(application)).kyc?.cpf, application.customer.cpf)
    })))

  it.effect("KYC-02 T45 a changed disbursement account leaves keyed hashes of the old and the new account in the audit, and no plain values", () =>
    byHand(Effect.gen(function*() {
      const { a, writing } = yield* setUp
      const unpaid = yield* storeUnpaidContract(a)
      yield* submit(writing, unpaid, { pix: { type: "PHONE", key: "11987654321" } })
      const entry = yield* lastEntry(unpaid)
      const [before, after] = [hashOf(entry?.before), hashOf(entry?.after)]
      assert.isString(before)
      assert.isString(after)
      assert.notStrictEqual(before, after)
      assert.includeMembers([...(entry?.changed ?? [])], [
        "disbursement_hash",
        "kyc.pix.key",
        "proposal.disbursement_attempt"
      ])
      const text = JSON.stringify(entry)
      for (const secret of ["11987654321", unpaid.customer.cpf]) assert.notInclude(text, secret)
    })))

  it.effect("T45 the same account has the same hash, whatever the field order", () =>
    byHand(Effect.gen(function*() {
      const { a, writing } = yield* setUp
      const unpaid = yield* storeUnpaidContract(a)
      const { pix } = unpaid.kyc!
      const reordered = yield* saving(unpaid, {
        ...unpaid,
        kyc: { ...unpaid.kyc!, pix: { key: pix!.key, type: pix!.type } }
      })
      yield* submit(writing, reordered, { pix: { key: pix!.key, type: pix!.type } })
      const entry = yield* lastEntry(unpaid)
      assert.isString(hashOf(entry?.after))
      assert.strictEqual(hashOf(entry?.before), hashOf(entry?.after))
    })))

  it.effect("KYC-02 each submission of a disbursement account after a failed payment requests one repeated payment", () =>
    byHand(Effect.gen(function*() {
      const { a, writing } = yield* setUp
      const unpaid = yield* givenContract(a, { at: yield* currentTimestamp })
      const scripted = yield* ScriptedLender
      const work = yield* PendingWork
      yield* scripted.bringsContractsTo("DISBURSEMENT_FAILED")
      yield* submitContract(unpaid.proposal!.proposal_id)
      for (const attempt of [2, 3]) {
        const answer = yield* submit(writing, unpaid, { disbursement_method: "PIX" })
        assert.strictEqual(answer.status, "LOCKED")
        assert.strictEqual((yield* work.pending).length, 1)
        yield* work.finish
        assert.strictEqual((yield* present(unpaid)).proposal?.disbursement_attempt, attempt)
      }
      yield* submit(writing, unpaid, { pix: {} })
      yield* submit(writing, unpaid, {})
      assert.deepStrictEqual(yield* work.pending, [])
      assert.strictEqual((yield* scripted.contracts)[0]?.payments.length, 3)
    })))

  it.effect("KYC-02 T45 refusals change nothing: outside the hierarchy, invalid, locked or incomplete account", () =>
    byHand(Effect.gen(function*() {
      const { a, stranger, writing } = yield* setUp
      const unpaid = yield* storeUnpaidContract(a)
      const contract = yield* givenContract(a, { at: yield* currentTimestamp })
      yield* refused(submit(stranger, unpaid, { name: 1 }), "OutsideHierarchy")
      yield* refused(submit(writing, contract, { name: 1 }), "name INVALID_TYPE")
      yield* refused(submit(writing, contract, { pix: contract.kyc!.pix }), "KycLocked")
      yield* refused(submit(writing, unpaid, { name: "Outra Pessoa", disbursement_method: "PIX" }), "KycLocked")
      yield* refused(submit(writing, unpaid, { pix: { type: "CPF", key: "11144477735" } }), "pix.key MISMATCH")
      yield* refused(submit(writing, unpaid, { disbursement_method: "BANK_TRANSFER" }), "KycIncomplete")
    })))
})
