import { canonicalJson, decode, type ValidationFailed } from "@lastro/domain/input"
import { type PartnerId } from "@lastro/domain/values"
import { type Brand, Context, Effect, Effectable, Result, type Schema } from "effect"
import { TestMistake } from "../mistake/TestMistake.ts"

/**
 * Builds a record. Fields that are not set have defaults. A builder is immutable: each method returns a new builder. It
 * is also an Effect, so `yield*` builds the record.
 */
export abstract class Builder<A> extends Effectable.Class<A> {
  /** Builds the record. Ids that are not set are random, so two calls build two different records. */
  build(): A {
    return Effect.runSync(this)
  }
}

type PlainText<T extends string> = T extends Brand.Brand<infer _> ? string : T

/** The unbranded form of a type: ids and dates are plain strings, amounts are plain numbers. */
export type Plain<T> = T extends string ? PlainText<T>
  : T extends number ? number
  : T extends ReadonlyArray<infer A> ? ReadonlyArray<Plain<A>>
  : T extends object ? { readonly [K in keyof T]: Plain<T[K]> }
  : T

/** A partner record or a partner id. */
export type Owner = string | { readonly partner_id: string }

/** Returns the partner id of an {@link Owner}. */
export const partnerIdOf = (owner: Owner): PartnerId =>
  (typeof owner === "string" ? owner : owner.partner_id) as PartnerId

/** True if builders also build invalid records. Contract suites use this to store values that are easy to compare. */
export const InvalidRecordsAllowed = Context.Reference<boolean>(
  "@lastro/testkit/builders/checkRecord/InvalidRecordsAllowed",
  { defaultValue: () => false }
)

const mistakeOf = (builder: string, fields: string): TestMistake =>
  new TestMistake(
    `${builder}() would build an invalid record: ${fields}. Pass valid values in their stored form. ` +
      "To test invalid input, change the built record: { ...record, field: value }."
  )

const fieldsOf = ({ problems }: ValidationFailed): string =>
  problems.map(({ code, field }) => `${field} ${code}`).join(", ")

/** Returns the top-level fields that are valid but not in their stored form, such as a CPF with punctuation. */
const unstoredFields = (record: object, decoded: object): ReadonlyArray<string> => {
  const stored: ReadonlyMap<string, unknown> = new Map(Object.entries(decoded))
  return Object.entries(record).flatMap(([name, value]) =>
    canonicalJson(value) === canonicalJson(stored.get(name) ?? null) ? [] : [name]
  )
}

/**
 * Returns a function that returns a record if its fields are valid and in their stored form. Otherwise the function
 * dies with a `TestMistake` that names the wrong fields. `builder` is a name for the message, such as `aPartner`.
 */
export const checkRecord = <S extends Schema.ConstraintDecoder<unknown>>(builder: string, schema: S) => {
  const decodeRecord = decode(schema)
  return <A extends object>(record: A): Effect.Effect<A> =>
    Effect.flatMap(InvalidRecordsAllowed, (isAllowed) => {
      if (isAllowed) return Effect.succeed(record)
      const decoded = decodeRecord(record)
      if (Result.isFailure(decoded)) return Effect.die(mistakeOf(builder, fieldsOf(decoded.failure)))
      const unstored = unstoredFields(record, Object(decoded.success))
      return unstored.length === 0
        ? Effect.succeed(record)
        : Effect.die(mistakeOf(builder, unstored.map((name) => `${name} NOT_IN_STORED_FORM`).join(", ")))
    })
}
