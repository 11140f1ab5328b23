import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import * as fc from "fast-check"
import { examples } from "../../../../test/rounds.ts"
import { type QuoteWish } from "../../src/offer/Quote.ts"
import {
  judgeBirthDate,
  judgeDesiredAmount,
  parseNewApplication,
  parseRequote
} from "../../src/origination/parseNewApplication.ts"
import { addDays, calendarDate } from "../../src/values/CalendarDate.ts"
import { centavos, maxCentavos } from "../../src/values/Centavos.ts"
import { expectProblems } from "../input/problems.ts"
import { customer, idOf, noWish } from "../loan/examples.ts"

const today = calendarDate("2026-01-31")
const body = { external_id: "loan-4711", customer: { cpf: "529.982.247-25", birth_date: "1990-05-17" } }

const read = (more: object = {}) => Result.getOrThrow(parseNewApplication({ ...body, ...more }, today))
const problems = (more: unknown, expected: Parameters<typeof expectProblems>[1]) =>
  expectProblems(parseNewApplication(more, today), expected)

describe("parseNewApplication", () => {
  it("FGTS-20 a customer is at least 18 years old on the day of opening", () => {
    const birth = (birth_date: string) => ({ ...body, customer: { ...body.customer, birth_date } })
    for (const date of ["1900-01-01", "1990-05-17", "2008-01-30", "2008-01-31"]) problems(birth(date), [])
    for (const date of ["2008-02-01", "2026-01-31", "2026-02-01", "2027-01-01", "2199-12-31"]) {
      problems(birth(date), ["customer.birth_date OUT_OF_RANGE"])
    }
    for (const date of ["2026-02-30", "31/01/2026", ""]) problems(birth(date), ["customer.birth_date INVALID_FORMAT"])
    for (const date of ["2008-02-01", "2200-01-01", "1899-12-31"]) {
      const judged = parseNewApplication(birth(date), today)
      const bound = date < "1900" ? { min: "1900-01-01" } : { min_age: 18 }
      assert.deepStrictEqual(Result.isFailure(judged) ? judged.failure.problems : [], [
        { field: "customer.birth_date", code: "OUT_OF_RANGE", params: { max: "2008-01-31", ...bound } }
      ])
    }
  })

  it("FGTS-20 the 18th birthday counts; a person born on 29 February has it on 1 March", () => {
    const passes = (birth_date: string, day: string) => Result.isSuccess(judgeBirthDate(birth_date, calendarDate(day)))
    assert.isFalse(passes("2008-02-29", "2026-02-28"))
    assert.isTrue(passes("2008-02-29", "2026-03-01"))
    assert.isTrue(passes("2010-02-28", "2028-02-29"))
    assert.isFalse(passes("2010-03-01", "2028-02-29"))
    const birthDates = fc.nat({ max: 36_000 }).map((days) => addDays(calendarDate("1910-01-01"), days))
    fc.assert(
      fc.property(birthDates, fc.integer({ min: -400, max: 400 }), (birth_date, by) => {
        const [year, month, date] = birth_date.split("-").map(Number)
        // A day that does not exist is the next day: 29 February 2027 is 1 March 2027.
        const birthday = new Date(Date.UTC((year ?? 0) + 18, (month ?? 0) - 1, date)).toISOString().slice(0, 10)
        const day = addDays(calendarDate(birthday), by)
        assert.strictEqual(passes(birth_date, day), by >= 0)
        const judged = judgeBirthDate(birth_date, day)
        if (Result.isSuccess(judged)) return
        const max = String(judged.failure.params?.["max"])
        assert.isTrue(passes(max, day))
        assert.isFalse(passes(addDays(calendarDate(max), 1), day))
      }),
      { numRuns: examples(2_000) }
    )
  })

  it("FGTS-21 desired_amount is positive, has at most two decimals, and is within the range of amounts", () => {
    for (const amount of [0.01, 1, 1134.41, maxCentavos / 100]) {
      assert.strictEqual(read({ desired_amount: amount }).wish.desired_amount, Math.round(amount * 100))
    }
    for (const amount of [0, -0, -0.01, -1e300, 1e13, 1e300, Number.MAX_VALUE]) {
      problems({ ...body, desired_amount: amount }, ["desired_amount OUT_OF_RANGE"])
    }
    for (const amount of [0.001, 304.65999999999997]) {
      problems({ ...body, desired_amount: amount }, ["desired_amount INVALID_FORMAT"])
    }
    for (const amount of ["100", true, [], {}]) {
      problems({ ...body, desired_amount: amount }, ["desired_amount INVALID_TYPE"])
    }
    fc.assert(
      fc.property(
        fc.double(),
        (amount) => assert.strictEqual(Result.isFailure(judgeDesiredAmount(amount)), amount <= 0)
      )
    )
  })

  it("reads the canonical form, with the optional request limits", () => {
    assert.deepStrictEqual<unknown>(read(), {
      external_id: "loan-4711",
      customer: { ...customer, name: null, email: null },
      metadata: {},
      wish: noWish
    })
    const partner_id = idOf(1)
    const full = read({
      external_id: " x ",
      customer: { ...customer, phone: "(11) 98765-4321" },
      max_installments: 10,
      desired_amount: 100.5,
      partner_id
    })
    assert.strictEqual(full.external_id, "x")
    assert.strictEqual(full.customer.phone, "11987654321")
    assert.deepStrictEqual(full.wish, { max_installments: 10, desired_amount: centavos(100_50) })
    assert.deepStrictEqual(read({ max_installments: null, desired_amount: null }).wish, noWish)
  })

  it("reports all problems at once", () => {
    problems(
      {
        external_id: "x".repeat(65),
        customer: { cpf: "52998224724", birth_date: "2100-01-01", name: "A", email: "nobody", phone: "1", rg: "1" },
        max_installments: 11,
        desired_amount: -1,
        status: "QUOTED"
      },
      [
        "external_id TOO_LONG",
        "customer.cpf INVALID_CHECK_DIGIT",
        "customer.birth_date OUT_OF_RANGE",
        "customer.name TOO_SHORT",
        "customer.email INVALID_FORMAT",
        "customer.phone INVALID_FORMAT",
        "customer.rg UNKNOWN_FIELD",
        "max_installments OUT_OF_RANGE",
        "desired_amount OUT_OF_RANGE",
        "status UNKNOWN_FIELD"
      ]
    )
    problems({}, ["external_id REQUIRED", "customer REQUIRED"])
    problems({ external_id: null, customer: null, partner_id: null }, [
      "external_id REQUIRED",
      "customer REQUIRED"
    ])
    problems({ ...body, customer: { cpf: null, birth_date: null } }, [
      "customer.cpf REQUIRED",
      "customer.birth_date REQUIRED"
    ])
    for (const count of [0, -1, 11, 1e300]) {
      problems({ ...body, max_installments: count }, ["max_installments OUT_OF_RANGE"])
    }
    for (const count of [1.5, "3", true]) {
      problems({ ...body, max_installments: count }, ["max_installments INVALID_TYPE"])
    }
  })

  it("T21 T22 T27 returns a value or problems for any input", () => {
    const poisons = fc.oneof(
      fc.anything({
        withNullPrototype: true,
        key: fc.constantFrom("customer", "__proto__", "external_id", "constructor")
      }),
      fc.constantFrom("\u0000", "\ud800", "x\u0000y", Number.MAX_VALUE, 1e21)
    )
    fc.assert(
      fc.property(
        fc.record({
          external_id: poisons,
          customer: poisons,
          max_installments: poisons,
          desired_amount: poisons,
          partner_id: poisons
        }),
        (poisoned) => {
          assert.isTrue(Result.isFailure(parseNewApplication(poisoned, today)))
          for (const [name, value] of Object.entries(poisoned)) {
            assert.isTrue(Result.isResult(parseNewApplication({ ...body, [name]: value }, today)))
          }
        }
      ),
      { numRuns: examples(300) }
    )
    for (const external_id of ["a\u0000", "\ud800", "\u202eabc"]) {
      problems({ ...body, external_id }, ["external_id INVALID_FORMAT"])
    }
  })
})

describe("the re-quote body", () => {
  const before: QuoteWish = { max_installments: 2, desired_amount: centavos(100_00) }
  const requote = (given: unknown) => Result.getOrThrow(parseRequote(given, before)).wish

  it("FGTS-22 a missing field keeps its value, null removes it, and a value replaces it", () => {
    for (const nothing of [undefined, null, {}]) assert.deepStrictEqual(requote(nothing), before)
    assert.deepStrictEqual(requote({ max_installments: 3 }), { ...before, max_installments: 3 })
    assert.deepStrictEqual(requote({ desired_amount: 0.5 }), { ...before, desired_amount: centavos(50) })
    assert.deepStrictEqual(requote({ max_installments: null }), { ...before, max_installments: null })
    assert.deepStrictEqual(requote({ desired_amount: null, max_installments: null }), noWish)
  })

  it("FGTS-22 has the same checks as a new application", () => {
    expectProblems(parseRequote({ desired_amount: 0, max_installments: 11, external_id: "x" }, before), [
      "desired_amount OUT_OF_RANGE",
      "max_installments OUT_OF_RANGE",
      "external_id UNKNOWN_FIELD"
    ])
    for (const given of [[], "x", 1, true]) assert.isTrue(Result.isFailure(parseRequote(given, before)))
  })
})
