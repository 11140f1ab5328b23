import { canonicalJson, decode, type ValidationFailed } from "@lastro/domain/input"
import { Context, Effect, Result, type Schema } from "effect"
import { TestMistake } from "../mistake/TestMistake.ts"

/** If true, builders also build invalid records. The contract suites use this to store values that are easy to compare. */
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

/** Returns the top-level fields whose value is valid but not in the form in which it is stored, such as a CPF with punctuation. */
const unstoredFields = (record: object, decoded: object): ReadonlyArray<string> => {
  const stored: ReadonlyMap<string, unknown> = new Map(Object.entries(decoded))
  return Object.entries(record).flatMap(([name, value]) =>
    canonicalJson(value) === canonicalJson(stored.get(name) ?? null) ? [] : [name]
  )
}

/**
 * Returns a built record if it is valid. Otherwise dies with a `TestMistake` that names the invalid fields. `builder` is the name of the
 * function that builds the record.
 */
export const checkRecord = <S extends Schema.ConstraintDecoder<unknown>>(builder: string, schema: S) => {
  const read = decode(schema)
  return <A extends object>(record: A): Effect.Effect<A> =>
    Effect.flatMap(InvalidRecordsAllowed, (isAllowed) => {
      if (isAllowed) return Effect.succeed(record)
      const decoded = read(record)
      if (Result.isFailure(decoded)) return Effect.die(mistakeOf(builder, fieldsOf(decoded.failure)))
      const unstored = unstoredFields(record, Object(decoded.success))
      return unstored.length === 0
        ? Effect.succeed(record)
        : Effect.die(mistakeOf(builder, unstored.map((name) => `${name} NOT_IN_STORED_FORM`).join(", ")))
    })
}
