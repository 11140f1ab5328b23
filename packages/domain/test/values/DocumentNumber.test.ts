import { assert, describe, it } from "@effect/vitest"
import { cnpj, cpf } from "@lastro/testkit/arbitraries"
import { Result } from "effect"
import * as fc from "fast-check"
import { decode } from "../../src/input/decode.ts"
import { DocumentNumber, parseDocumentNumber, type PersonType } from "../../src/values/DocumentNumber.ts"
import { almostDocuments, checkParseIdempotent, expectParsed, expectRejected, punctuated } from "./parsing.ts"

const parseFor = (personType: PersonType) => (input: string) => parseDocumentNumber(personType, input)

const codesOf = (input: unknown): ReadonlyArray<string> =>
  Result.match(decode(DocumentNumber)(input), {
    onFailure: ({ problems }) => problems.map(({ code }) => code),
    onSuccess: () => []
  })

describe("DocumentNumber", () => {
  it("DOC-05 a natural person requires a CPF and a legal entity a CNPJ", () => {
    fc.assert(fc.property(punctuated(cpf, ".-"), ([written, value]) => {
      expectParsed(parseFor("pf"), written, value)
      expectRejected(parseFor("pj"), written, "INVALID_FORMAT")
    }))
    fc.assert(fc.property(punctuated(cnpj, ".-/"), ([written, value]) => {
      expectParsed(parseFor("pj"), written, value)
      expectRejected(parseFor("pf"), written, "INVALID_FORMAT")
    }))
  })

  it("DOC-05 a parsed document number parses to itself", () => {
    checkParseIdempotent(parseFor("pf"), almostDocuments)
    checkParseIdempotent(parseFor("pj"), almostDocuments)
  })

  it("DOC-05 without a person type, the shape distinguishes a CPF from a CNPJ", () => {
    fc.assert(fc.property(fc.oneof(punctuated(cpf, ".-"), punctuated(cnpj, ".-/")), ([written, value]) => {
      assert.deepStrictEqual(decode(DocumentNumber)(written), Result.succeed(value))
    }))
    assert.deepStrictEqual(codesOf("52998224724"), ["INVALID_CHECK_DIGIT"])
    assert.deepStrictEqual(codesOf("11222333000182"), ["INVALID_CHECK_DIGIT"])
    assert.deepStrictEqual(codesOf("529982247250"), ["INVALID_FORMAT"])
    assert.deepStrictEqual(codesOf(52998224725), ["INVALID_TYPE"])
    assert.deepStrictEqual(codesOf(null), ["NOT_NULLABLE"])
  })
})
