import { nullWhenAbsent } from "@lastro/domain/input"
import { timestamp } from "@lastro/domain/values"
import { Schema } from "effect"
import { amount, count, field, Rejection, storedText } from "./lenderFields.ts"
import { termsFields } from "./LenderQuotes.ts"

/** The lender's reference for a contract. It appears in URLs and logs. */
export const Reference = Schema.String.check(Schema.isPattern(/^[A-Za-z0-9][A-Za-z0-9._~:/-]{0,127}$/u)).annotate({
  description:
    "The lender's reference of the contract: 1 to 128 letters, digits and `._~:/-`, without personal data. Unique to the proposal",
  examples: ["CCB-2026-000123"]
})

const isWebAddress = (url: string): boolean => URL.canParse(url) && /^https?:/.test(url)

const webAddress = (description: string, example: string) =>
  Schema.String.annotate({ description, examples: [example] })
    .check(Schema.isMaxLength(2_048), Schema.makeFilter(isWebAddress, { expected: "an http or https URL" }))

const Payment = Schema.Struct({
  amount: amount("The amount that the customer received"),
  at: field(timestamp, "When the customer received it"),
  end_to_end_id: nullWhenAbsent(
    Schema.String.annotate({ description: "The end-to-end id of the PIX or TED payment; null if unknown" })
      .check(Schema.isPattern(/^[A-Za-z0-9]{1,64}$/u))
  )
}).annotate({ identifier: "Payment", description: "Version 2. The payment to the customer, once it was made" })

const FinalTerms = Schema.Struct(termsFields).annotate({
  identifier: "FinalTerms",
  description: "Version 2. The final terms, if they differ from the accepted offer"
})

const RequiredAction = Schema.Struct({
  code: Schema.String.annotate({
    description: "The machine-readable name of the action",
    examples: ["RESEND_DOCUMENT"]
  })
    .check(Schema.isPattern(/^[A-Z][A-Z0-9_]{0,63}$/u)),
  url: nullWhenAbsent(
    webAddress("Where the action is performed; null if nowhere", "https://lender.example/todo/7c9e6679")
  ),
  fields: Schema.Array(storedText(100, "The path of a KYC field, for example `address.zipcode`")).check(
    Schema.isMaxLength(50)
  )
}).annotate({
  identifier: "RequiredAction",
  description: "Version 2. Something that the lender requires before it continues with the contract"
})

const Refund = Schema.Struct({
  amount: amount("The amount that the customer must pay back"),
  pix_copy_paste: storedText(2_048, "The PIX code (copia e cola) with which the customer pays"),
  expires_at: field(timestamp, "The time until which the customer can pay")
}).annotate({ identifier: "Refund", description: "Version 2. How the customer pays a refunded contract back" })

const statusesV1 = [
  "AWAITING_SIGNATURE",
  "GUARANTEE_PENDING",
  "DISBURSING",
  "DISBURSEMENT_FAILED",
  "PAID",
  "CANCELLED",
  "REJECTED"
] as const

const contractFields = {
  // The schema accepts any text. Otherwise a bad link, such as an empty one, would hide the status of the contract.
  signature_url: nullWhenAbsent(
    Schema.String.annotate({
      description:
        "The URL where the customer signs; null if there is nothing to sign. An `https` URL in ASCII of at most 2 048 characters, with a host name and without user information and dot segments. Any other is withheld from the customer",
      examples: ["https://lender.example/sign/7c9e6679"]
    })
  ),
  rejection: nullWhenAbsent(Rejection),
  disbursement_attempt: count("Number of the payment that the status refers to, from 1")
}

/** The state of a contract in a response of protocol version 1. */
export const ContractV1 = Schema.Struct({
  reference: Reference,
  status: Schema.Literals(statusesV1),
  ...contractFields
})

/** The state of a contract in a response of protocol version 2. */
export const Contract = Schema.Struct({
  reference: Reference,
  status: Schema.Literals(["IN_ANALYSIS", ...statusesV1, "REFUND_PENDING", "REFUNDED", "SETTLED"]).annotate({
    description:
      "AWAITING_SIGNATURE: the customer must sign. GUARANTEE_PENDING: CAIXA must register the assignment. DISBURSING: the " +
      "payment is running. DISBURSEMENT_FAILED: the customer must give another destination. PAID. CANCELLED: by the " +
      "customer or by expiry. REJECTED: by the lender. Steps may be skipped, but never reverted. CANCELLED after PAID is " +
      "read as a reversal. Version 2: IN_ANALYSIS: the lender examines the contract, and there is nothing to sign yet. It comes " +
      "first, and a lender can skip it. REFUND_PENDING: the customer must pay the money back; the status returns to PAID if " +
      "the customer does not. REFUNDED: the paid contract is reversed, by the customer, the lender or CAIXA. SETTLED: the paid " +
      "contract is repaid in full; it implies PAID and never changes"
  }),
  ...contractFields,
  paid: nullWhenAbsent(Payment),
  terms: nullWhenAbsent(FinalTerms),
  required_action: nullWhenAbsent(RequiredAction),
  refund: nullWhenAbsent(Refund),
  settled_at: nullWhenAbsent(
    field(timestamp, "Version 2. When the contract was repaid in full, if the status is SETTLED; null: now")
  )
}).annotate({ identifier: "Contract", description: "The state of a contract" })
