import { Option, Result, Schema } from "effect"

/**
 * The only accepted token header: the fields of RFC 9068 §2.1 and a key id. A header with a field that could reference
 * another key is rejected.
 */
const Header = Schema.Struct({
  alg: Schema.Literal("ES256"),
  typ: Schema.Literal("at+jwt"),
  kid: Schema.String
})

const decodeHeader = Schema.decodeUnknownResult(Schema.fromJsonString(Header), { onExcessProperty: "error" })

/** Length of an ES256 signature. */
const signatureBytes = 64

/** Decodes canonical base64url without padding. Returns none for any other text. */
const decodeBase64Url = (text: string): Option.Option<Buffer> => {
  const bytes = Buffer.from(text, "base64url")
  return bytes.toString("base64url") === text ? Option.some(bytes) : Option.none()
}

/** Maximum length of a token in characters. The tokens of this API have about 800. */
const maxTokenLength = 4096

/**
 * Reads the key id of a token in JWS compact serialization (RFC 7515 §7.1). Returns none if this API cannot have issued
 * the token. That is so if the token has another algorithm or type, missing or additional header fields, padding, or a
 * signature of another length.
 */
export const keyIdOf = (token: string): Option.Option<string> => {
  const parts = token.length > maxTokenLength ? [] : token.split(".")
  const [header = "", payload = "", signature = ""] = parts
  const decoded = [header, payload, signature].map(decodeBase64Url)
  const [head, , sign] = decoded
  if (parts.length !== 3 || head === undefined || sign === undefined || !decoded.every(Option.isSome)) {
    return Option.none()
  }
  if (Option.isNone(head) || Option.isNone(sign) || sign.value.length !== signatureBytes) return Option.none()
  return Option.map(Result.getSuccess(decodeHeader(head.value.toString("utf8"))), ({ kid }) => kid)
}
