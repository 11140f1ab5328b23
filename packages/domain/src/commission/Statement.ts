import { Schema } from "effect"
import { field } from "../input/field.ts"
import { Amount } from "../values/Amount.ts"
import { type Centavos, reaisOf } from "../values/Centavos.ts"
import { Timestamp } from "../values/Timestamp.ts"
import { type EntryKind } from "./CommissionEntry.ts"
import { type StatementLine } from "./parseStatement.ts"

/** The payment or the reversal of a contract in the ledger. The amounts of a reversal are negative. */
export interface StatedContract {
  /** The lender's reference of the contract; null if it is unknown. */
  readonly reference: string | null
  readonly kind: Exclude<EntryKind, "ADJUSTMENT">
  /** The amount that was paid to the customer; null if it is unknown. */
  readonly paid_amount: Centavos | null
  /** The sum of the entries of all partners. */
  readonly commission_amount: Centavos
  /** True if the contract was paid or reversed in the period of the statement. */
  readonly in_period: boolean
}

const DifferenceKind = Schema.Literals(["MISSING_HERE", "MISSING_THERE", "AMOUNT", "DUPLICATE"]).annotate({
  description:
    "`MISSING_HERE`: the ledger has no such payment or reversal. `MISSING_THERE`: the statement lacks a payment or a " +
    "reversal of the period. `AMOUNT`: the amounts differ. `DUPLICATE`: the statement repeats a payment or a reversal."
})

const StatementField = Schema.Literals(["commission_amount", "paid_amount"]).annotate({
  description: "The column of the statement that `expected` and `found` are about"
})

/** A difference between a statement and the ledger. */
export const StatementDifference = Schema.Struct({
  kind: DifferenceKind,
  field: StatementField,
  reference: field(
    Schema.NullOr(Schema.String),
    "The lender's reference of the contract; null if it is unknown",
    "C-1"
  ),
  expected: field(
    Schema.NullOr(Amount),
    "The amount in the ledger, negative for a reversal; null for `MISSING_HERE` and `DUPLICATE`",
    125
  ),
  found: field(Schema.NullOr(Amount), "The amount in the statement; null for `MISSING_THERE`", 120)
}).annotate({ identifier: "StatementDifference", description: "A difference between a statement and the ledger" })
export type StatementDifference = typeof StatementDifference.Type

/** The result of a comparison. */
export const StatementComparison = Schema.Struct({
  matched: field(Schema.Int, "The number of lines that agree with the ledger", 41),
  differences: field(
    Schema.Array(StatementDifference),
    "The differences, at most 1000: first those of the lines, in the order of the file, then `MISSING_THERE`"
  ),
  unlisted: field(Schema.Int, "The number of further differences", 0),
  compared_at: field(Timestamp, "The time at which this file was compared first")
}).annotate({ identifier: "StatementComparison", description: "The result of comparing a lender's statement" })
export type StatementComparison = typeof StatementComparison.Type

/** Maximum number of differences in a result. */
export const maxListedDifferences = 1_000

const keyOf = (kind: StatedContract["kind"], reference: string): string => `${kind} ${reference}`

/** A contract of the ledger. `isStated`: a line of the statement matches it. */
interface Known extends StatedContract {
  isStated: boolean
}

/**
 * Adds up the payments with the same reference, and likewise the reversals. A payment or reversal without a reference
 * stays alone. The sums are plain numbers, because a sum of contracts can exceed the maximum of an amount.
 */
const sumsByReference = (contracts: ReadonlyArray<StatedContract>) => {
  const known = new Map<string, Known>()
  for (const [index, contract] of contracts.entries()) {
    const { kind, reference } = contract
    const key = reference === null ? `${index}` : keyOf(kind, reference)
    const before = known.get(key)
    if (before === undefined) {
      known.set(key, { ...contract, isStated: false })
      continue
    }
    known.set(key, {
      ...before,
      paid_amount: before.paid_amount === null || contract.paid_amount === null
        ? null
        : before.paid_amount + contract.paid_amount as Centavos,
      commission_amount: before.commission_amount + contract.commission_amount as Centavos,
      in_period: before.in_period || contract.in_period
    })
  }
  return known
}

const amountOf = (amount: Centavos | null): number | null => amount === null ? null : reaisOf(amount)

/**
 * A line of a statement matches the payment with its reference, or the reversal if its amounts are negative. It agrees
 * if both amounts are equal. An unknown amount in the ledger agrees with every amount.
 * The differences are:
 *
 * - AMOUNT: a line whose paid amount or commission differs from the ledger.
 * - DUPLICATE: a further line for the same payment or reversal.
 * - MISSING_HERE: a line without a payment or reversal in the ledger.
 * - MISSING_THERE: a payment or reversal of the period without a line.
 *
 * The day of payment is not compared, because a lender can state the day of the transfer.
 * @rule COMM-24
 */
export const compareStatement = (
  lines: ReadonlyArray<StatementLine>,
  contracts: ReadonlyArray<StatedContract>
): Omit<StatementComparison, "compared_at"> => {
  const known = sumsByReference(contracts)
  const missing = new Set<string>()
  const differences: Array<StatementDifference> = []
  let count = 0
  let matched = 0
  const add = (
    kind: StatementDifference["kind"],
    field: StatementDifference["field"],
    reference: string | null,
    expected: Centavos | null,
    found: Centavos | null
  ) => {
    count += 1
    if (differences.length < maxListedDifferences) {
      differences.push({ kind, field, reference, expected: amountOf(expected), found: amountOf(found) })
    }
  }
  for (const { commission_amount, paid_amount, reference } of lines) {
    const key = keyOf(paid_amount < 0 || commission_amount < 0 ? "CLAWBACK" : "ACCRUAL", reference)
    const contract = known.get(key)
    if (contract?.isStated === true || missing.has(key)) {
      add("DUPLICATE", "commission_amount", reference, null, commission_amount)
    } else if (contract === undefined) {
      missing.add(key)
      add("MISSING_HERE", "commission_amount", reference, null, commission_amount)
    } else {
      contract.isStated = true
      const { commission_amount: commission, paid_amount: paid } = contract
      const isPaidEqual = paid === null || paid === paid_amount
      const isCommissionEqual = commission === commission_amount
      if (!isPaidEqual) add("AMOUNT", "paid_amount", reference, paid, paid_amount)
      if (!isCommissionEqual) add("AMOUNT", "commission_amount", reference, commission, commission_amount)
      if (isPaidEqual && isCommissionEqual) matched += 1
    }
  }
  const absent = Array.from(known.values()).filter(({ in_period, isStated }) => in_period && !isStated)
  for (const { commission_amount, reference } of absent.toSorted(byReference)) {
    add("MISSING_THERE", "commission_amount", reference, commission_amount, null)
  }
  return { matched, differences, unlisted: count - differences.length }
}

/** Orders contracts by reference, and payments before reversals. Contracts without a reference come last. */
const byReference = (a: StatedContract, b: StatedContract): number => {
  if (a.reference === b.reference) return b.commission_amount - a.commission_amount
  if (a.reference === null) return 1
  return b.reference === null || a.reference < b.reference ? -1 : 1
}
