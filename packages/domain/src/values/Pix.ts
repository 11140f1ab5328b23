import { type Brand, Effect, Result, Schema, SchemaGetter, SchemaIssue } from "effect"
import { type Problem, problem } from "../input/FieldProblem.ts"
import { invalidFormat, type TextFormat } from "../input/TextFormat.ts"
import { issueOf } from "../input/textParser.ts"
import { parseCnpj } from "./Cnpj.ts"
import { parseCpf } from "./Cpf.ts"
import { lowerCaseEmail, parseEmail } from "./Email.ts"
import { maskedCompletely, maskTail } from "./maskTail.ts"
import { parsePhone } from "./Phone.ts"
import { parseUuid } from "./Uuid.ts"

/** Types of PIX key, as in the PIX directory (DICT) of the Banco Central. */
export const PixKeyType = /* @__PURE__ */ (() =>
  Schema.Literals(["CPF", "CNPJ", "EMAIL", "PHONE", "EVP"]).annotate({
    identifier: "PixKeyType",
    description:
      "Type of a PIX key. EVP is a random key. The type is never inferred: 11912345684 is both a valid phone number " +
      "and a valid CPF."
  }))()
export type PixKeyType = typeof PixKeyType.Type

/** A PIX key in the format of the DICT. */
export type PixKey = string & Brand.Brand<"PixKey">

type Parsed = Result.Result<string, Problem>

const refused = (expected: TextFormat): Parsed => Result.fail(invalidFormat(expected))

const maxEmail = 77
const ascii = /^[!-~]*$/

const parseEmailKey = (input: string): Parsed =>
  Result.flatMap(parseEmail(input), (email) => {
    if (!ascii.test(email)) return refused("name@domain in ASCII")
    return email.length > maxEmail
      ? Result.fail(problem("TOO_LONG", { max: maxEmail }))
      : Result.succeed(lowerCaseEmail(email))
  })

const internationalShape = /^\+[1-9](?:[ ()./-]*\d){2,15}$/
const phonePunctuation = /[ ()./-]/g

const parsePhoneKey = (input: string): Parsed => {
  const trimmed = input.trim()
  if (!trimmed.startsWith("+")) return Result.map(parsePhone(trimmed), (phone) => `+55${phone}`)
  return internationalShape.test(trimmed)
    ? Result.succeed(trimmed.replace(phonePunctuation, ""))
    : refused("+ and 3 to 16 digits")
}

const parsers: Readonly<Record<PixKeyType, (input: string) => Parsed>> = {
  CPF: parseCpf,
  CNPJ: parseCnpj,
  EMAIL: parseEmailKey,
  PHONE: parsePhoneKey,
  EVP: (input) => parseUuid(input.trim())
}

/**
 * A PIX key is parsed by its stated type, which is never inferred.
 *
 * - CPF and CNPJ: as DOC-01 and DOC-03.
 * - E-mail address: at most 77 ASCII characters, lower-cased.
 * - Phone number: E.164, `+` and 3 to 16 digits. A national number gets the prefix `+55`.
 * - Random UUID (EVP): lower-cased.
 *
 * Source: Banco Central do Brasil, DICT API.
 * @rule DOC-15
 */
export const parsePixKey = (type: PixKeyType, input: string): Result.Result<PixKey, Problem> =>
  Result.map(parsers[type](input), (key) => key as PixKey)

/**
 * A masked PIX key shows its last four characters. A key of four or fewer characters is masked completely.
 * @rule DOC-16
 */
export const maskPixKey = (key: PixKey): string => maskTail(key)

/** A PIX key with its type. */
export type Pix = {
  readonly key: PixKey
  readonly type: PixKeyType
}

/**
 * The input fields of a PIX key. {@link Pix} validates them together, because the type determines the format of the
 * key.
 */
export const pixFields = /* @__PURE__ */ (() => ({
  key: Schema.String.annotate({
    description:
      "The key, in the format of its type. CPF, CNPJ and phone accept the usual punctuation on input; a phone " +
      "is stored in E.164 format, an e-mail address or EVP in lower case.",
    examples: ["maria.silva@example.com", "+5511987654321"]
  }),
  type: PixKeyType
}))()

const Written = /* @__PURE__ */ (() =>
  Schema.Struct(pixFields).annotate({
    identifier: "Pix",
    description: "A PIX key and its type",
    examples: [{ key: "contato@paulista.example", type: "EMAIL" }]
  }))()

const isPix = (value: unknown): value is Pix => {
  if (!Schema.is(Written)(value)) return false
  const key = parsePixKey(value.type, value.key)
  return Result.isSuccess(key) && key.success === value.key
}

/**
 * The schema of a PIX key with its type. The key is parsed by its type, and a problem is reported on `key`. A decoded
 * value can be decoded again, without a change.
 */
export const Pix: Schema.Codec<Pix, { readonly key: string; readonly type: PixKeyType }> =
  /* @__PURE__ */ (() =>
    Written.pipe(
      Schema.decodeTo(Schema.declare<Pix>(isPix), {
        decode: SchemaGetter.transformEffect(({ key, type }: typeof Written.Type) =>
          Effect.fromResult(Result.mapBoth(parsePixKey(type, key), {
            onFailure: (problem) => new SchemaIssue.Pointer(["key"], issueOf(problem)),
            onSuccess: (canonical): Pix => ({ key: canonical, type })
          }))
        ),
        encode: SchemaGetter.passthroughSupertype<Pix, typeof Written.Type>()
      })
    ))()

/**
 * Beside a masked CPF or CNPJ, a PIX key of type CPF or CNPJ is masked completely, because its last digits would
 * complete the masked document. Other keys are masked as in DOC-16. The type is shown in full.
 * @rule DOC-25
 */
export const maskPix = ({ key, type }: Pix): { readonly key: string; readonly type: PixKeyType } => ({
  key: type === "CPF" || type === "CNPJ" ? maskedCompletely : maskPixKey(key),
  type
})
