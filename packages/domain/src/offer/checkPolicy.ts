import { Result } from "effect"
import { Refusal } from "../input/Refusal.ts"
import { type Centavos } from "../values/Centavos.ts"
import { type FgtsPolicy } from "./Policy.ts"

/** The instalments violate the policy. `installment` is the number of the first instalment out of bounds, starting at 1. */
export class PolicyViolation
  extends Refusal("PolicyViolation", "The instalments violate the lending policy.", ["reason", "installment"])<{
    readonly policy: string
    readonly reason: "NO_INSTALLMENTS" | "TOO_MANY_INSTALLMENTS" | "BELOW_MINIMUM" | "ABOVE_MAXIMUM"
    readonly installment: number | null
  }>
{}

/**
 * An offer must have at least one instalment, and at most as many as its policy allows. Each amount must be within the
 * bounds of the policy, inclusive.
 * @rule POLICY-07
 */
export const checkPolicy = (
  policy: FgtsPolicy,
  amounts: ReadonlyArray<Centavos>
): Result.Result<void, PolicyViolation> => {
  const violation = (reason: PolicyViolation["reason"], installment: number | null = null) =>
    Result.fail(new PolicyViolation({ policy: policy.version, reason, installment }))
  if (amounts.length === 0) return violation("NO_INSTALLMENTS")
  if (amounts.length > policy.max_installments) return violation("TOO_MANY_INSTALLMENTS")
  const below = amounts.findIndex((amount) => amount <= 0 || amount < (policy.min_installment ?? 0))
  if (below >= 0) return violation("BELOW_MINIMUM", below + 1)
  const above = amounts.findIndex((amount) => amount > (policy.max_installment ?? Number.POSITIVE_INFINITY))
  return above >= 0 ? violation("ABOVE_MAXIMUM", above + 1) : Result.void
}
