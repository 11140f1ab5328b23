import { Result } from "effect"
import { combineChecks } from "../input/combineChecks.ts"
import { decodeBody } from "../input/decode.ts"
import { type FieldProblem, fieldProblem, problem } from "../input/FieldProblem.ts"
import { type ValidationFailed } from "../input/ValidationFailed.ts"
import { valueAt } from "../input/valueAt.ts"
import { type QuoteWish } from "../offer/Quote.ts"
import { type CalendarDate, calendarDate, dayOf, firstDate, isDay } from "../values/CalendarDate.ts"
import { type Centavos } from "../values/Centavos.ts"
import { parseMetadata } from "../values/parseMetadata.ts"
import {
  CreateFgtsApplicationRequest,
  leastDesiredAmount,
  RequoteFgtsApplicationRequest
} from "./ApplicationRequests.ts"

const decodeCreate = decodeBody(CreateFgtsApplicationRequest)
const decodeRequote = decodeBody(RequoteFgtsApplicationRequest)

/** Minimum age of a customer, in years. */
const minAge = 18

/**
 * Returns the latest birth date of a person who has the minimum age today. If that year has no 29 February, the date is
 * 28 February.
 */
const latestBirthDate = (today: CalendarDate): CalendarDate => {
  const year = Number(today.slice(0, 4)) - minAge
  const sameDay = `${year}${today.slice(4)}`
  return calendarDate(isDay(sameDay) ? sameDay : `${year}-02-28`)
}

/**
 * A customer must be at least 18 years old on the day on which the application is opened, in America/Sao_Paulo.
 *
 * Source: Código Civil (Lei 10.406/2002), art. 5.
 * @rule FGTS-20
 */
export const judgeBirthDate = (birth_date: unknown, today: CalendarDate): Result.Result<void, FieldProblem> => {
  const day = dayOf(birth_date)
  const max = latestBirthDate(today)
  if (day === undefined || (day >= firstDate && day <= max)) return Result.void
  const params = day > max ? { max, min_age: minAge } : { min: firstDate, max }
  return Result.fail(fieldProblem("customer.birth_date", problem("OUT_OF_RANGE", params)))
}

/**
 * A desired amount must be greater than zero.
 * @rule FGTS-21
 */
export const judgeDesiredAmount = (desired_amount: unknown): Result.Result<void, FieldProblem> =>
  typeof desired_amount === "number" && desired_amount <= 0
    ? Result.fail(fieldProblem("desired_amount", problem("OUT_OF_RANGE", { min: leastDesiredAmount })))
    : Result.void

const wishOf = ({ desired_amount, max_installments }: RequoteFgtsApplicationRequest, before: QuoteWish): QuoteWish => ({
  max_installments: max_installments === undefined ? before.max_installments : max_installments,
  desired_amount: desired_amount === undefined ? before.desired_amount : desired_amount as Centavos | null
})

const noWish: QuoteWish = { max_installments: null, desired_amount: null }

/** Parses the untrusted body of `createApplication` and reports all problems. */
export const parseNewApplication = (body: unknown, today: CalendarDate) =>
  Result.map(
    combineChecks({
      desired_amount: judgeDesiredAmount(valueAt(body, ["desired_amount"])),
      birth_date: judgeBirthDate(valueAt(body, ["customer", "birth_date"]), today),
      metadata: parseMetadata(valueAt(body, ["metadata"])),
      request: decodeCreate(body)
    }),
    ({ metadata, request }) => ({ ...request, metadata, wish: wishOf(request, noWish) })
  )

/** The parsed body of `requoteApplication`. */
interface Requote {
  readonly wish: QuoteWish
  readonly lenders: RequoteFgtsApplicationRequest["lenders"]
}

/**
 * A new quote uses the limits in the body. A limit that the body does not contain is that of the previous quote.
 * @rule FGTS-22
 */
export const parseRequote = (body: unknown, before: QuoteWish): Result.Result<Requote, ValidationFailed> =>
  Result.map(
    combineChecks({
      desired_amount: judgeDesiredAmount(valueAt(body, ["desired_amount"])),
      request: decodeRequote(body ?? {})
    }),
    ({ request }) => ({ wish: wishOf(request, before), lenders: request.lenders })
  )
