import { Effect, Schema } from "effect"

/** The schema of a nullable field that may be absent. An absent field decodes to `null`. */
export const nullWhenAbsent = <S extends Schema.Constraint>(schema: S) =>
  Schema.NullOr(schema).pipe(Schema.withDecodingDefaultTypeKey(Effect.succeed(null)))

/**
 * Describes a field of a record in the API document, with an example of its encoded value. The annotations belong to
 * the field, so several fields can share one schema.
 */
export const field = <S extends Schema.Top>(
  schema: S,
  description: string,
  ...examples: ReadonlyArray<S["Encoded"]>
): S["Rebuild"] =>
  Schema.flip(Schema.flip(schema).annotateKey(examples.length === 0 ? { description } : { description, examples }))

/** Removes the documented pattern from the schema of a text that responses can mask. */
export const maskable = <S extends Schema.Top>(schema: S): S["Rebuild"] =>
  schema.pipe(Schema.annotateEncoded({ pattern: undefined }))
