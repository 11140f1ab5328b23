import { Data, Result } from "effect"
import { type Centavos } from "../../money/Centavos.ts"
import { type FgtsPolicy } from "./Policy.ts"

/** Instalments that the policy does not allow; `installment` is the number, from 1, of the first that is out of bounds. */
export class PolicyBroken extends Data.TaggedError("PolicyBroken")<{
  readonly policy: string
  readonly reason: "NO_INSTALLMENTS" | "TOO_MANY_INSTALLMENTS" | "BELOW_MINIMUM" | "ABOVE_MAXIMUM"
  readonly installment: number | null
}> {}

/**
 * An offer has at least one instalment and no more than the policy's maximum, none below its minimum amount and none
 * above its maximum amount, both inclusive.
 * @rule POLICY-07
 */
export const obeysPolicy = (
  policy: FgtsPolicy,
  amounts: ReadonlyArray<Centavos>
): Result.Result<void, PolicyBroken> => {
  const broken = (reason: PolicyBroken["reason"], installment: number | null = null) =>
    Result.fail(new PolicyBroken({ policy: policy.version, reason, installment }))
  if (amounts.length === 0) return broken("NO_INSTALLMENTS")
  if (amounts.length > policy.max_installments) return broken("TOO_MANY_INSTALLMENTS")
  const below = amounts.findIndex((amount) => amount <= 0 || amount < (policy.min_installment ?? 0))
  if (below >= 0) return broken("BELOW_MINIMUM", below + 1)
  const above = amounts.findIndex((amount) => amount > (policy.max_installment ?? Number.POSITIVE_INFINITY))
  return above >= 0 ? broken("ABOVE_MAXIMUM", above + 1) : Result.void
}
