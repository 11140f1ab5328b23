import {
  addCentavos,
  type Centavos,
  centavos,
  maxCentavos,
  subtractCentavos,
  zeroCentavos
} from "../values/Centavos.ts"
import { type Percent, percent, percentOf } from "../values/Percent.ts"

/** A range of balances, up to and including `up_to`. The annual withdrawal is `rate` times the balance plus `fixed`. */
interface Band {
  readonly up_to: Centavos
  readonly rate: Percent
  readonly fixed: Centavos
}

const bandOf = (up_to: number, rate: number, fixed: number): Band => ({
  up_to: centavos(up_to),
  rate: percent(rate),
  fixed: centavos(fixed)
})

/** Source: Lei 8.036/1990, annex, to which art. 20-D refers. */
const bands: ReadonlyArray<Band> = [
  bandOf(500_00, 50, 0),
  bandOf(1_000_00, 40, 50_00),
  bandOf(5_000_00, 30, 150_00),
  bandOf(10_000_00, 20, 650_00),
  bandOf(15_000_00, 15, 1_150_00),
  bandOf(20_000_00, 10, 1_900_00),
  bandOf(maxCentavos, 5, 2_900_00)
]

/**
 * An annual withdrawal is the balance times the rate of its band, rounded half up to the centavo, plus the fixed amount
 * of this band. The law defines the bands.
 *
 * Source: Lei 8.036/1990, art. 20-D, caput, I and II, and Anexo.
 * @rule POLICY-03
 */
export const annualWithdrawal = (balance: Centavos): Centavos => {
  const band = balance > 0 ? bands.find(({ up_to }) => balance <= up_to) : undefined
  return band === undefined ? zeroCentavos : addCentavos(percentOf(band.rate, balance), band.fixed)
}

/**
 * Each annual withdrawal reduces the balance for the next one. Interest and new deposits are ignored. The list ends
 * when the balance is used up.
 *
 * Source: Lei 8.036/1990, art. 20-D, caput.
 * @rule POLICY-04
 */
export const annualWithdrawals = (balance: Centavos, years: number): ReadonlyArray<Centavos> => {
  const withdrawals: Array<Centavos> = []
  let left = balance
  while (left > 0 && withdrawals.length < years) {
    const withdrawal = annualWithdrawal(left)
    withdrawals.push(withdrawal)
    left = subtractCentavos(left, withdrawal)
  }
  return withdrawals
}
