import { assert, describe, it } from "@effect/vitest"
import {
  aCompleteKyc,
  PendingWork,
  recordContractStatus,
  saveApplication,
  ScriptedLender,
  storeApplication,
  storeContractedApplication
} from "@lastro/testkit"
import { Effect } from "effect"
import { type Allowed } from "../../src/access/Authorization.ts"
import { submitContract } from "../../src/jobs/runContract.ts"
import { emptyKyc } from "../../src/kyc/KycValues.ts"
import { type Application } from "../../src/loan/Application.ts"
import { type FgtsKycAnswer, getKyc, KycSuggestions } from "../../src/origination/GetKyc.ts"
import { submitKycIf } from "../../src/origination/SubmitKyc.ts"
import { type PartnerDetail } from "../../src/partner/PartnerDetail.ts"
import { currentTimestamp } from "../../src/values/Timestamp.ts"
import { submitKyc } from "../commands.ts"
import {
  auditEntriesOf,
  callerOf,
  expectRefusal,
  loadApplication,
  permit,
  runWithoutWorkers,
  storeTwoTrees
} from "../fixtures.ts"

const setUp = Effect.gen(function*() {
  const trees = yield* storeTwoTrees
  const caller = yield* callerOf(trees.aAdmin)
  return {
    ...trees,
    reading: yield* permit(caller, "kyc:read"),
    writing: yield* permit(caller, "fgts:write"),
    /** The same caller with a token without `kyc:read`. */
    withoutKycRead: yield* permit(yield* callerOf(trees.aAdmin, ["fgts:write"]), "fgts:write"),
    stranger: yield* permit(yield* callerOf(trees.strangerAdmin), "fgts:write")
  }
})

/** A contract with a failed payment. */
const storeUnpaidContract = Effect.fnUntraced(function*(partner: PartnerDetail) {
  const contract = yield* storeContractedApplication(partner, { at: yield* currentTimestamp })
  return yield* saveApplication(contract, recordContractStatus(contract, "DISBURSEMENT_FAILED"))
})

const submit = (writing: Allowed<"fgts:write">, { application_id }: Application, body: unknown) =>
  submitKyc(writing, application_id, body)

const lastEntry = ({ application_id }: Application) =>
  Effect.map(auditEntriesOf(application_id), (entries) => entries.at(-1))

const hashOf = (entryState: unknown): unknown => Reflect.get(entryState as object, "disbursement_hash")

describe("submitKyc", () => {
  it.effect("KYC-05 KYC-06 returns suggestions until the first submission, and reading stores only an audit entry", () =>
    runWithoutWorkers(Effect.gen(function*() {
      const { a, reading, writing } = yield* setUp
      const application = yield* storeApplication(a, { at: yield* currentTimestamp })
      const read = yield* getKyc(reading, application.application_id)
      assert.strictEqual(read.status, "PREFILLED")
      assert.deepStrictEqual(yield* loadApplication(application), application)
      const nothing = yield* submit(writing, application, {})
      assert.deepStrictEqual(nothing, read)
      assert.deepStrictEqual(yield* loadApplication(application), application)
      const submitted = yield* submit(writing, application, JSON.parse(JSON.stringify(read)))
      assert.deepStrictEqual(submitted, { ...read, ...submitted, prefilled_fields: [], status: "PARTIAL" })
      assert.deepStrictEqual(yield* getKyc(reading, application.application_id), submitted)
      const actions = (yield* auditEntriesOf(application.application_id)).map(({ action }) => action)
      assert.deepStrictEqual(actions.slice(-3), ["application.kyc_read", "application.kyc", "application.kyc_read"])
      const again = (yield* loadApplication(application)).version
      yield* submit(writing, application, JSON.parse(JSON.stringify(submitted)))
      assert.strictEqual((yield* loadApplication(application)).version, again)
    })))

  it.effect("KYC-05 looks up suggestions only if they are shown: submitted values replace them", () =>
    runWithoutWorkers(Effect.gen(function*() {
      const { a, writing } = yield* setUp
      const application = yield* storeApplication(a, { at: yield* currentTimestamp })
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
    runWithoutWorkers(Effect.gen(function*() {
      const { a, withoutKycRead } = yield* setUp
      const created_by = withoutKycRead.caller.subject
      const application = yield* storeApplication(a, { at: yield* currentTimestamp, created_by })
      const answer = yield* submit(withoutKycRead, application, aCompleteKyc().for(application.customer).build())
      assert.deepStrictEqual(answer, {
        ...emptyKyc,
        complete: true,
        missing_fields: [],
        status: "COMPLETE",
        prefilled_fields: [],
        next_action: "WAIT"
      })
      assert.strictEqual((yield* loadApplication(application)).kyc?.cpf, application.customer.cpf)
    })))

  it.effect("KYC-02 T45 a changed disbursement account leaves keyed hashes of the old and the new account in the audit, and no plain values", () =>
    runWithoutWorkers(Effect.gen(function*() {
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
    runWithoutWorkers(Effect.gen(function*() {
      const { a, writing } = yield* setUp
      const unpaid = yield* storeUnpaidContract(a)
      const { pix } = unpaid.kyc!
      const reordered = yield* saveApplication(unpaid, {
        ...unpaid,
        kyc: { ...unpaid.kyc!, pix: { key: pix!.key, type: pix!.type } }
      })
      yield* submit(writing, reordered, { pix: { key: pix!.key, type: pix!.type } })
      const entry = yield* lastEntry(unpaid)
      assert.isString(hashOf(entry?.after))
      assert.strictEqual(hashOf(entry?.before), hashOf(entry?.after))
    })))

  it.effect("KYC-02 each submission of a disbursement account after a failed payment requests one repeated payment", () =>
    runWithoutWorkers(Effect.gen(function*() {
      const { a, writing } = yield* setUp
      const unpaid = yield* storeContractedApplication(a, { at: yield* currentTimestamp })
      const scripted = yield* ScriptedLender
      const work = yield* PendingWork
      yield* scripted.setContractStatus("DISBURSEMENT_FAILED")
      yield* submitContract(unpaid.proposal!.proposal_id)
      for (const attempt of [2, 3]) {
        const answer = yield* submit(writing, unpaid, { disbursement_method: "PIX" })
        assert.strictEqual(answer.status, "LOCKED")
        assert.strictEqual((yield* work.pending).length, 1)
        yield* work.finish
        assert.strictEqual((yield* loadApplication(unpaid)).proposal?.disbursement_attempt, attempt)
      }
      yield* submit(writing, unpaid, { pix: {} })
      yield* submit(writing, unpaid, {})
      assert.deepStrictEqual(yield* work.pending, [])
      assert.strictEqual((yield* scripted.contracts)[0]?.payments.length, 3)
    })))

  it.effect("KYC-02 T45 refusals change nothing: outside the hierarchy, invalid, locked or incomplete account", () =>
    runWithoutWorkers(Effect.gen(function*() {
      const { a, stranger, writing } = yield* setUp
      const unpaid = yield* storeUnpaidContract(a)
      const contract = yield* storeContractedApplication(a, { at: yield* currentTimestamp })
      yield* expectRefusal(submit(stranger, unpaid, { name: 1 }), "OutsideHierarchy")
      yield* expectRefusal(submit(writing, contract, { name: 1 }), "name INVALID_TYPE")
      yield* expectRefusal(submit(writing, contract, { pix: contract.kyc!.pix }), "KycLocked")
      yield* expectRefusal(submit(writing, unpaid, { name: "Outra Pessoa", disbursement_method: "PIX" }), "KycLocked")
      yield* expectRefusal(submit(writing, unpaid, { pix: { type: "CPF", key: "11144477735" } }), "pix.key MISMATCH")
      yield* expectRefusal(submit(writing, unpaid, { disbursement_method: "BANK_TRANSFER" }), "KycIncomplete")
    })))

  it.effect("PRE-01 HIER-02 a conditional submission is judged by the KYC that was submitted before, after the hierarchy", () =>
    runWithoutWorkers(Effect.gen(function*() {
      const { a, reading, stranger, writing } = yield* setUp
      const { application_id } = yield* storeApplication(a, { at: yield* currentTimestamp })
      const seen: Array<FgtsKycAnswer> = []
      const submitIf = (isMet: boolean, by: Allowed<"fgts:write"> = writing) =>
        submitKycIf(by, application_id, { gender: "F" }, (kyc) => seen.push(kyc) > 0 && isMet)
      yield* expectRefusal(submitIf(true, stranger), "OutsideHierarchy")
      assert.deepStrictEqual(seen, [])
      yield* expectRefusal(submitIf(false), "PreconditionFailed")
      assert.strictEqual(seen[0]?.status, "EMPTY")
      assert.strictEqual((yield* getKyc(reading, application_id)).gender, null)
      yield* submitIf(true)
      yield* expectRefusal(submitIf(false), "PreconditionFailed")
      assert.deepStrictEqual(seen.at(-1), yield* getKyc(reading, application_id))
    })))
})
