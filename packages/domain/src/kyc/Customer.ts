import { Schema } from "effect"
import { field, maskable, nullWhenAbsent } from "../input/field.ts"
import { CalendarDate } from "../values/CalendarDate.ts"
import { Cpf } from "../values/Cpf.ts"
import { Email } from "../values/Email.ts"
import { Name } from "../values/Name.ts"
import { Phone } from "../values/Phone.ts"

/** The person who applies for the loan. Unknown values are `null`. */
export const Customer = Schema.Struct({
  cpf: field(maskable(Cpf), "CPF: 11 digits. Masked for callers without `kyc:read`.", "11144477735"),
  birth_date: field(
    CalendarDate,
    "Birth date as registered with CAIXA, YYYY-MM-DD. The customer is at least 18 years old",
    "1990-05-17"
  ),
  name: field(nullWhenAbsent(Name), "Name, 2 to 120 characters", "Ana Beatriz Lima"),
  email: field(nullWhenAbsent(Email), "E-mail address", "ana.lima@example.com"),
  phone: field(nullWhenAbsent(Phone), "Phone number: area code and 8 or 9 digits", "11987654321")
}).annotate({ identifier: "Customer", description: "The person whose FGTS withdrawals are anticipated" })
export type Customer = typeof Customer.Type
