import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import * as fc from "fast-check"
import { examples } from "../../../../test/rounds.ts"
import { type Application } from "../../src/loan/Application.ts"
import { decide } from "../../src/loan/decide.ts"
import { evolve } from "../../src/loan/evolve.ts"
import { type LoanCommand } from "../../src/loan/LoanCommand.ts"
import { pledgedDueDates } from "../../src/loan/pledges.ts"
import { calendarDate, saoPauloDate } from "../../src/values/CalendarDate.ts"
import { addMillis, timestampOf } from "../../src/values/Timestamp.ts"
import { isLawful, midnights, offerOf, two } from "../offer/lawOfDates.ts"
import {
  accept,
  completeKyc,
  newApplication,
  notReceived,
  offerId,
  priceQuote,
  startSubmission,
  submitKyc,
  updateContract
} from "./examples.ts"

/** Returns the due dates of the offer of an application that has one. */
const dueOf = ({ quotes: [{ offers }] }: Application): ReadonlyArray<string> =>
  offers.flatMap(({ terms }) => terms.installments.map(({ due_date }) => due_date))

describe("the contracts of a customer", () => {
  /** Returns the year of the first withdrawal whose day 1 is after a day. */
  const nextYear = (day: string, month: string): string => {
    const year = Number(day.slice(0, 4))
    return String(`${year}-${month}-01` > day ? year : year + 1)
  }

  const isPast40Days = (due: string, day: string): boolean => Date.parse(due) + 40 * 86_400_000 <= Date.parse(day)

  /** Returns whether a customer may make a contract beside live ones, by the due dates of their withdrawals. */
  const isAlone = (day: string, due: ReadonlyArray<string>, live: ReadonlyArray<ReadonlyArray<string>>): boolean => {
    const pledged = new Set(live.flat().filter((date) => !isPast40Days(date, day)).map((date) => date.slice(0, 4)))
    return !due.some((date) => pledged.has(date.slice(0, 4))) &&
      !pledged.has(nextYear(day, due[0]?.slice(5, 7) ?? ""))
  }

  const wait = fc.oneof(fc.nat({ max: 2 }), fc.nat({ max: 30 }), fc.nat({ max: 24 * 60 }))

  const someYears: fc.Arbitrary<ReadonlyArray<number>> = fc.oneof(
    fc.constantFrom<ReadonlyArray<number>>([0], [1], [0, 1, 2], [1, 2, 3], [0, 1, 2, 3, 4], [2], [1, 3]),
    fc.uniqueArray(fc.nat({ max: 9 }), { minLength: 1, maxLength: 4 }).map((years) => years.toSorted((a, b) => a - b))
  )

  /** An application from the quote to the end of its contract, with the hours before each step. */
  const attempts = fc.record({
    opened: fc.oneof(fc.nat({ max: 30 }), fc.nat({ max: 24 * 200 })),
    answered: fc.oneof(fc.constant(0), fc.nat({ max: 30 })),
    accepted: fc.oneof(fc.nat({ max: 2 }), fc.nat({ max: 25 })),
    started: wait,
    ended: wait,
    misses: fc.boolean(),
    end: fc.constantFrom("PAID", "PAID", "SETTLED", "CANCELLED"),
    years: someYears,
    rate: fc.constantFrom(1.49, 1.8, 1.8, 1.81)
  })

  const history = fc.record({
    first: fc.constantFrom(...midnights),
    hour: fc.integer({ min: 0, max: 23 }),
    month: fc.integer({ min: 1, max: 12 }).map(two),
    all: fc.array(attempts, { minLength: 1, maxLength: 4 })
  })

  it("FGTS-18 FGTS-47 FGTS-61 PROP-10 T50 no history of a customer has a contract that the law of its day forbids", () => {
    const seen = { accepted: 0, existing: 0, changed: 0, submitted: 0, expired: 0 }
    const judgeHistory = ({ all, first, hour, month }: typeof history extends fc.Arbitrary<infer A> ? A : never) => {
      let at = timestampOf(Date.parse(`${first}T${two(hour)}:00:00.000Z`))
      const birth_date = calendarDate(`1990-${month}-15`)
      const dayAfter = (hours: number): string => saoPauloDate(at = addMillis(at, hours * 3_600_000))
      const contracts: Array<Application> = []
      for (const { accepted, answered, end, ended, misses, opened, rate, started, years } of all) {
        const asked = dayAfter(opened)
        const due = years.map((year) => `${Number(asked.slice(0, 4)) + year}-${month}-01`)
        const offer = offerOf(asked, due, rate)
        if (offer === null) continue
        const blank = newApplication(at)
        let application: Application = { ...blank, customer: { ...blank.customer, birth_date } }
        const run = (command: LoanCommand) => {
          const decided = decide(command, application)
          if (Result.isSuccess(decided)) application = decided.success.reduce(evolve, application)
          return decided
        }
        dayAfter(answered)
        run(priceQuote(1, at, [offer]))
        run(submitKyc({ ...completeKyc, birth_date }, at))
        const day = dayAfter(accepted)
        const pledges = contracts.flatMap((other) => {
          const due_dates = pledgedDueDates(other, at)
          return due_dates.length === 0 ? [] : [{ due_dates, birth_date, is_in_scope: true }]
        })
        const decided = run({ ...accept(offerId(1, 1), at), pledges })
        if (Result.isFailure(decided)) {
          const { failure } = decided
          if (failure._tag === "OfferNotAvailable" && failure.reason === "EXISTING_CONTRACT") seen.existing++
          else seen.changed++
          continue
        }
        seen.accepted++
        const live = contracts.filter(({ proposal }) =>
          proposal?.status === "SUBMITTING" || proposal?.status === "PAID"
        )
        assert.isTrue(isLawful(day, due, rate), `accepted on ${day}: ${due}`)
        assert.isTrue(isAlone(day, due, live.map(dueOf)), `accepted on ${day} beside others: ${due}`)
        for (const isMissed of misses ? [true, false] : [false]) {
          const sent = dayAfter(started)
          run(startSubmission(at))
          if (application.proposal?.status !== "SUBMITTING") break
          assert.isTrue(isLawful(sent, due, rate), `submitted on ${sent}: ${due}`)
          if (isMissed) run(notReceived(at))
        }
        seen[application.proposal?.status === "SUBMITTING" ? "submitted" : "expired"]++
        dayAfter(ended)
        if (application.proposal?.status === "SUBMITTING") run(updateContract(end, at))
        contracts.push(application)
      }
    }
    fc.assert(fc.property(history, judgeHistory), { numRuns: examples(3_000) })
    for (const [name, count] of Object.entries(seen)) assert.isAbove(count, 0, name)
  })
})
