import { Context, type Effect, type Option } from "effect"
import { type CalendarDate } from "../values/CalendarDate.ts"
import { type PartnerId } from "../values/ids.ts"
import { type Period } from "./period.ts"
import { type StatedContract, type StatementComparison } from "./Statement.ts"

/** Identifies the file of a lender for a period and a root. */
export interface StatementKey {
  readonly root_id: PartnerId
  readonly lender: string
  readonly period: Period
  /** A hash of the file. */
  readonly digest: string
}

/** The contracts with which a lender's statement is compared. */
export interface StatedContracts {
  readonly root_id: PartnerId
  readonly lender: string
  /** Contracts with these references match at any time. */
  readonly references: ReadonlyArray<string>
  /** Contracts that were paid or reversed from this day to `last` match, inclusive. Days are in America/Sao_Paulo. */
  readonly first: CalendarDate
  readonly last: CalendarDate
}

/** Compares statements of lenders with the ledger, and stores the results. Writes join the surrounding transaction. */
export class CommissionStatements extends Context.Service<CommissionStatements, {
  /**
   * Returns the payments and the reversals of contracts in the tree of a root, each with the sum of the entries of all
   * partners, in any order. Adjustments are not among them. Returns at most `limit` of them.
   */
  readonly contracts: (query: StatedContracts, limit: number) => Effect.Effect<ReadonlyArray<StatedContract>>
  /** Returns the stored result of the same file for the same lender and period. */
  readonly find: (key: StatementKey) => Effect.Effect<Option.Option<StatementComparison>>
  /**
   * Stores the result of a file. If the same file, lender and period already have a result, it stays. Returns the result
   * that is stored.
   */
  readonly store: (key: StatementKey, result: StatementComparison) => Effect.Effect<StatementComparison>
}>()("@lastro/domain/commission/CommissionStatements") {}
