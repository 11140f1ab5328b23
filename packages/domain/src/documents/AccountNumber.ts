import { parsed, type Parser } from "../validation/parsed.ts"
import { digits } from "./digits.ts"
import { maskTail } from "./maskTail.ts"

/**
 * A bank account number has 1 to 20 digits, without its check digit.
 * @rule DOC-20
 */
export const parseAccountNumber: Parser<string> = digits(20)

/** The schema of a bank account number. */
export const AccountNumber = parsed<string>(parseAccountNumber, {
  description: "Account: 1 to 20 digits, without its check digit",
  examples: ["1234567"],
  pattern: String.raw`^\s*\d{1,20}\s*$`
})

/**
 * A masked account number shows its last four digits; one of up to four digits shows the last.
 * @rule DOC-21
 */
export const maskAccountNumber = (accountNumber: string): string => maskTail(accountNumber)
