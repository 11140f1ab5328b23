import { Result } from "effect"
import { priceOffer } from "../../src/offer/priceOffer.ts"
import { type LenderOffer } from "../../src/offer/Quote.ts"
import { calendarDate } from "../../src/values/CalendarDate.ts"
import { centavos } from "../../src/values/Centavos.ts"
import { percent } from "../../src/values/Percent.ts"

/*
 * A second implementation of the law. It reads the digits of the dates, and uses neither the policies of the domain nor
 * its due dates.
 */

/** The number of withdrawals that can be pledged on a day. Null: any years can be pledged, at most ten. */
export const nextAllowed = (day: string): number | null => day >= "2026-11-01" ? 3 : day >= "2025-11-01" ? 5 : null

/** The highest monthly rate on a day. */
const highestRate = (day: string): number => day >= "2023-12-01" ? 1.8 : 2.05

/** Counts the withdrawals that come before the one of a due date: those whose day 1 is after the release day. */
export const withdrawalsBefore = (released_on: string, due: string): number => {
  let count = -1
  for (let year = 2020; year <= Number(due.slice(0, 4)); year++) {
    if (`${year}-${due.slice(5, 7)}-01` > released_on) count++
  }
  return count
}

/** Returns whether a contract of a day may have an offer. */
export const isLawful = (released_on: string, due: ReadonlyArray<string>, rate: number): boolean => {
  const allowed = nextAllowed(released_on)
  return rate <= highestRate(released_on) && due.length <= (allowed ?? 10) &&
    due.every((date) => {
      const before = withdrawalsBefore(released_on, date)
      return date > released_on && (allowed === null || (before >= 0 && before < allowed))
    })
}

export const two = (number: number): string => String(number).padStart(2, "0")

/** An offer of R$ 300.00 a year. Null if it cannot be priced. */
export const offerOf = (released_on: string, due: ReadonlyArray<string>, rate: number): LenderOffer | null => {
  const installments = due.map((date) => ({ due_date: calendarDate(date), amount: centavos(300_00) }))
  const monthly_rate = percent(rate)
  return Result.match(
    priceOffer({ released_on: calendarDate(released_on), monthly_rate, fee: { kind: "none" }, installments }),
    {
      onSuccess: (terms) => ({ table: { code: "A", label: "A" }, terms, valid_until: null }),
      onFailure: () => null
    }
  )
}

/** Days around which the law changes, and a leap day. */
export const midnights = ["2025-10-31", "2025-11-01", "2026-10-31", "2026-11-01", "2028-02-29"].map(calendarDate)
