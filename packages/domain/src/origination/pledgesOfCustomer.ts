import { Effect, Result } from "effect"
import { type InScope, judgeFound, type SubtreeScope } from "../hierarchy/Scope.ts"
import { type Application } from "../loan/Application.ts"
import { type Pledge, pledgedDueDates } from "../loan/pledges.ts"
import { type Timestamp } from "../values/Timestamp.ts"
import { ApplicationRepository } from "./ApplicationRepository.ts"

/**
 * Returns what the customer's other proposals in the same tree pledge, and which of them are in `scope`. Locks the
 * customer's CPF in the tree until the transaction ends.
 */
export const pledgesOfCustomer = Effect.fnUntraced(function*(
  application: InScope<Application>,
  scope: SubtreeScope,
  at: Timestamp
) {
  const applications = yield* ApplicationRepository
  const pledges: Array<Pledge> = []
  for (const other of yield* applications.contractedByCustomer(application)) {
    const due_dates = pledgedDueDates(other, at)
    if (due_dates.length === 0) continue
    const is_in_scope = Result.isSuccess(judgeFound(yield* applications.find(scope, other.application_id)))
    pledges.push({ due_dates, birth_date: other.customer.birth_date, is_in_scope })
  }
  return pledges
})
