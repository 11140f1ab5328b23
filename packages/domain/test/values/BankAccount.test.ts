import { assert, describe, it } from "@effect/vitest"
import { bankAccount } from "@lastro/testkit/arbitraries"
import { Result, Schema } from "effect"
import * as fc from "fast-check"
import { decode } from "../../src/input/decode.ts"
import {
  BankAccount,
  maskAccountNumber,
  maskBankAccount,
  parseAccountNumber,
  parseAgency,
  parseBankCheckDigit,
  parseBankCode
} from "../../src/values/BankAccount.ts"
import { almostDocuments, checkParseIdempotent, expectParsed, expectRejected, longestShown } from "./parsing.ts"

const decodeBankAccount = decode(BankAccount)

const account = {
  type: "CC",
  agency: "0001",
  bank_code: "341",
  agency_digit: "9",
  account_number: "0012345",
  account_digit: "X"
} as const

const problems = (input: unknown): ReadonlyArray<unknown> =>
  Result.match(decodeBankAccount(input), {
    onFailure: (failed) => failed.problems.map(({ code, field }) => [field, code]),
    onSuccess: () => []
  })

describe("BankAccount", () => {
  it("DOC-18 a bank is three digits or eight", () => {
    for (let length = 0; length < 12; length++) {
      const code = "1".repeat(length)
      if (length === 3 || length === 8) expectParsed(parseBankCode, ` ${code}\n`, code)
      else expectRejected(parseBankCode, code, "INVALID_FORMAT")
    }
    for (const text of ["34a", "3-1", "34１", "+34"]) expectRejected(parseBankCode, text, "INVALID_FORMAT")
    checkParseIdempotent(parseBankCode, almostDocuments)
  })

  it("DOC-19 a branch is one to four digits; leading zeros are kept and dashes are rejected", () => {
    for (const text of ["1", "0001", "9999"]) expectParsed(parseAgency, ` ${text} `, text)
    expectRejected(parseAgency, "00001", "TOO_LONG")
    for (const text of ["", "1-2", "123-4", "12.3", "1 2", "X"]) expectRejected(parseAgency, text, "INVALID_FORMAT")
    checkParseIdempotent(parseAgency, almostDocuments)
  })

  it("DOC-20 an account is one to twenty digits; leading zeros are kept and dashes are rejected", () => {
    for (const text of ["1", "0012345", "9".repeat(20)]) expectParsed(parseAccountNumber, ` ${text} `, text)
    expectRejected(parseAccountNumber, "9".repeat(21), "TOO_LONG")
    for (const text of ["", "12345-6", "12.345", "1 2", "X"]) expectRejected(parseAccountNumber, text, "INVALID_FORMAT")
    checkParseIdempotent(parseAccountNumber, almostDocuments)
  })

  it("DOC-21 a masked account number shows its last four digits, or nothing if it has four or fewer", () => {
    const examples = [["123456", "****3456"], ["12345", "****2345"], ["1234", "****"], ["12", "****"], [
      "1",
      "****"
    ]] as const
    for (const [number, masked] of examples) {
      assert.strictEqual(maskAccountNumber(number), masked)
    }
    fc.assert(fc.property(bankAccount, ({ account_number }) => {
      assert.notInclude(maskAccountNumber(account_number), account_number)
      assert.isAtMost(longestShown(maskAccountNumber(account_number), account_number), 4)
    }))
  })

  it("DOC-22 a check digit is one digit or X, converted to upper case", () => {
    for (const text of "0123456789X") expectParsed(parseBankCheckDigit, ` ${text} `, text)
    expectParsed(parseBankCheckDigit, "x", "X")
    for (const text of ["", "10", "XX", "Y", "-", "P", "１"]) {
      expectRejected(parseBankCheckDigit, text, "INVALID_FORMAT")
    }
    checkParseIdempotent(parseBankCheckDigit, almostDocuments)
  })

  it("DOC-22 a missing check digit becomes null", () => {
    const { account_digit: _, agency_digit: __, ...required } = account
    const without = { ...required, agency_digit: null, account_digit: null }
    assert.deepStrictEqual(decodeBankAccount(required), Result.succeed(without))
    assert.deepStrictEqual(decodeBankAccount(without), Result.succeed(without))
    assert.deepStrictEqual(problems({ ...account, agency_digit: "", account_digit: 1 }), [
      ["agency_digit", "INVALID_FORMAT"],
      ["account_digit", "INVALID_TYPE"]
    ])
  })

  it("requires every other field to be present and not null, and reports all problems at once", () => {
    assert.deepStrictEqual(
      problems({}),
      ["type", "agency", "bank_code", "account_number"].map((field) => [field, "REQUIRED"])
    )
    assert.deepStrictEqual(
      problems({ type: null, agency: null, bank_code: null, account_number: null, holder: "x" }),
      [
        ["holder", "UNKNOWN_FIELD"],
        ...["type", "agency", "bank_code", "account_number"].map((field) => [field, "NOT_NULLABLE"])
      ]
    )
    assert.deepStrictEqual(
      problems({ ...account, type: "cc", bank_code: "34", agency: "12345", account_number: "1-2" }),
      [
        ["type", "UNKNOWN_VALUE"],
        ["agency", "TOO_LONG"],
        ["bank_code", "INVALID_FORMAT"],
        ["account_number", "INVALID_FORMAT"]
      ]
    )
  })

  it("a decoded account decodes and encodes to itself", () => {
    fc.assert(fc.property(bankAccount, (value) => {
      assert.deepStrictEqual(decodeBankAccount(value), Result.succeed(value))
      assert.deepStrictEqual(Schema.encodeSync(BankAccount)(value), value)
    }))
  })

  it("DOC-23 a masked account hides its check digit and all but the last digits of its number", () => {
    assert.deepStrictEqual(maskBankAccount(account), { ...account, account_number: "****2345", account_digit: "*" })
    fc.assert(fc.property(bankAccount, (value) => {
      const { account_digit, account_number, ...shown } = value
      assert.deepStrictEqual(maskBankAccount(value), {
        ...shown,
        account_number: maskAccountNumber(account_number),
        account_digit: account_digit === null ? null : "*"
      })
    }))
  })
})
