import { Schema } from "effect"

/** Types of bank account: CC checking, CP savings, CS salary, PG payment. */
export const AccountType = Schema.Literals(["CC", "CP", "CS", "PG"]).annotate({
  identifier: "AccountType",
  description: "CC: conta corrente (checking), CP: poupança (savings), CS: salário (salary), PG: pagamento (payment)"
})
export type AccountType = typeof AccountType.Type

/** Account types of the PIX directory (DICT) of the Banco Central. */
export type DictAccountType = "CACC" | "SVGS" | "SLRY" | "TRAN"

const names: Readonly<Record<AccountType, DictAccountType>> = { CC: "CACC", CP: "SVGS", CS: "SLRY", PG: "TRAN" }

/**
 * In the DICT, CC is CACC, CP is SVGS, CS is SLRY and PG is TRAN.
 * @rule DOC-17
 */
export const dictAccountType = (type: AccountType): DictAccountType => names[type]
