import { table } from "../report/table.ts"
import { type Compared, isMet, type Medians } from "./ratios.ts"

const number = (value: number, decimals: number): string => Number.isFinite(value) ? value.toFixed(decimals) : "–"

const name = ({ connections, operation }: Compared): string => `${operation}, ${connections}`

const columns = ["perSecond", "p50", "p99", "node", "postgres", "both"] as const

/**
 * Formats the ratio of Lastro's result to that of the other server. The processor time of PostgreSQL has no ratio if no
 * request uses the database.
 */
const ratio = ({ kind, ratios }: Compared, column: keyof Medians): string =>
  kind === "health" && column === "postgres" ? "–" : number(ratios[column], 2)

const met = (compared: Compared): string => {
  const is = isMet(compared)
  return is === undefined ? "–" : is ? "yes" : "no"
}

/** Formats the ratios of Lastro's results to those of the hand-written server. */
export const ratioTable = (results: ReadonlyArray<Compared>): string =>
  table(
    ["Lastro ÷ hand-written", "requests/s", "p50", "p99", "node", "PostgreSQL", "both", "target met"],
    results.map((one) => [name(one), ...columns.map((column) => ratio(one, column)), met(one)])
  )

const both = (one: Compared, column: keyof Medians, decimals: number): string =>
  `${number(one.lastro[column], decimals)} / ${number(one.peer[column], decimals)}`

/** Formats the results of both servers. */
export const valueTable = (results: ReadonlyArray<Compared>): string =>
  table(
    ["Lastro / hand-written", "requests/s", "p50 ms", "p99 ms", "node ms", "PostgreSQL ms", "both ms"],
    results.map((one) => [
      name(one),
      both(one, "perSecond", 0),
      both(one, "p50", 2),
      both(one, "p99", 2),
      both(one, "node", 3),
      both(one, "postgres", 3),
      both(one, "both", 3)
    ])
  )
