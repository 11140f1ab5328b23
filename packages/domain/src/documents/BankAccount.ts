import { Schema } from "effect"
import { field } from "../validation/field.ts"
import { nullWhenAbsent } from "../validation/nullWhenAbsent.ts"
import { AccountNumber, maskAccountNumber } from "./AccountNumber.ts"
import { AccountType } from "./AccountType.ts"
import { Agency } from "./Agency.ts"
import { BankCheckDigit } from "./BankCheckDigit.ts"
import { BankCode } from "./BankCode.ts"

/** An account at a Brazilian bank. The check digits of branch and account may be `null`. */
export const BankAccount = Schema.Struct({
  type: AccountType,
  agency: Agency,
  bank_code: BankCode,
  agency_digit: field(nullWhenAbsent(BankCheckDigit), "Check digit of the branch; null if it has none", null),
  account_number: AccountNumber,
  account_digit: field(nullWhenAbsent(BankCheckDigit), "Check digit of the account; null if it has none", "8")
}).annotate({ identifier: "BankAccount", description: "An account at a Brazilian bank" })
export type BankAccount = typeof BankAccount.Type

/** The fields of a bank account that are masked. */
type Maskable = { readonly account_number: string | null; readonly account_digit: string | null }

/**
 * A masked bank account hides its check digit and all but the last digits of its number.
 * @rule DOC-23
 */
export const maskBankAccount = <A extends Maskable>(account: A): A => ({
  ...account,
  account_number: account.account_number === null ? null : maskAccountNumber(account.account_number),
  account_digit: account.account_digit === null ? null : "*"
})
