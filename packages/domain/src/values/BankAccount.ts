import { Result, Schema } from "effect"
import { field, nullWhenAbsent } from "../input/field.ts"
import { problem } from "../input/FieldProblem.ts"
import { invalidFormat } from "../input/TextFormat.ts"
import { schemaOfParser, type TextParser } from "../input/textParser.ts"
import { maskTail } from "./maskTail.ts"

/**
 * Parses 1 to `max` digits and keeps leading zeros. Only blanks at both ends are dropped. A dash is refused, because a
 * check digit would follow it.
 */
export const digits = (max: number): TextParser<string> => (input) => {
  const trimmed = input.trim()
  if (!/^\d+$/.test(trimmed)) return Result.fail(invalidFormat("digits"))
  return trimmed.length > max ? Result.fail(problem("TOO_LONG", { max })) : Result.succeed(trimmed)
}

/**
 * A bank account number has 1 to 20 digits, without its check digit.
 * @rule DOC-20
 */
export const parseAccountNumber: TextParser<string> = digits(20)

/** The schema of a bank account number. */
export const AccountNumber = /* @__PURE__ */ (() =>
  schemaOfParser<string>(parseAccountNumber, {
    description: "Account: 1 to 20 digits, without its check digit",
    examples: ["1234567"],
    pattern: String.raw`^\s*\d{1,20}\s*$`
  }))()

/**
 * A masked account number shows its last four digits. A number of four or fewer digits is masked completely.
 * @rule DOC-21
 */
export const maskAccountNumber = (accountNumber: string): string => maskTail(accountNumber)

/** Types of bank account: CC checking, CP savings, CS salary, PG payment. */
export const AccountType = /* @__PURE__ */ (() =>
  Schema.Literals(["CC", "CP", "CS", "PG"]).annotate({
    identifier: "AccountType",
    description: "CC: conta corrente (checking), CP: poupança (savings), CS: salário (salary), PG: pagamento (payment)"
  }))()
export type AccountType = typeof AccountType.Type

/**
 * A bank branch (agência) has 1 to 4 digits, without its check digit.
 * @rule DOC-19
 */
export const parseAgency: TextParser<string> = digits(4)

/** The schema of a bank branch. */
export const Agency = /* @__PURE__ */ (() =>
  schemaOfParser<string>(parseAgency, {
    description: "Branch: 1 to 4 digits, without its check digit",
    examples: ["0001"],
    pattern: String.raw`^\s*\d{1,4}\s*$`
  }))()

/**
 * The check digit of a branch or an account is one digit or `X`, in upper case. It is not verified, because every bank
 * has its own algorithm.
 * @rule DOC-22
 */
export const parseBankCheckDigit: TextParser<string> = (input) => {
  const trimmed = input.trim()
  return /^[0-9Xx]$/.test(trimmed) ? Result.succeed(trimmed.toUpperCase()) : Result.fail(invalidFormat("a digit or X"))
}

/** The schema of the check digit of a branch or an account. */
export const BankCheckDigit = /* @__PURE__ */ (() =>
  schemaOfParser<string>(parseBankCheckDigit, {
    description: "Check digit: one digit or X; null if there is none",
    examples: ["7"],
    pattern: String.raw`^\s*[0-9Xx]\s*$`
  }))()

/**
 * A bank code has three digits (COMPE) or eight (ISPB).
 * @rule DOC-18
 */
export const parseBankCode: TextParser<string> = (input) => {
  const trimmed = input.trim()
  return /^(?:\d{3}|\d{8})$/.test(trimmed) ? Result.succeed(trimmed) : Result.fail(invalidFormat("3 or 8 digits"))
}

/** The schema of a bank code. */
export const BankCode = /* @__PURE__ */ (() =>
  schemaOfParser<string>(parseBankCode, {
    description: "Bank: 3 digits (COMPE) or 8 (ISPB)",
    examples: ["341", "60701190"],
    pattern: String.raw`^\s*(?:\d{3}|\d{8})\s*$`
  }))()

/** An account at a Brazilian bank. The check digits of branch and account may be `null`. */
export const BankAccount = /* @__PURE__ */ (() =>
  Schema.Struct({
    type: AccountType,
    agency: Agency,
    bank_code: BankCode,
    agency_digit: field(nullWhenAbsent(BankCheckDigit), "Check digit of the branch; null if it has none", null),
    account_number: AccountNumber,
    account_digit: field(nullWhenAbsent(BankCheckDigit), "Check digit of the account; null if it has none", "8")
  }).annotate({ identifier: "BankAccount", description: "An account at a Brazilian bank" }))()
export type BankAccount = typeof BankAccount.Type

type Maskable = { readonly account_number: string | null; readonly account_digit: string | null }

/**
 * A masked bank account hides the check digit of the account, and shows only the last four digits of the account
 * number.
 * @rule DOC-23
 */
export const maskBankAccount = <A extends Maskable>(account: A): A => ({
  ...account,
  account_number: account.account_number === null ? null : maskAccountNumber(account.account_number),
  account_digit: account.account_digit === null ? null : "*"
})
