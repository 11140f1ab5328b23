import { Schema } from "effect"
import { Cpf } from "../../documents/Cpf.ts"
import { Email } from "../../documents/Email.ts"
import { Name } from "../../documents/Name.ts"
import { Phone } from "../../documents/Phone.ts"
import { CalendarDate } from "../../time/CalendarDate.ts"
import { nullWhenAbsent } from "../../validation/nullWhenAbsent.ts"

/** The consumer an application is for; what is not known of them is `null`. */
export const Customer = Schema.Struct({
  cpf: Cpf,
  birth_date: CalendarDate,
  name: nullWhenAbsent(Name),
  email: nullWhenAbsent(Email),
  phone: nullWhenAbsent(Phone)
}).annotate({ identifier: "Customer", description: "The consumer whose FGTS withdrawals are anticipated" })
export type Customer = typeof Customer.Type
