import { assert, describe, it } from "@effect/vitest"
import { Result, Schema } from "effect"
import * as fc from "fast-check"
import { describeIssue } from "../../src/input/describeIssue.ts"
import { nullWhenAbsent } from "../../src/input/field.ts"
import { textSchema } from "../../src/input/Text.ts"
import { CalendarDate } from "../../src/values/CalendarDate.ts"
import { Reais } from "../../src/values/Centavos.ts"
import { Cpf } from "../../src/values/Cpf.ts"

const Part = Schema.Struct({
  due_date: CalendarDate,
  cpf: nullWhenAbsent(Cpf),
  name: nullWhenAbsent(textSchema({ min: 1, max: 3 }))
})
const Answer = Schema.Struct({
  kind: Schema.Literals(["A", "B"]),
  amount: Schema.optionalKey(Reais),
  note: Schema.optionalKey(Schema.String.check(Schema.isMaxLength(5), Schema.isPattern(/^x*$/))),
  parts: Schema.Array(Part).check(Schema.isMaxLength(2))
})

const describeValue = (value: unknown): string | undefined =>
  Result.match(Schema.decodeUnknownResult(Answer)(value), {
    onSuccess: () => undefined,
    onFailure: ({ issue }) => describeIssue(issue)
  })

describe("describeIssue", () => {
  it("INPUT-04 names the first wrong field and the expectation", () => {
    const part = { due_date: "2027-01-01" }
    for (
      const [value, expected] of [
        [{ kind: "A", parts: [part] }, undefined],
        [null, "Expected object"],
        [{ kind: "C", parts: [] }, "kind: Expected \"A\" | \"B\""],
        [{ kind: "A" }, "parts: Missing key"],
        [{ kind: "A", amount: 1.001, parts: [] }, "amount: INVALID_FORMAT (decimals: 2)"],
        [{ kind: "A", amount: "1", parts: [] }, "amount: Expected number"],
        [
          { kind: "A", parts: [part, { due_date: "soon" }] },
          "parts[1].due_date: INVALID_FORMAT (expected: YYYY-MM-DD)"
        ],
        [{ kind: "A", parts: [{ ...part, name: "long" }] }, "parts[0].name: TOO_LONG (max: 3)"],
        [{ kind: "A", parts: [{ ...part, cpf: "52998224724" }] }, "parts[0].cpf: INVALID_CHECK_DIGIT"],
        [{ kind: "A", parts: [part, part, part] }, "parts: Expected a value with a length of at most 2"]
      ] as const
    ) {
      assert.strictEqual(describeValue(value), expected)
    }
  })

  it("INPUT-04 contains no key that the schema does not name", () => {
    const Amounts = Schema.Struct({ amounts: Schema.Record(Schema.String, Reais) })
    for (
      const [key, field] of [["net", "amounts.net"], ["52998224725", "amounts.…"], [
        "Maria Souza",
        "amounts.…"
      ]] as const
    ) {
      const refused = Schema.decodeUnknownResult(Amounts)({ amounts: { [key]: "1" } })
      assert.strictEqual(
        Result.isFailure(refused) ? describeIssue(refused.failure.issue) : "",
        `${field}: Expected number`
      )
    }
  })

  it("INPUT-04 has at most 300 characters", () => {
    const Status = Schema.Literals(Array.from({ length: 100 }, (_, index) => `STATUS_${index}`))
    const refused = Schema.decodeUnknownResult(Status)("x")
    assert.lengthOf(Result.isFailure(refused) ? describeIssue(refused.failure.issue) : "", 300)
  })

  it("INPUT-04 contains no part of the value", () => {
    const rejected = fc.oneof(
      fc.string().map((text) => `secret-${text}`),
      fc.constantFrom(987_654_321.123, ["secret-"], { "secret-": "secret-" })
    )
    const part = fc.record({ due_date: rejected, cpf: rejected, name: rejected, more: rejected })
    const answer = fc.record({
      kind: fc.oneof(rejected, fc.constant("A")),
      amount: rejected,
      note: rejected,
      parts: fc.oneof(rejected, fc.array(part)),
      "secret-": rejected
    }, { requiredKeys: ["kind"] })
    fc.assert(
      fc.property(fc.oneof(answer, rejected), (value) => {
        const described = describeValue(value) ?? ""
        assert.notMatch(described, /secret-|987654321/)
        assert.isAtMost(described.length, 300)
      }),
      { numRuns: 500 }
    )
  })
})
