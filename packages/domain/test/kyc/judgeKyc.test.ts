import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import * as fc from "fast-check"
import { emptyKyc, type KycValues } from "../../src/kyc/KycValues.ts"
import { hasDisbursementFields, judgeKycName, patchKyc } from "../../src/kyc/patchKyc.ts"
import { expectProblems } from "../input/problems.ts"
import { completeKyc, newApplication } from "../loan/examples.ts"
import { checkProblems, submitBody, today, withKyc } from "./kycs.ts"

describe("KYC consistency", () => {
  it("KYC-07 CPF and birth date must match the application", () => {
    checkProblems({ cpf: "11144477735" }, ["cpf MISMATCH"], null)
    checkProblems({ birth_date: "1990-05-18" }, ["birth_date MISMATCH"], null)
    checkProblems({ cpf: "529.982.247-25", birth_date: "1990-05-17" }, [], null)
    checkProblems({ cpf: null, birth_date: null }, [])
    checkProblems({ cpf: "11144477734" }, ["cpf INVALID_CHECK_DIGIT"])
  })

  it("KYC-07 a PIX key of type CPF must be the customer's own; other types may belong to anyone", () => {
    checkProblems({ pix: { type: "CPF", key: "529.982.247-25" } }, [])
    checkProblems({ pix: { type: "CPF", key: "11144477735" } }, ["pix.key MISMATCH"])
    checkProblems({ pix: { type: "CPF", key: "11144477734" } }, ["pix.key INVALID_CHECK_DIGIT"])
    checkProblems({ pix: { type: "PHONE", key: "11912345684" } }, [])
    checkProblems({ pix: { type: "CNPJ", key: "11.222.333/0001-81" } }, [])
    assert.deepStrictEqual<unknown>(submitBody({ pix: { type: "CPF", key: "529.982.247-25" } }).pix, {
      type: "CPF",
      key: "52998224725"
    })
  })

  it("KYC-07 a document cannot be issued before its holder's birth or after today", () => {
    for (const issued_at of ["1990-05-17", "2010-01-01", "2026-01-31"]) {
      checkProblems({ document: { issued_at } }, [], null)
    }
    for (const issued_at of ["1850-01-01", "1990-05-16", "1900-01-01", "2026-02-01", "2199-12-31", "2999-01-01"]) {
      const judged = patchKyc(newApplication(), { document: { issued_at } }, today)
      const params = issued_at > today ? { max: today } : { not_before: "birth_date" }
      assert.deepStrictEqual(Result.isFailure(judged) ? judged.failure.problems : [], [
        { field: "document.issued_at", code: "OUT_OF_RANGE", params }
      ])
    }
    checkProblems({ document: { issued_at: "2026-02-30" } }, ["document.issued_at INVALID_FORMAT"], null)
  })

  it("KYC-17 a submitted name must be that of the application, whatever its case, accents and spaces", () => {
    const application = newApplication()
    const named = (name: string | null, kyc: KycValues | null = null) => ({
      ...application,
      kyc,
      customer: { ...application.customer, name }
    })
    const submit = (subject: Parameters<typeof patchKyc>[0], name: string) => patchKyc(subject, { name }, today)
    for (const name of ["João  da Silva", "JOAO DA SILVA", "joa\u0303o da silva"]) {
      assert.isTrue(Result.isSuccess(submit(named("João da Silva"), name)), name)
      assert.isTrue(Result.isSuccess(submit(named(null), name)), name)
    }
    for (const name of ["João da Silva Souza", "Joana da Silva", "Joãoda Silva"]) {
      expectProblems(submit(named("João da Silva"), name), ["name MISMATCH"])
    }
    // A name from before the rule does not keep a customer from submitting the other fields.
    const stored = { ...completeKyc, name: "Maria Lima" } as KycValues
    assert.isTrue(Result.isSuccess(patchKyc(named("João da Silva", stored), { phone: "11987654321" }, today)))
    assert.isTrue(Result.isSuccess(submit(named("João da Silva", stored), "Maria Lima")))
    expectProblems(submit(named("João da Silva", stored), "Maria Souza"), ["name MISMATCH"])
  })

  it("KYC-17 any spelling of the same name is accepted, and a name with another letter is not", () => {
    const names = fc.array(fc.stringMatching(/^[a-z]{2,8}$/), { minLength: 1, maxLength: 4 })
    fc.assert(fc.property(names, fc.nat({ max: 3 }), (words, spaces) => {
      const { customer } = newApplication()
      const judge = (name: string) =>
        judgeKycName({ customer: { ...customer, name: words.join(" ") }, kyc: null, proposal: null }, {
          name: name as NonNullable<KycValues["name"]>
        })
      assert.isTrue(Result.isSuccess(judge(words.join(" ".repeat(spaces + 1)).toUpperCase())))
      assert.isTrue(Result.isFailure(judge(`${words.join(" ")}x`)))
    }))
  })

  it("KYC-07 a problem reveals no personal data", () => {
    const failed = patchKyc(
      newApplication(),
      { cpf: "11144477735", birth_date: "1991-01-01", document: { issued_at: "1980-01-01" } },
      today
    )
    const shown = JSON.stringify(Result.isFailure(failed) ? failed.failure.problems : failed)
    for (const secret of ["52998224725", "11144477735", "1990-05-17", "1991-01-01", "1980-01-01"]) {
      assert.notInclude(shown, secret)
    }
  })
})

describe("PIX key of a KYC", () => {
  const key = (type: string | null, text: string | null) => ({ ...completeKyc, pix: { type, key: text } }) as KycValues

  it("KYC-09 is parsed by its type as soon as both are present, in either order", () => {
    assert.deepStrictEqual<unknown>(submitBody({ pix: { type: "PHONE", key: "(11) 98765-4321" } }, null).pix, {
      type: "PHONE",
      key: "+5511987654321"
    })
    assert.deepStrictEqual<unknown>(submitBody({ pix: { key: "ANA@EXAMPLE.COM" } }).pix, {
      type: "EMAIL",
      key: "ana@example.com"
    })
    assert.deepStrictEqual<unknown>(submitBody({ pix: { key: "(11) 98765-4321" } }, null).pix, {
      type: null,
      key: "(11) 98765-4321"
    })
    checkProblems({ pix: { type: "EMAIL" } }, [], key(null, "maria@example.com"))
    checkProblems({ pix: { type: "EVP", key: "maria@example.com" } }, ["pix.key INVALID_FORMAT"])
    checkProblems({ pix: { key: "11987654321" } }, ["pix.key INVALID_FORMAT"])
  })

  it("KYC-09 a type submitted alone never reinterprets the stored key", () => {
    const ambiguous = {
      ...withKyc(key("CPF", "11912345684")),
      customer: { ...newApplication().customer, cpf: "11912345684" as never }
    }
    const alone = (type: string) =>
      patchKyc({ ...ambiguous, kyc: { ...emptyKyc, pix: ambiguous.kyc!.pix } }, { pix: { type } }, today)
    expectProblems(alone("PHONE"), ["pix.key INVALID_FORMAT"])
    expectProblems(alone("EMAIL"), ["pix.key INVALID_FORMAT"])
    expectProblems(alone("CPF"), [])
    checkProblems({ pix: { type: "PHONE" } }, ["pix.key INVALID_FORMAT"], key(null, "11912345684"))
    checkProblems({ pix: { type: null } }, [], key("PHONE", "+5511912345684"))
  })

  it("KYC-09 T21 T22 is validated as storable text while its type is unknown", () => {
    for (const text of ["\u0000", "a\u0000b", "\ud800", "\u202e"]) {
      checkProblems({ pix: { key: text } }, ["pix.key INVALID_FORMAT"], null)
    }
    checkProblems({ pix: { key: "x".repeat(78) } }, ["pix.key TOO_LONG"], null)
    checkProblems({ pix: { key: " " } }, ["pix.key TOO_SHORT"], null)
    checkProblems({ pix: { key: "x".repeat(77) } }, [], null)
    checkProblems({ pix: { key: 1 } }, ["pix.key INVALID_TYPE"], null)
  })
})

describe("hasDisbursementFields", () => {
  it("KYC-02 method, key or account states the disbursement account, even if unchanged or null", () => {
    for (
      const body of [{ disbursement_method: "PIX" }, { pix: null }, { bank: { agency: "1" } }, { pix: completeKyc.pix }]
    ) {
      assert.isTrue(hasDisbursementFields(body))
    }
    const silent = [
      {},
      { name: "Ana" },
      { pix: {} },
      { bank: {}, pix: {} },
      null,
      [],
      "pix",
      Object.create({ pix: null })
    ]
    for (const body of silent) assert.isFalse(hasDisbursementFields(body))
  })
})
