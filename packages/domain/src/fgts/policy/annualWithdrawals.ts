import {
  addCentavos,
  type Centavos,
  centavos,
  maxCentavos,
  subtractCentavos,
  zeroCentavos
} from "../../money/Centavos.ts"
import { type Percent, percent, percentOf } from "../../money/Percent.ts"

/** Balances up to an amount, inclusive, of which a share and a fixed part may be withdrawn a year. */
interface Band {
  readonly up_to: Centavos
  readonly rate: Percent
  readonly fixed: Centavos
}

const band = (up_to: number, rate: number, fixed: number): Band => ({
  up_to: centavos(up_to),
  rate: percent(rate),
  fixed: centavos(fixed)
})

/** Source: Lei 8.036/1990, annex, to which art. 20-D refers. */
const bands: ReadonlyArray<Band> = [
  band(500_00, 50, 0),
  band(1_000_00, 40, 50_00),
  band(5_000_00, 30, 150_00),
  band(10_000_00, 20, 650_00),
  band(15_000_00, 15, 1_150_00),
  band(20_000_00, 10, 1_900_00),
  band(maxCentavos, 5, 2_900_00)
]

/**
 * The withdrawal of a year is a share of the balance, rounded half up to the centavo, and a fixed part, both by the
 * legal bands; nothing of no balance.
 * @rule POLICY-03
 */
export const annualWithdrawal = (balance: Centavos): Centavos => {
  const found = balance > 0 ? bands.find(({ up_to }) => balance <= up_to) : undefined
  return found === undefined ? zeroCentavos : addCentavos(percentOf(found.rate, balance), found.fixed)
}

/**
 * The withdrawals of so many years draw the balance down, each taken from what the one before left; interest and new
 * deposits are ignored, and the list ends where nothing is left.
 * @rule POLICY-04
 */
export const annualWithdrawals = (balance: Centavos, years: number): ReadonlyArray<Centavos> => {
  const withdrawals: Array<Centavos> = []
  for (let left = balance; left > 0 && withdrawals.length < years;) {
    const withdrawal = annualWithdrawal(left)
    withdrawals.push(withdrawal)
    left = subtractCentavos(left, withdrawal)
  }
  return withdrawals
}
