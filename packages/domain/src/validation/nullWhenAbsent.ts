import { Effect, Schema } from "effect"

/** The schema of a nullable field that may be absent. An absent field decodes to `null`. */
export const nullWhenAbsent = <S extends Schema.Constraint>(schema: S) =>
  Schema.NullOr(schema).pipe(Schema.withDecodingDefaultTypeKey(Effect.succeed(null)))
