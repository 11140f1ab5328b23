import { addDays, type CalendarDate, calendarDate, type Customer } from "@lastro/domain"
import * as fc from "fast-check"
import { cpf, email, personName, phone } from "./documents.ts"

/** Days on which somebody who borrows today was born: 18 to 100 years ago, leap days among them. */
export const birthDate: fc.Arbitrary<CalendarDate> = fc.oneof(
  { weight: 6, arbitrary: fc.nat({ max: 29_900 }).map((days) => addDays(calendarDate("1926-01-01"), days)) },
  { weight: 1, arbitrary: fc.constantFrom("1980-02-29", "2000-01-01", "1999-12-31").map(calendarDate) }
)

/** Customers of whom some are known by CPF and birth date only. */
export const customer: fc.Arbitrary<Customer> = fc.record({
  cpf,
  birth_date: birthDate,
  name: fc.option(personName.map((name) => name as NonNullable<Customer["name"]>)),
  email: fc.option(email),
  phone: fc.option(phone)
})
