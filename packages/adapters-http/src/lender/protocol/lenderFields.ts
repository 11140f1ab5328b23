import { nullWhenAbsent, textSchema } from "@lastro/domain/input"
import { feeKinds, readRejection, rejectionCodes, RejectionReason } from "@lastro/domain/offer"
import { Email, Percent, Reais, timestamp } from "@lastro/domain/values"
import { Option, Predicate, Schema, SchemaGetter } from "effect"

/** The schema of a key of the lender that may be absent. Null counts as absent. */
export const absentWhenNull = <S extends Schema.Top>(schema: S) =>
  Schema.optionalKey(Schema.NullOr(schema)).pipe(
    Schema.decodeTo(Schema.optionalKey(Schema.toType(schema)), {
      decode: SchemaGetter.transformOptional(Option.filter(Predicate.isNotNull)),
      encode: SchemaGetter.passthroughSupertype()
    })
  )

/** Adds a description to the encoded form of a domain type. */
export const field = <S extends Schema.Top>(schema: S, description: string): S["Rebuild"] =>
  schema.pipe(Schema.annotateEncoded({ description }))

/** A schema of an e-mail address, which may contain non-ASCII letters. */
export const email = (description: string) => Email.pipe(Schema.annotateEncoded({ description, format: "idn-email" }))

/** A schema of a non-negative amount. */
export const amount = (description: string) =>
  field(Reais, `${description}. Reais with at most two decimals, not negative`).check(Schema.isGreaterThanOrEqualTo(0))

/** A schema of a percentage. */
export const rate = (description: string) => field(Percent, `${description}. Percent with at most six decimals`)

/** A schema of an integer of at least 1. */
export const count = (description: string) =>
  Schema.Int.check(Schema.isGreaterThanOrEqualTo(1)).annotate({ description })

/** A schema of an optional instant in a lender's response. Accepts any UTC offset. */
export const lenderInstant = (description: string) => nullWhenAbsent(field(timestamp, description))

/** Returns whether a text can be stored. PostgreSQL rejects NUL, and UTF-8 cannot encode lone surrogates. */
const isStorable = (value: string): boolean => value.isWellFormed() && !value.includes("\u0000")

const storable = Schema.makeFilter(isStorable, { expected: "a text without NUL and lone surrogates" })

/** A schema of a text of the lender that is stored unchanged. */
export const storedText = (maxLength: number, description: string) =>
  Schema.String.annotate({ description }).check(Schema.isMaxLength(maxLength), storable)

const EncodedRejection = Schema.Struct({
  code: Schema.String.annotate({
    description: `The machine-readable reason: one of ${
      rejectionCodes.join(", ")
    }. Any other code is read as LENDER_TEMPORARY if there is a \`retry_at\`, and as LENDER_POLICY otherwise`,
    examples: ["BIRTHDAY_WINDOW"]
  }).check(Schema.isMaxLength(64)),
  message: Schema.String.annotate({
    description: "The human-readable reason, passed on unchanged. At most 1 000 characters",
    examples: ["Operação não permitida antes de 03/02/2026."]
  }).check(Schema.isMaxLength(1_000), storable),
  retry_at: lenderInstant("The earliest time at which a retry can succeed, if the reason is temporary")
}).annotate({ identifier: "Refusal", description: "The reason for a missing offer or a rejected contract" })

/** The lender's reason for a rejection, decoded as a `RejectionReason` of the domain. */
export const Rejection = EncodedRejection.pipe(
  Schema.decodeTo(Schema.toType(RejectionReason), {
    decode: SchemaGetter.transform(({ code, message, retry_at }) => readRejection(code, message, retry_at)),
    encode: SchemaGetter.transform(({ code, message, retry_at }) => ({ code, message, retry_at }))
  })
)

/** A rate table of the lender. */
export const Table = Schema.Struct({
  code: textSchema({ min: 1, max: 40, description: "The machine-readable name of the table", examples: ["standard"] }),
  label: textSchema({
    min: 1,
    max: 100,
    description: "The human-readable name of the table",
    examples: ["Tabela Standard"]
  }),
  fee_kind: absentWhenNull(
    Schema.Literals(feeKinds).annotate({
      description:
        "The kind of the fee. NONE: no fee. REGISTRATION: the fee for the start of the relationship with the " +
        "customer (tarifa de cadastro). OTHER: any other fee. Absent: NONE for a fee of 0, and OTHER for any other fee"
    })
  )
}).annotate({ identifier: "Table", description: "A table of rates and fees" })
