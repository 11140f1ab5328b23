import { sandboxCpf } from "@lastro/domain/adapters"
import { Effect, Fiber, Random } from "effect"
import { type Customer, customer } from "../running/Customer.ts"
import { customerViolations, leavesAfterMs, scenarioOf } from "../running/customerScenarios.ts"
import { applicationClientOf } from "../running/desk.ts"
import { type Scene } from "./Fault.ts"

/** Maximum time from the end of a fault until every unfinished quote and contract has ended, in milliseconds. */
const settleLimitMs = 30_000

/** Time after which a customer who has not ended is given up, in milliseconds since the end of the fault. */
const giveUpMs = 75_000

/** A customer, and its result so far. */
export interface Visit {
  readonly customer: Customer
  readonly index: number
  hasEnded: boolean
  isLate: boolean
}

/** Starts customers, one after the other in each place, until `isOver`. */
export const openShop = Effect.fnUntraced(function*(
  { fleet }: Scene,
  phase: number,
  places: number,
  isOver: () => boolean
) {
  const visits: Array<Visit> = []
  const shop = applicationClientOf(fleet.send)
  const place = Effect.gen(function*() {
    while (!isOver()) {
      const index = phase * 1_000 + visits.length
      const visit = {
        index,
        hasEnded: false,
        isLate: false,
        customer: customer(
          { isUp: Effect.void },
          shop,
          { cpf: sandboxCpf(scenarioOf(index).digits, index), external_id: `ordeal-${index}` },
          {
            requotes: index % 3 === 2 ? 1 : 0,
            splitsKyc: index % 2 === 0,
            acceptsAll: index % 4 === 0,
            leaves: scenarioOf(index).leaves,
            leavesAfterMs: leavesAfterMs(index),
            retryPause: "100 millis"
          }
        )
      }
      visits.push(visit)
      yield* visit.customer.run
      visit.hasEnded = true
      yield* Effect.sleep(yield* Random.nextIntBetween(50, 500))
    }
  })
  const fibers = yield* Effect.forEach(Array.from({ length: places }), () => Effect.forkScoped(place))
  return { visits, fibers }
})

/**
 * Waits until all customers have been served, and marks those who wait too long. Returns the milliseconds since the end
 * of the fault.
 */
export const awaitCustomers = Effect.fnUntraced(function*(
  visits: ReadonlyArray<Visit>,
  fibers: ReadonlyArray<Fiber.Fiber<unknown>>,
  healedAt: number
) {
  while (fibers.some((fiber) => fiber.pollUnsafe() === undefined)) {
    const now = performance.now()
    for (const visit of visits) {
      const since = visit.customer.waitingSince()
      if (since !== undefined && now - Math.max(since, healedAt) > settleLimitMs) visit.isLate = true
    }
    if (now - healedAt > giveUpMs) {
      yield* Fiber.interruptAll(fibers)
      break
    }
    yield* Effect.sleep("100 millis")
  }
  return performance.now() - healedAt
})

/** Replaces equal consecutive lines by one line and their number. Lines start with a time. */
const collapse = (lines: ReadonlyArray<string>): ReadonlyArray<string> => {
  const collapsed: Array<{ readonly line: string; readonly text: string; times: number }> = []
  for (const line of lines) {
    const text = line.replace(/^\d+ ms /, "")
    const last = collapsed.at(-1)
    if (last?.text === text) last.times++
    else collapsed.push({ line, text, times: 1 })
  }
  return collapsed.map(({ line, times }) => times === 1 ? line : `${line} (${times} times)`)
}

/** Describes the problems of a customer, with its last steps if `isDetailed`. */
const describe = (
  { external_id, history, confirmed }: Customer,
  problems: ReadonlyArray<string>,
  isDetailed: boolean
): string => {
  const steps = isDetailed ? collapse(history).slice(-20).map((line) => `\n      ${line}`) : []
  return `application ${confirmed.application_id ?? external_id}: ${problems.join(", ")}${steps.join("")}`
}

/** The number of customers per phase whose steps are reported. */
const detailed = 2

/**
 * Returns whether the step of a customer is a failed quote or an expired offer. No fault of the ordeal lasts long
 * enough to cause one.
 */
const isFailedQuote = (step: string): boolean => /(QUOTE_FAILED|EXPIRED), REQUOTE$/.test(step)

/** Lists the customers who were served late or wrongly. */
export const judgeCustomers = Effect.fnUntraced(function*({ fleet, lender }: Scene, visits: ReadonlyArray<Visit>) {
  const shop = applicationClientOf(fleet.send)
  const contracts = lender.contracts()
  const problems: Array<string> = []
  for (const { customer, hasEnded, index, isLate } of visits) {
    const late = isLate ? [`waits for the lender more than ${settleLimitMs / 1_000} s after healing`] : []
    const failed = customer.history.some(isFailedQuote) ? ["has a failed quote or an expired offer"] : []
    const broken = hasEnded
      ? yield* customerViolations(shop, customer, scenarioOf(index), contracts)
      : [`does not end within ${giveUpMs / 1_000} s after healing`]
    if (late.length + failed.length + broken.length > 0) {
      problems.push(describe(customer, [...late, ...failed, ...broken], problems.length < detailed))
    }
  }
  return problems
})
