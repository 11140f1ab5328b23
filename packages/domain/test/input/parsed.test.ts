import { assert, describe, it } from "@effect/vitest"
import { address, bankAccount, cnpj, cpf, email, phone, pix } from "@lastro/testkit/arbitraries"
import { Result, Schema } from "effect"
import * as fc from "fast-check"
import { examples } from "../../../../test/rounds.ts"
import { decode } from "../../src/input/decode.ts"
import { problem } from "../../src/input/FieldProblem.ts"
import { schemaOfParser } from "../../src/input/textParser.ts"
import { Address } from "../../src/values/Address.ts"
import { BankAccount } from "../../src/values/BankAccount.ts"
import { Cpf } from "../../src/values/Cpf.ts"
import { DocumentNumber } from "../../src/values/DocumentNumber.ts"
import { Email } from "../../src/values/Email.ts"
import { Phone } from "../../src/values/Phone.ts"
import { Pix } from "../../src/values/Pix.ts"
import { expectProblems } from "./problems.ts"

const Even = schemaOfParser<string>(
  (input) => /^\d*[02468]$/.test(input) ? Result.succeed(input) : Result.fail(problem("OUT_OF_RANGE", { step: 2 })),
  { description: "An even number" }
)

/** Asserts that canonical values decode and encode to themselves. */
const expectRoundTrip = <A>(schema: Schema.Codec<A, unknown>, values: fc.Arbitrary<A>) => {
  const read = decode(schema)
  const write = Schema.encodeSync(schema)
  fc.assert(
    fc.property(values, (value) => {
      assert.deepStrictEqual(read(value), Result.succeed(value))
      assert.deepStrictEqual(write(value), value)
    }),
    { numRuns: examples(1_000) }
  )
}

describe("parsed", () => {
  it("keeps the parser's own code and params", () => {
    assert.deepStrictEqual(
      Result.merge(Result.mapError(decode(Even)("3", ["n"]), ({ problems }) => problems)),
      [{ field: "n", code: "OUT_OF_RANGE", params: { step: 2 } }]
    )
    expectProblems(decode(Even)(4, ["n"]), ["n INVALID_TYPE"])
    expectProblems(decode(Even)(null, ["n"]), ["n NOT_NULLABLE"])
  })

  it("rejects values that only look canonical", () => {
    assert.isTrue(Schema.is(Cpf)("52998224725"))
    assert.isFalse(Schema.is(Cpf)("529.982.247-25"))
    assert.isFalse(Schema.is(Cpf)("52998224724"))
    assert.isFalse(Schema.is(Cpf)(52998224725))
  })

  it("canonical values decode to themselves", () => {
    expectRoundTrip(Cpf, cpf)
    expectRoundTrip(DocumentNumber, fc.oneof(cpf, cnpj))
    expectRoundTrip(Email, email)
    expectRoundTrip(Phone, phone)
    expectRoundTrip(Pix, pix)
    expectRoundTrip(Address, address)
    expectRoundTrip(BankAccount, bankAccount)
  })
})
