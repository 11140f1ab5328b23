import {
  Email,
  instant,
  nullWhenAbsent,
  Percent,
  readRejection,
  Reais,
  rejectionCodes,
  RejectionReason,
  text
} from "@lastro/domain"
import { Schema, SchemaGetter } from "effect"

/** A field of a type that is known, and what it is on the wire. */
export const field = <S extends Schema.Top>(schema: S, description: string): S["Rebuild"] =>
  schema.pipe(Schema.annotateEncoded({ description }))

/** An e-mail address, which may hold letters outside ASCII. */
export const email = (description: string) => Email.pipe(Schema.annotateEncoded({ description, format: "idn-email" }))

/** An amount that is not negative. */
export const amount = (description: string) =>
  field(Reais, `${description}. Reais, at most two decimals, not negative`).check(Schema.isGreaterThanOrEqualTo(0))

/** A rate or a cost. */
export const rate = (description: string) => field(Percent, `${description}. Percent, at most six decimals`)

/** A whole number from 1 on. */
export const count = (description: string) =>
  Schema.Int.check(Schema.isGreaterThanOrEqualTo(1)).annotate({ description })

/** An instant as a lender tells it, with any offset. */
export const toldInstant = (description: string) => nullWhenAbsent(field(instant, description))

/** What can be kept: PostgreSQL takes no NUL, UTF-8 no half of a surrogate pair. */
const isStorable = (value: string): boolean => value.isWellFormed() && !value.includes("\u0000")

const WrittenRefusal = Schema.Struct({
  code: Schema.String.annotate({
    description: `Why, for programs: one of ${rejectionCodes.join(", ")}. Any other counts as LENDER_POLICY`,
    examples: ["BIRTHDAY_WINDOW"]
  }).check(Schema.isMaxLength(64)),
  message: Schema.String.annotate({
    description: "Why, for people: a sentence that is passed on as it is, at most 1 000 characters",
    examples: ["Operação não permitida antes de 03/02/2026."]
  }).check(Schema.isMaxLength(1_000), Schema.makeFilter(isStorable)),
  retry_at: toldInstant("From when asking again can succeed, where time is what mends it")
}).annotate({ identifier: "Refusal", description: "Why there is no offer, or no contract any more" })

/** A refusal as a lender tells it, read as one of ours. */
export const Refusal = WrittenRefusal.pipe(
  Schema.decodeTo(Schema.toType(RejectionReason), {
    decode: SchemaGetter.transform(({ code, message, retry_at }) => readRejection(code, message, retry_at)),
    encode: SchemaGetter.transform(({ code, message, retry_at }) => ({ code, message, retry_at }))
  })
)

/** A table of the lender. */
export const Table = Schema.Struct({
  code: text({ min: 1, max: 40, description: "Names the table for programs", examples: ["standard"] }),
  label: text({ min: 1, max: 100, description: "Names the table for people", examples: ["Tabela Standard"] })
}).annotate({ identifier: "Table", description: "A table of rates and fees" })
