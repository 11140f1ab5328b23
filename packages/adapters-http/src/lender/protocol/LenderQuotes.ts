import { nullWhenAbsent } from "@lastro/domain/input"
import {
  ApplicationId,
  CalendarDate,
  Cpf,
  Name,
  Phone,
  QuoteId,
  Reais,
  Timestamp,
  timestamp
} from "@lastro/domain/values"
import { Schema } from "effect"
import { amount, count, email, field, lenderInstant, rate, Rejection, storedText, Table } from "./lenderFields.ts"

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
  max_installment: Schema.NullOr(amount("Maximum amount of an instalment, inclusive; null for no maximum")),
  max_monthly_rate: rate("Maximum monthly rate of an offer, inclusive: the limit in force")
}).annotate({ identifier: "Policy", description: "The limits that apply on the release day" })

/** A request to price an advance on FGTS withdrawals. */
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
  desired_amount: Schema.NullOr(amount("Desired net amount; null for the maximum")),
  lender_state: Schema.optionalKey(
    Schema.String.annotate({
      description: "Version 2. The `lender_state` of the last PENDING response to this quote; absent before the first"
    })
  )
}).annotate({
  identifier: "QuoteRequest",
  description: "A request to price an advance on FGTS withdrawals in every table"
})

const Installment = Schema.Struct({
  number: count("Number of the instalment, from 1"),
  due_date: field(CalendarDate, "The day on which CAIXA pays the instalment: a day in the birth month"),
  amount: amount("The amount of the instalment"),
  principal_amount: field(
    Reais,
    "The principal part. Reais with at most two decimals. Negative only if the interest since the last instalment exceeds the amount"
  ),
  interest_amount: field(Reais, "The interest part. Reais with at most two decimals"),
  calendar_days: count("Calendar days from the release to the due date")
}).annotate({ identifier: "Installment", description: "An anticipated annual withdrawal" })

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

/** Maximum length of a `lender_ref` in the protocol. The domain stores it with a prefix (`lenderRef.ts`). */
const maxLenderRef = 2_000

const offerFields = {
  table: Table,
  ...termsFields,
  valid_until: lenderInstant("When the offer expires at the lender; null if not specified")
}

const Offer = Schema.Struct({
  ...offerFields,
  lender_ref: nullWhenAbsent(
    storedText(
      maxLenderRef,
      "Version 2. A text that Lastro stores and sends with the submission of this offer, without personal data. At most " +
        "2 000 characters"
    )
  )
}).annotate({ identifier: "Offer", description: "The offer of one table" })

const Unpriced = Schema.Struct({ table: Table, rejection: Rejection }).annotate({
  identifier: "Unpriced",
  description: "A table for which the lender makes no offer, and the reason"
})

const maxTables = Schema.isMaxLength(50)

const Priced = <O extends Schema.Top>(offer: O) =>
  Schema.Struct({
    kind: Schema.Literal("PRICED"),
    offers: Schema.Array(offer).check(maxTables),
    unpriced: Schema.Array(Unpriced).check(maxTables)
  }).annotate({ identifier: "Priced", description: "The offers of each table" })

const Refused = Schema.Struct({ kind: Schema.Literal("REFUSED"), rejection: Rejection }).annotate({
  identifier: "Refused",
  description: "A refusal that applies to all tables"
})

const Pending = Schema.Struct({
  kind: Schema.Literal("PENDING"),
  lender_state: storedText(
    8_192,
    "A text that Lastro stores and sends with the next request of this quote, without personal data. At most 8 192 characters"
  ),
  look_at: field(timestamp, "When Lastro requests the quote again, unless the lender calls back before"),
  callback_key: nullWhenAbsent(
    storedText(
      128,
      "The key with which a callback names this quote, without personal data. At most 128 characters. Null if a callback " +
        "contains the `quote_id`, or if there is none"
    )
  )
}).annotate({
  identifier: "Pending",
  description: "Version 2. The lender has the request, and answers it later. The status is 200 or 202"
})

/** The response to a quote request in protocol version 2. */
export const Quotation = Schema.Union([Priced(Offer), Refused, Pending]).annotate({
  identifier: "Quotation",
  description: "The offers, the refusal, or PENDING"
})

/** The response to a quote request in protocol version 1. */
export const QuotationV1 = Schema.Union([Priced(Schema.Struct(offerFields)), Refused])
