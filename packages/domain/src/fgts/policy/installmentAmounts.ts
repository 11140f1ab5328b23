import { type Centavos } from "../../money/Centavos.ts"
import { type FgtsPolicy } from "./Policy.ts"

/**
 * Annual withdrawals become instalments in their order: one above the policy's maximum is cut to it, one below its
 * minimum ends the list (those after it are no greater), and there are never more than the policy allows or than were
 * asked for.
 * @rule POLICY-06
 */
export const installmentAmounts = (
  withdrawals: ReadonlyArray<Centavos>,
  policy: FgtsPolicy,
  max_installments: number | null = null
): ReadonlyArray<Centavos> => {
  const { max_installment, min_installment } = policy
  const count = Math.min(policy.max_installments, max_installments ?? policy.max_installments)
  const capped = withdrawals.slice(0, count).map((amount) =>
    max_installment !== null && amount > max_installment ? max_installment : amount
  )
  const end = capped.findIndex((amount) => amount <= 0 || (min_installment !== null && amount < min_installment))
  return end < 0 ? capped : capped.slice(0, end)
}
