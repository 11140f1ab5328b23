import { Effect, Result, Schema, SchemaGetter, SchemaIssue } from "effect"
import { issueOf } from "../validation/parsed.ts"
import { maskPixKey, parsePixKey, type PixKey, PixKeyType } from "./PixKey.ts"

/** A PIX key with its type. */
export type Pix = {
  readonly key: PixKey
  readonly type: PixKeyType
}

/** The fields of a PIX key on input. Only both together show whether the key matches its type. */
export const pixFields = {
  key: Schema.String.annotate({
    description:
      "The key, in the format of its type. CPF, CNPJ and phone accept the usual punctuation on input; a phone " +
      "is kept as E.164, e-mail and EVP in lower case.",
    examples: ["maria.silva@example.com", "+5511987654321"]
  }),
  type: PixKeyType
}

const Written = Schema.Struct(pixFields).annotate({
  identifier: "Pix",
  description: "A PIX key and its type",
  examples: [{ key: "contato@paulista.example", type: "EMAIL" }]
})

const isPix = (value: unknown): value is Pix => {
  if (!Schema.is(Written)(value)) return false
  const key = parsePixKey(value.type, value.key)
  return Result.isSuccess(key) && key.success === value.key
}

/**
 * The schema of a PIX key with its type. The key is parsed by its type, and a problem is reported on `key`. A decoded value decodes to
 * itself.
 */
export const Pix: Schema.Codec<Pix, { readonly key: string; readonly type: PixKeyType }> = Written.pipe(
  Schema.decodeTo(Schema.declare<Pix>(isPix), {
    decode: SchemaGetter.transformEffect(({ key, type }: typeof Written.Type) =>
      Effect.fromResult(Result.mapBoth(parsePixKey(type, key), {
        onFailure: (problem) => new SchemaIssue.Pointer(["key"], issueOf(problem)),
        onSuccess: (canonical): Pix => ({ key: canonical, type })
      }))
    ),
    encode: SchemaGetter.passthroughSupertype<Pix, typeof Written.Type>()
  })
)

/**
 * A masked PIX key shows its type and its last four characters.
 * @rule DOC-25
 */
export const maskPix = ({ key, type }: Pix): { readonly key: string; readonly type: PixKeyType } => ({
  key: maskPixKey(key),
  type
})
