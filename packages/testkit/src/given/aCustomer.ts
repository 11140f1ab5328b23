import { calendarDate, type Customer } from "@lastro/domain"
import { Effect } from "effect"
import { freshCpf } from "./freshId.ts"

/** A customer with a fresh CPF, born in May; the fields given replace the example's. */
export const aCustomer = (fields: Partial<Customer> = {}): Effect.Effect<Customer> =>
  Effect.map(freshCpf, (cpf) => ({
    cpf,
    birth_date: calendarDate("1990-05-17"),
    name: "Ana Exemplo" as Customer["name"],
    email: null,
    phone: null,
    ...fields
  }))
