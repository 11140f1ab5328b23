import { type Result } from "effect"
import { type Caller } from "../access/Caller.ts"
import {
  type AdjustCommissionRequest,
  type CloseCommissionsRequest,
  type CommissionClosing
} from "../commission/Closing.ts"
import { type CommissionEntry } from "../commission/CommissionEntry.ts"
import { type CommissionPayout, type CreatePayoutRequest } from "../commission/Payout.ts"
import { type CommissionPlan, type CreateCommissionPlanRequest } from "../commission/Plan.ts"
import { type StatementComparison } from "../commission/Statement.ts"
import { type CommissionSummaryPage } from "../commission/summary.ts"
import { type Page } from "../input/Page.ts"
import { type CallOptions, type CreateOptions } from "./CallOptions.ts"
import { type OperationFailure, type Untrusted } from "./OperationFailure.ts"

/** The operations on commissions, as functions. `CallerFunctions` describes them. */
export interface CommissionFunctions {
  /** Writes a commission plan of a partner below the caller's own, or of the caller's own root. */
  readonly createCommissionPlan: (
    caller: Caller,
    partner_id: string,
    body: Untrusted<CreateCommissionPlanRequest>,
    options?: CreateOptions
  ) => Promise<Result.Result<CommissionPlan, OperationFailure<"createCommissionPlan">>>
  /** Lists the commission plans of a partner, newest first, one page at a time. */
  readonly listCommissionPlans: (
    caller: Caller,
    partner_id: string,
    query?: unknown,
    options?: CallOptions
  ) => Promise<Result.Result<Page<CommissionPlan>, OperationFailure<"listCommissionPlans">>>
  /** Reads the commission plan of a partner in force on the day `on`. Default: today. */
  readonly getCurrentCommissionPlan: (
    caller: Caller,
    partner_id: string,
    query?: unknown,
    options?: CallOptions
  ) => Promise<Result.Result<CommissionPlan, OperationFailure<"getCurrentCommissionPlan">>>
  /** Lists the commission entries that the caller's partner sees, one page at a time. */
  readonly listCommissions: (
    caller: Caller,
    query?: unknown,
    options?: CallOptions
  ) => Promise<Result.Result<Page<CommissionEntry>, OperationFailure<"listCommissions">>>
  /** Sums up the commissions of a period for each partner, one page at a time. */
  readonly summarizeCommissions: (
    caller: Caller,
    query?: unknown,
    options?: CallOptions
  ) => Promise<Result.Result<CommissionSummaryPage, OperationFailure<"summarizeCommissions">>>
  /** Adjusts the balance of a partner below the caller's own. */
  readonly adjustCommission: (
    caller: Caller,
    body: Untrusted<AdjustCommissionRequest>,
    options?: CreateOptions
  ) => Promise<Result.Result<CommissionEntry, OperationFailure<"adjustCommission">>>
  /** Closes a past period of a partner below the caller's own, or of the caller's own root. */
  readonly closeCommissions: (
    caller: Caller,
    body: Untrusted<CloseCommissionsRequest>,
    options?: CreateOptions
  ) => Promise<Result.Result<CommissionClosing, OperationFailure<"closeCommissions">>>
  /** Records a payout to a partner below the caller's own. */
  readonly createCommissionPayout: (
    caller: Caller,
    body: Untrusted<CreatePayoutRequest>,
    options?: CreateOptions
  ) => Promise<Result.Result<CommissionPayout, OperationFailure<"createCommissionPayout">>>
  /** Lists the payouts that the caller's partner sees, newest first, one page at a time. */
  readonly listCommissionPayouts: (
    caller: Caller,
    query?: unknown,
    options?: CallOptions
  ) => Promise<Result.Result<Page<CommissionPayout>, OperationFailure<"listCommissionPayouts">>>
  /** Compares a lender's statement, a CSV file, with the commissions of a period. Only for callers of a root. */
  readonly compareCommissionStatement: (
    caller: Caller,
    file: Untrusted<string>,
    query: unknown,
    options?: CreateOptions
  ) => Promise<Result.Result<StatementComparison, OperationFailure<"compareCommissionStatement">>>
}
