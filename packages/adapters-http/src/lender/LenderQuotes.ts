import { ApplicationId, CalendarDate, Cpf, Name, Phone, QuoteId, Reais, Timestamp } from "@lastro/domain"
import { Schema } from "effect"
import { amount, count, email, field, rate, Refusal, Table, toldInstant } from "./lenderFields.ts"

const Customer = Schema.Struct({
  cpf: field(Cpf, "CPF: 11 digits"),
  birth_date: field(CalendarDate, "Date of birth"),
  name: Schema.NullOr(field(Name, "Name, where it is known")),
  email: Schema.NullOr(email("E-mail address, where it is known")),
  phone: Schema.NullOr(field(Phone, "Phone number, where it is known: area code and 8 or 9 digits"))
}).annotate({ identifier: "Customer", description: "The consumer whose FGTS withdrawals are anticipated" })

const Policy = Schema.Struct({
  version: Schema.String.annotate({ description: "Names the policy", examples: ["CCFGTS-1130/2025-2"] }),
  max_installments: count("The most instalments"),
  min_installment: Schema.NullOr(amount("The least an instalment may be, inclusive; null for no bound")),
  max_installment: Schema.NullOr(amount("The most an instalment may be, inclusive; null for no bound"))
}).annotate({ identifier: "Policy", description: "What the law allows on the day that is priced for" })

/** What a lender is asked to price. */
export const QuoteRequest = Schema.Struct({
  application_id: field(ApplicationId, "The application that the quote is part of"),
  quote_id: field(QuoteId, "The quote; the same at every attempt"),
  number: count("The number of the quote within its application"),
  attempt: count("How often this quote has been asked for, this time included"),
  requested_at: field(Timestamp, "When the quote was wished for"),
  released_on: field(CalendarDate, "The day, in America/Sao_Paulo, that is priced for"),
  customer: Customer,
  policy: Policy,
  max_installments: Schema.NullOr(count("The most instalments that are wished for; null for as many as may be")),
  desired_amount: Schema.NullOr(amount("The net amount that is enough; null for as much as may be"))
}).annotate({ identifier: "QuoteRequest", description: "What is to be priced, by every table at once" })

const Installment = Schema.Struct({
  number: count("From 1"),
  due_date: field(CalendarDate, "The day on which CAIXA pays it: day 1 of the birth month"),
  amount: amount("What is paid"),
  principal_amount: amount("The part that repays the principal"),
  interest_amount: field(Reais, "The rest of the amount. Reais, at most two decimals"),
  calendar_days: count("Calendar days from the release to the due date")
}).annotate({ identifier: "Installment", description: "An annual withdrawal that is anticipated" })

/** What a loan is and costs. */
export const termsFields = {
  gross_amount: amount("The sum of the instalments"),
  principal_amount: amount("What is lent: the sum of the instalments' principals"),
  iof_daily_amount: amount("The daily part of the tax IOF"),
  iof_additional_amount: amount("The additional part of the tax IOF"),
  iof_amount: amount("Both parts of the IOF"),
  fee_amount: amount("The lender's fee"),
  net_amount: amount("What the customer receives: the principal less IOF and fee"),
  monthly_rate: rate("Interest a month"),
  annual_rate: rate("Interest a year"),
  monthly_cet: rate("Total effective cost (CET) a month, two decimals"),
  annual_cet: rate("Total effective cost (CET) a year, two decimals"),
  installments: Schema.Array(Installment).check(Schema.isMaxLength(120))
}

const Offer = Schema.Struct({
  table: Table,
  ...termsFields,
  valid_until: toldInstant("When the lender no longer stands by the offer; null where it does not say")
}).annotate({ identifier: "Offer", description: "What one table gives" })

const Unpriced = Schema.Struct({ table: Table, rejection: Refusal }).annotate({
  identifier: "Unpriced",
  description: "A table that gives no offer, and why"
})

const most = Schema.isMaxLength(50)

/** What a lender answers to a quote. */
export const Quotation = Schema.Union([
  Schema.Struct({
    kind: Schema.Literal("PRICED"),
    offers: Schema.Array(Offer).check(most),
    unpriced: Schema.Array(Unpriced).check(most)
  }).annotate({ identifier: "Priced", description: "What each table gives" }),
  Schema.Struct({ kind: Schema.Literal("REFUSED"), rejection: Refusal }).annotate({
    identifier: "Refused",
    description: "One refusal for all tables"
  })
]).annotate({ identifier: "Quotation", description: "What there is to offer, or why there is nothing" })
