import { Schema } from "effect"

/** The kinds of bank account, by their Brazilian initials. */
export const AccountType = Schema.Literals(["CC", "CP", "CS", "PG"]).annotate({
  identifier: "AccountType",
  description: "CC: conta corrente (checking), CP: poupança (savings), CS: salário (salary), PG: pagamento (payment)"
})
export type AccountType = typeof AccountType.Type

/** The kinds of account as the Banco Central's directory (DICT) names them. */
export type DictAccountType = "CACC" | "SVGS" | "SLRY" | "TRAN"

const names: Readonly<Record<AccountType, DictAccountType>> = { CC: "CACC", CP: "SVGS", CS: "SLRY", PG: "TRAN" }

/**
 * The DICT calls a checking account CACC, a savings account SVGS, a salary account SLRY and a payment account TRAN.
 * @rule DOC-17
 */
export const dictAccountType = (type: AccountType): DictAccountType => names[type]
