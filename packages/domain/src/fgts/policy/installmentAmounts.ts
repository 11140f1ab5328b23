import { type Centavos } from "../../money/Centavos.ts"
import { type FgtsPolicy } from "./Policy.ts"

/**
 * Annual withdrawals become instalments in order. An amount above the maximum of the policy is capped; an amount below the minimum ends
 * the list, because later ones are no greater. There are at most as many instalments as the policy allows and the request asks for.
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
