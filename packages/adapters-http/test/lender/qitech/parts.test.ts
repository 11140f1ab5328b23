import { assert, describe, it } from "@effect/vitest"
import { annualRate, judgeLenderOffer, policyOn, priceOffer } from "@lastro/domain/offer"
import {
  addDays,
  businessDayFrom,
  calendarDate,
  centavos,
  daysBetween,
  percent,
  type ProposalId
} from "@lastro/domain/values"
import { type Financial, simulateLoan } from "@lastro/testkit/qitech"
import { Option, Result } from "effect"
import * as fc from "fast-check"
import { generateKeyPairSync, type KeyObject } from "node:crypto"
import { invalidFieldsOf } from "../../../src/lender/qitech/invalidFields.ts"
import { decodeRef, encodeRef } from "../../../src/lender/qitech/lenderRef.ts"
import { isForbidden, isThrottled, readError } from "../../../src/lender/qitech/QitechRefused.ts"
import { type BalanceResult, decodeState, encodeState, type QuoteState } from "../../../src/lender/qitech/quoteState.ts"
import { proposalOfRequesterKey, requesterKeyOf } from "../../../src/lender/qitech/reference.ts"
import {
  claimTime,
  emptyPayload,
  md5,
  readPrivateKey,
  readPublicKey,
  signClaims,
  verifyClaims
} from "../../../src/lender/qitech/signing.ts"
import { financialOf, type LoanPlan, termsOf } from "../../../src/lender/qitech/terms.ts"

const pair = generateKeyPairSync("ec", { namedCurve: "P-521" })

const bytes = (text: string) => new TextEncoder().encode(text)

describe("signatures of QI Tech", () => {
  it("have the hashes and the time of its documentation", () => {
    assert.strictEqual(md5(emptyPayload), "99914b932bd37a50b983c5e7c90ae93b")
    assert.strictEqual(md5(bytes(`{"document_number":"00000000191"}`)), "c278d725c98f7bf9406f23dedbc93639")
    assert.strictEqual(claimTime(Date.parse("2026-11-23T12:00:00Z")), "2026-11-23T12:00:00.000000Z")
  })

  it("verify what was signed, and nothing else", () => {
    const claims = { payload_md5: "a", timestamp: "b", method: "POST", uri: "/c" }
    const token = signClaims(pair.privateKey, claims)
    assert.deepStrictEqual(verifyClaims(pair.publicKey, token), Option.some(claims))
    const [header, payload, signature] = token.split(".") as [string, string, string]
    const other = Buffer.from(JSON.stringify({ ...claims, uri: "/d" })).toString("base64url")
    const none = Buffer.from(JSON.stringify({ alg: "none" })).toString("base64url")
    for (
      const forged of [
        `${header}.${other}.${signature}`,
        `${none}.${payload}.`,
        `${header}.${payload}`,
        "",
        `${token}.x`
      ]
    ) {
      assert.isTrue(Option.isNone(verifyClaims(pair.publicKey, forged)), forged)
    }
  })

  it("need keys of the curve P-521", () => {
    const pem = (key: KeyObject, type: "pkcs8" | "spki") => key.export({ type, format: "pem" }).toString()
    const small = generateKeyPairSync("ec", { namedCurve: "P-256" })
    assert.isTrue(Result.isSuccess(readPrivateKey(pem(pair.privateKey, "pkcs8"))))
    assert.isTrue(Result.isSuccess(readPublicKey(pem(pair.publicKey, "spki"))))
    assert.isTrue(Result.isFailure(readPrivateKey(pem(small.privateKey, "pkcs8"))))
    assert.isTrue(Result.isFailure(readPublicKey(pem(small.publicKey, "spki"))))
    assert.isTrue(Result.isFailure(readPublicKey(pem(pair.privateKey, "pkcs8"))))
    assert.isTrue(Result.isFailure(readPrivateKey("nothing")))
  })
})

describe("requester identifier keys", () => {
  it("are UUIDs of version 4, one for each proposal, and can be converted back", () => {
    fc.assert(fc.property(fc.uuid({ version: 7 }), (id) => {
      const key = requesterKeyOf(id as ProposalId)
      assert.match(key, /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
      assert.strictEqual(proposalOfRequesterKey(key), id)
    }))
    assert.isNull(proposalOfRequesterKey("something"))
  })
})

describe("disbursement days", () => {
  it("are neither on weekends nor on bank holidays", () => {
    const days = [
      ["2026-12-01", "2026-12-01"],
      ["2026-12-05", "2026-12-07"],
      ["2026-12-25", "2026-12-28"],
      ["2027-02-08", "2027-02-10"],
      ["2027-03-26", "2027-03-29"],
      ["2027-05-27", "2027-05-28"],
      ["2026-11-20", "2026-11-23"]
    ] as const
    for (const [date, day] of days) assert.strictEqual(businessDayFrom(calendarDate(date)), calendarDate(day), date)
  })
})

const plan: LoanPlan = {
  monthly_rate: percent(1.8),
  fee: { kind: "none" },
  released_on: calendarDate("2026-11-23"),
  disbursed_on: calendarDate("2026-11-23"),
  installments: ["2027-04-01", "2028-04-01", "2029-04-01"].map((date) => ({
    due_date: calendarDate(date),
    amount: centavos(500_00)
  })),
  fine: { contract_fine_rate: 0.02, monthly_rate: 0.01 }
}

/** An answer in the form of QI Tech's page of simulations. */
const simulated = {
  issue_amount: 1135.41,
  disbursed_issue_amount: 1105.04,
  base_iof: 26.05859285,
  additional_iof: 4.314558,
  total_iof: 30.37,
  cet: 2.02,
  annual_cet: 27.07,
  installments: [
    { due_date: "2027-04-01", total_amount: 500, calendar_days: 129, prefixed_amount: 90.52689742 },
    { due_date: "2028-04-01", total_amount: 500, calendar_days: 495, prefixed_amount: 176.50996189 },
    { due_date: "2029-04-01", total_amount: 500, calendar_days: 860, prefixed_amount: 97.55664767 }
  ]
}

describe("terms of QI Tech", () => {
  it("keep the totals of the documented example, and are valid", () => {
    const terms = Result.getOrThrow(termsOf(simulated, plan))
    assert.strictEqual(terms.principal_amount, 1_135_41)
    assert.strictEqual(terms.net_amount, 1_105_04)
    assert.deepStrictEqual([terms.iof_daily_amount, terms.iof_additional_amount, terms.iof_amount], [
      26_06,
      4_31,
      30_37
    ])
    assert.strictEqual(terms.fee_amount, 0)
    assert.deepStrictEqual([terms.monthly_cet, terms.annual_cet], [2.02, 27.07])
    assert.strictEqual(terms.annual_rate, annualRate(percent(1.8)))
    const own = Result.getOrThrow(priceOffer(plan))
    assert.deepStrictEqual(terms.installments, own.installments)
    const conditions = {
      customer: { birth_date: calendarDate("1990-04-20") },
      released_on: plan.released_on,
      policy: policyOn(plan.released_on),
      wish: { max_installments: null }
    }
    assert.deepStrictEqual(judgeLenderOffer(conditions, terms), Result.void)
    assert.deepStrictEqual(
      terms.installments.map(({ calendar_days }) => calendar_days),
      plan.installments.map(({ due_date }) => daysBetween(plan.released_on, due_date))
    )
  })

  it("are lawful for any balance, rate, fee and day", () => {
    const period = fc.record({ amount: fc.integer({ min: 100_00, max: 500_00 }), day: fc.integer({ min: 1, max: 28 }) })
    const inputs = fc.record({
      offset: fc.integer({ min: 151, max: 364 }),
      periods: fc.array(period, { minLength: 1, maxLength: 3 }),
      rate: fc.integer({ min: 50, max: 250 }),
      fee: fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 20 }))
    })
    fc.assert(
      fc.property(inputs, ({ fee, offset, periods, rate }) => {
        const released_on = addDays(calendarDate("2026-11-01"), offset)
        const disbursed_on = businessDayFrom(released_on)
        const installments = periods.map(({ amount, day }, index) => ({
          due_date: calendarDate(`${2028 + index}-04-${String(day).padStart(2, "0")}`),
          amount: centavos(amount)
        }))
        const any: LoanPlan = {
          ...plan,
          released_on,
          disbursed_on,
          installments,
          monthly_rate: percent(rate / 100),
          fee: fee === 0 ? { kind: "none" } : { kind: "percent", percent: percent(fee) }
        }
        const terms = Result.getOrThrow(termsOf(simulateLoan(financialOf(any) as unknown as Financial), any))
        const conditions = {
          customer: { birth_date: calendarDate("1990-04-20") },
          released_on,
          policy: { ...policyOn(released_on), max_monthly_rate: any.monthly_rate },
          wish: { max_installments: null }
        }
        assert.deepStrictEqual(judgeLenderOffer(conditions, terms), Result.void)
      }),
      {
        // A Saturday, with a short term and a high fee.
        examples: [[{ offset: 223, periods: [{ amount: 100_00, day: 1 }], rate: 194, fee: 18 }]]
      }
    )
  })

  it("read a CET that is written as a text", () => {
    const terms = Result.getOrThrow(termsOf({ ...simulated, cet: "2,0200%", annual_cet: "27,0700%" }, plan))
    assert.deepStrictEqual([terms.monthly_cet, terms.annual_cet], [2.02, 27.07])
  })

  it("are refused if they contain another fee than that of the table", () => {
    const net = (disbursed_issue_amount: number) => termsOf({ ...simulated, disbursed_issue_amount }, plan)
    assert.isTrue(Result.isSuccess(net(1105.03)))
    assert.deepStrictEqual(net(1095.04), Result.fail("OTHER_FEES"))
    const fee = { kind: "percent", percent: percent(10) } as const
    assert.deepStrictEqual(termsOf(simulated, { ...plan, fee }), Result.fail("OTHER_FEES"))
  })

  it("are refused if the answer is incomplete or has other instalments", () => {
    for (const name of Object.keys(simulated)) {
      if (name === "base_iof") continue
      assert.deepStrictEqual(termsOf({ ...simulated, [name]: undefined }, plan), Result.fail("UNREADABLE"), name)
    }
    const installments = simulated.installments.slice(1)
    assert.deepStrictEqual(termsOf({ ...simulated, installments }, plan), Result.fail("OTHER_INSTALLMENTS"))
  })
})

describe("errors of QI Tech", () => {
  it("are decoded twice, or once", () => {
    const error = { title: "Bad Request", description: "Failed", code: "COP000090" }
    for (const body of [{ data: JSON.stringify(error) }, error, { data: error }]) {
      const { code, text } = readError(body)
      assert.strictEqual(code, "COP000090")
      assert.include(text, "failed")
    }
    assert.isNull(readError({ code: "01234567890" }).code)
    assert.isNull(readError("<html>").code)
  })

  it("are about credentials or about too many calls", () => {
    assert.isTrue(isForbidden(400, "GDF000003"))
    assert.isTrue(isForbidden(404, "GDF000018"))
    assert.isFalse(isForbidden(404, "LEG000013"))
    assert.isTrue(isThrottled(400, "too many requests", false))
    assert.isTrue(isThrottled(503, "", true))
    assert.isFalse(isThrottled(503, "", false))
  })

  it("name KYC fields", () => {
    const fieldsOf = (text: string, method: "PIX" | "BANK_TRANSFER" = "PIX") =>
      invalidFieldsOf({ code: null, text }, { method }).map(({ field }) => field)
    assert.deepStrictEqual(fieldsOf("invalid mother_name and postal_code"), ["mother_name", "address.zipcode"])
    assert.deepStrictEqual(fieldsOf("document_identification_number"), ["document.number"])
    assert.deepStrictEqual(fieldsOf("account_number", "BANK_TRANSFER"), ["bank.account_number"])
    assert.deepStrictEqual(fieldsOf("something else"), [])
  })
})

describe("stored texts of QI Tech", () => {
  it("contain only dates, amounts and codes of a balance, and can always be stored", () => {
    const key = "k".repeat(64)
    const long = "9".repeat(10_000)
    const stored = (result: BalanceResult) => encodeState({ kind: "received", key, received_at: 9e15, result })
    const periods = Array.from({ length: 5_000 }, (_, year) => ({
      due_date: `${2_000 + year}-08-01`,
      amount: 12_345_678.12345678,
      document_number: "00000000191",
      name: long
    }))
    const many = stored({ status: "success", periods })
    assert.isAtMost(many.length, 8_192)
    assert.notInclude(many, "00000000191")
    assert.notInclude(stored({ status: "success", periods: [{ due_date: long, amount: 1 }] }), long)
    assert.notInclude(stored({ status: "failed", enumerator: `CPF 00000000191 ${long}` }), "00000000191")
  })

  it("can be read again, and other texts cannot", () => {
    const periods = [{ due_date: "2027-08-01", amount: 500.5 }]
    const states: ReadonlyArray<QuoteState> = [
      { kind: "awaited", key: "k", asked_at: 3, looks: 4 },
      { kind: "received", key: "k", received_at: 3, result: { status: "success", periods } },
      { kind: "received", key: "k", received_at: 3, result: { status: "success", periods: [] } },
      { kind: "received", key: "k", received_at: 3, result: { status: "failed", enumerator: "ongoing_operation" } }
    ]
    for (const state of states) assert.deepStrictEqual(decodeState(encodeState(state)), state)
    for (const text of [null, "", "{}", "[]", `{"v":2}`]) assert.isNull(decodeState(text))
    const fees = [{ kind: "none" }, { kind: "fixed", amount: centavos(10_00) }, {
      kind: "percent",
      percent: percent(10)
    }] as const
    for (const fee of fees) {
      const terms = { monthly_rate: percent(1.49), fee }
      assert.deepStrictEqual(decodeRef(encodeRef(terms)), terms)
    }
    for (const text of [null, undefined, "", "{}", `{"v":1,"rate":1}`]) assert.isNull(decodeRef(text))
  })
})
