import { Effect, Schema } from "effect"

/** A field that may be `null` or absent; absent reads as `null`, so that a decoded record always has it. */
export const nullWhenAbsent = <S extends Schema.Constraint>(schema: S) =>
  Schema.NullOr(schema).pipe(Schema.withDecodingDefaultTypeKey(Effect.succeed(null)))
