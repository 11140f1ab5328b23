import { type Randomness } from "@lastro/adapters-sql/seed"
import { calendarDate, centavos, type Fee, mostInstallments, type OfferTerms, percent, policyOn } from "@lastro/domain"

const two = (value: number): string => String(value).padStart(2, "0")

const fees: ReadonlyArray<Fee> = [
  { kind: "none" },
  { kind: "percent", percent: percent(10) },
  { kind: "fixed", amount: centavos(10_00) }
]

/** Terms of three instalments as lenders offer them: balances of R$ 1 000 to R$ 6 000, 1.40 to 1.80 % a month. */
export const threeInstallments = (count: number, random: Randomness): ReadonlyArray<OfferTerms> =>
  Array.from({ length: count }, () => {
    const released_on = calendarDate(`2026-${two(11 + random.below(2))}-${two(1 + random.below(28))}`)
    return {
      released_on,
      monthly_rate: percent((140 + random.below(41)) / 100),
      fee: fees[random.below(fees.length)] ?? { kind: "none" },
      installments: mostInstallments({
        balance: centavos(1_000_00 + random.below(5_000_00)),
        birth_date: calendarDate(`1980-${two(1 + random.below(12))}-15`),
        released_on,
        policy: policyOn(released_on),
        max_installments: null
      })
    }
  })
