import { Context, type Effect, type Option } from "effect"
import { type CalendarDate } from "../values/CalendarDate.ts"
import { type PartnerId } from "../values/ids.ts"
import { type Period } from "./period.ts"
import { type StatedContract, type StatementComparison } from "./Statement.ts"

/** The file of a lender for a period of a root. */
export interface StatementKey {
  readonly root_id: PartnerId
  readonly lender: string
  readonly period: Period
  /** A hash of the file. */
  readonly digest: string
}

/** The contracts of a lender that a statement is compared with. */
export interface StatedContracts {
  readonly root_id: PartnerId
  readonly lender: string
  /** The contracts with these references, of any time. */
  readonly references: ReadonlyArray<string>
  /** All contracts that were paid or reversed from this São Paulo day to the last one, inclusive. */
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
   * Stores the result of a file. If another one was stored for the same file, lender and period, that one stays. Returns
   * the stored one.
   */
  readonly store: (key: StatementKey, result: StatementComparison) => Effect.Effect<StatementComparison>
}>()("@lastro/domain/commission/CommissionStatements") {}
