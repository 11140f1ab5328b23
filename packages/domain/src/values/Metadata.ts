import { Schema } from "effect"
import { field } from "../input/field.ts"

/** Maximum number of keys. */
export const maxMetadataKeys = 50

/** Maximum length of a key, in code points. A key has at least one. */
export const maxMetadataKeyLength = 40

/** Maximum length of a value, in code points. */
export const maxMetadataValueLength = 500

const Value = Schema.String.annotate({ maxLength: maxMetadataValueLength })

/**
 * The API consumer's own fields of a record: a flat object of texts. Lastro stores and returns them, and never
 * interprets them.
 */
export const Metadata = Schema.Record(Schema.String, Value)
export type Metadata = typeof Metadata.Type

const limits =
  `at most ${maxMetadataKeys} keys of 1 to ${maxMetadataKeyLength} characters without \`[\` and \`]\`, with texts of at most ` +
  `${maxMetadataValueLength} characters`

const example = { plan: "gold" }

/** The field `metadata` of a record in responses. */
export const metadataField = field(
  Metadata,
  "Your own fields. Lastro never interprets them. Texts are returned unchanged; the order of keys is not kept. `{}` if there are none.",
  example
)

/** The field `metadata` of a request that creates a record. */
export const newMetadataField = field(
  Schema.optionalKey(Schema.NullOr(Metadata)),
  `Your own fields: ${limits}. Default: none.`,
  example
)

/** The field `metadata` of a request that patches a record. */
export const metadataPatchField = field(
  Schema.optionalKey(Schema.NullOr(Schema.Record(Schema.String, Schema.NullOr(Value)))),
  `Your own fields: ${limits}. Merged key by key: \`null\` removes a key, and absent keys keep their values. \`metadata: null\` removes ` +
    "all keys.",
  example
)
