import { Cpf, Name, Phone } from "@lastro/domain/documents"
import { ApplicationId, QuoteId } from "@lastro/domain/id"
import { Reais } from "@lastro/domain/money"
import { CalendarDate, Timestamp } from "@lastro/domain/time"
import { Schema } from "effect"
import { amount, count, email, field, lenderInstant, rate, Refusal, Table } from "./lenderFields.ts"

const Customer = Schema.Struct({
  cpf: field(Cpf, "CPF: 11 digits"),
  birth_date: field(CalendarDate, "Date of birth"),
  name: Schema.NullOr(field(Name, "Name; null if unknown")),
  email: Schema.NullOr(email("E-mail address; null if unknown")),
  phone: Schema.NullOr(field(Phone, "Phone number: area code and 8 or 9 digits; null if unknown"))
}).annotate({ identifier: "Customer", description: "The customer whose FGTS withdrawals are anticipated" })

const Policy = Schema.Struct({
  version: Schema.String.annotate({ description: "The version of the policy", examples: ["CCFGTS-1130/2025-2"] }),
  max_installments: count("Maximum number of instalments"),
  min_installment: Schema.NullOr(amount("Minimum amount of an instalment, inclusive; null for no minimum")),
  max_installment: Schema.NullOr(amount("Maximum amount of an instalment, inclusive; null for no maximum"))
}).annotate({ identifier: "Policy", description: "The legal limits that apply on the release day" })

/** A request to price an anticipation. */
export const QuoteRequest = Schema.Struct({
  application_id: field(ApplicationId, "Id of the application of the quote"),
  quote_id: field(QuoteId, "Id of the quote, the same for every attempt"),
  number: count("The number of the quote within its application"),
  attempt: count("Number of this attempt, from 1"),
  requested_at: field(Timestamp, "When the quote was requested"),
  released_on: field(CalendarDate, "The release day in America/Sao_Paulo, for which the loan is priced"),
  customer: Customer,
  policy: Policy,
  max_installments: Schema.NullOr(count("Desired maximum number of instalments; null for the legal maximum")),
  desired_amount: Schema.NullOr(amount("Desired net amount; null for the maximum"))
}).annotate({ identifier: "QuoteRequest", description: "A request to price an anticipation in every table" })

const Installment = Schema.Struct({
  number: count("Number of the instalment, from 1"),
  due_date: field(CalendarDate, "The day on which CAIXA pays the instalment: the first day of the birth month"),
  amount: amount("The amount of the instalment"),
  principal_amount: amount("The principal part"),
  interest_amount: field(Reais, "The interest part. Reais with at most two decimals"),
  calendar_days: count("Calendar days from the release to the due date")
}).annotate({ identifier: "Installment", description: "An anticipated annual withdrawal" })

/** The terms of a loan. */
export const termsFields = {
  gross_amount: amount("The sum of the instalments"),
  principal_amount: amount("The loan principal: the sum of the principal parts"),
  iof_daily_amount: amount("The daily part of the IOF tax"),
  iof_additional_amount: amount("The additional part of the IOF tax"),
  iof_amount: amount("Both parts of the IOF"),
  fee_amount: amount("The lender's fee"),
  net_amount: amount("The amount paid to the customer: principal minus IOF and fee"),
  monthly_rate: rate("Monthly interest rate"),
  annual_rate: rate("Annual interest rate"),
  monthly_cet: rate("Monthly total effective cost (CET), two decimals"),
  annual_cet: rate("Annual total effective cost (CET), two decimals"),
  installments: Schema.Array(Installment).check(Schema.isMaxLength(120))
}

const Offer = Schema.Struct({
  table: Table,
  ...termsFields,
  valid_until: lenderInstant("When the offer expires at the lender; null if not specified")
}).annotate({ identifier: "Offer", description: "The offer of one table" })

const Unpriced = Schema.Struct({ table: Table, rejection: Refusal }).annotate({
  identifier: "Unpriced",
  description: "A table for which the lender makes no offer, and the reason"
})

const maxTables = Schema.isMaxLength(50)

/** The response to a quote request. */
export const Quotation = Schema.Union([
  Schema.Struct({
    kind: Schema.Literal("PRICED"),
    offers: Schema.Array(Offer).check(maxTables),
    unpriced: Schema.Array(Unpriced).check(maxTables)
  }).annotate({ identifier: "Priced", description: "The offers of each table" }),
  Schema.Struct({ kind: Schema.Literal("REFUSED"), rejection: Refusal }).annotate({
    identifier: "Refused",
    description: "A refusal that applies to all tables"
  })
]).annotate({ identifier: "Quotation", description: "The offers, or the refusal" })
