import { Effect, Result } from "effect"
import { type InScope, judgeFound, type SubtreeScope } from "../hierarchy/Scope.ts"
import { type Application } from "../loan/Application.ts"
import { hadPaidContract, type Pledge, pledgedDueDates } from "../loan/pledges.ts"
import { type Timestamp } from "../values/Timestamp.ts"
import { ApplicationRepository } from "./ApplicationRepository.ts"

/** The facts about the customer's other proposals in the same tree. They decide whether an offer can be accepted. */
export interface OtherContracts {
  readonly pledges: ReadonlyArray<Pledge>
  /** True if the customer already had a paid contract at the lender. */
  readonly is_known_customer: boolean
}

/** For a customer without another proposal. */
export const noContracts: OtherContracts = { pledges: [], is_known_customer: false }

/**
 * Reads the pledges of the customer's other proposals in the same tree, and marks those in `scope`. Also checks whether
 * the customer had a paid contract at the lender with the code `lender`. Locks the customer's CPF in the tree until the
 * transaction ends.
 */
export const otherContracts = Effect.fnUntraced(function*(
  application: InScope<Application>,
  scope: SubtreeScope,
  { at, lender }: { readonly at: Timestamp; readonly lender: string | null | undefined }
) {
  const applications = yield* ApplicationRepository
  const others = yield* applications.contractedByCustomer(application)
  const pledges: Array<Pledge> = []
  for (const other of others) {
    const due_dates = pledgedDueDates(other, at)
    if (due_dates.length === 0) continue
    const is_in_scope = Result.isSuccess(judgeFound(yield* applications.find(scope, other.application_id)))
    pledges.push({ due_dates, birth_date: other.customer.birth_date, is_in_scope })
  }
  const found: OtherContracts = { pledges, is_known_customer: hadPaidContract(others, lender) }
  return found
})
