import { Option, Result, Schema } from "effect"

/** The one header that our tokens have: RFC 9068 §2.1 and a key id, nothing that could point to another key. */
const Header = Schema.Struct({
  alg: Schema.Literal("ES256"),
  typ: Schema.Literal("at+jwt"),
  kid: Schema.String
})

const decodeHeader = Schema.decodeUnknownResult(Schema.fromJsonString(Header), { onExcessProperty: "error" })

/** An ES256 signature is 64 bytes. */
const signatureBytes = 64

/** Decodes base64url without padding; none for any text that is not the one encoding of its bytes. */
const decodeBase64Url = (text: string): Option.Option<Buffer> => {
  const bytes = Buffer.from(text, "base64url")
  return bytes.toString("base64url") === text ? Option.some(bytes) : Option.none()
}

/** Longest token that is looked at; ours have about 800 characters. */
const longest = 4096

/**
 * The key id of a token in JWS compact serialization (RFC 7515 §7.1) that can be one of ours; none for everything else:
 * another algorithm or type, any header of ours missing or of others present, padding, a signature of another length.
 */
export const keyIdOf = (token: string): Option.Option<string> => {
  const parts = token.length > longest ? [] : token.split(".")
  const [header = "", payload = "", signature = ""] = parts
  const decoded = [header, payload, signature].map(decodeBase64Url)
  const [head, , sign] = decoded
  if (parts.length !== 3 || head === undefined || sign === undefined || !decoded.every(Option.isSome)) {
    return Option.none()
  }
  if (Option.isNone(head) || Option.isNone(sign) || sign.value.length !== signatureBytes) return Option.none()
  return Option.map(Result.getSuccess(decodeHeader(head.value.toString("utf8"))), ({ kid }) => kid)
}
