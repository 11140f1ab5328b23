import { Effect, Result } from "effect"
import { MalformedBody, UnsupportedMediaType } from "../errors/HttpRefusals.ts"
import { type Incoming } from "./Incoming.ts"
import { parseJson } from "./parseJson.ts"
import { readBytes } from "./readBytes.ts"

/** The media type and charset of a `Content-Type` header, in lower case. */
export interface MediaType {
  readonly type: string
  /** The charset. Default: `utf-8`. */
  readonly charset: string
}

/** Parses a `Content-Type` header (RFC 9110 §8.3). */
export const parseMediaType = (header: string | undefined): MediaType => {
  const [type = "", ...parameters] = (header ?? "").toLowerCase().split(";").map((part) => part.trim())
  const charset = parameters.find((parameter) => parameter.startsWith("charset="))?.slice("charset=".length) ?? "utf-8"
  return { type, charset: charset.startsWith("\"") && charset.endsWith("\"") ? charset.slice(1, -1) : charset }
}

/** Returns whether a charset is UTF-8. */
export const isUtf8 = ({ charset }: MediaType): boolean => charset === "utf-8" || charset === "utf8"

const decoder = new TextDecoder("utf-8", { fatal: true })

const decodeUtf8 = (bytes: Uint8Array): Result.Result<string, MalformedBody> =>
  Result.try({ try: () => decoder.decode(bytes), catch: () => new MalformedBody() })

/** The text of a body, and its media type. */
interface TextBody {
  readonly type: string
  readonly text: string
}

const isContentEncoded = ({ headers }: Incoming): boolean => {
  const encoding = headers["content-encoding"]?.trim().toLowerCase() ?? ""
  return encoding !== "" && encoding !== "identity"
}

/**
 * Decodes a body of one of the accepted media types. Fails with 415 for any other media type, then with 400 for invalid text.
 */
const decodeText = (
  bytes: Uint8Array,
  request: Incoming,
  accepted: ReadonlyArray<string>
): Result.Result<TextBody, UnsupportedMediaType | MalformedBody> => {
  const media = parseMediaType(request.headers["content-type"])
  return isContentEncoded(request) || !accepted.includes(media.type) || !isUtf8(media)
    ? Result.fail(new UnsupportedMediaType())
    : Result.map(decodeUtf8(bytes), (text) => ({ type: media.type, text }))
}

/**
 * Reads a body of one of the accepted media types as text. Checks the size (413), then the media type (415), then the encoding
 * (400).
 */
export const readText = Effect.fnUntraced(function*(
  request: Incoming,
  accepted: ReadonlyArray<string>
) {
  return yield* Effect.fromResult(decodeText(yield* readBytes(request), request, accepted))
})

/** The kind of body that an operation takes. A `patch` is a JSON merge patch (RFC 7396). */
export type BodyKind = "none" | "json" | "optional-json" | "patch"

/** The media type of a JSON merge patch (RFC 7396 §4). */
export const mergePatchType = "application/merge-patch+json"

const json = ["application/json"]
const jsonOrMergePatch = [...json, mergePatchType]

/** Reads a JSON body. Returns undefined if the operation takes no body, or if an optional body is absent. */
export const readJson = Effect.fnUntraced(function*(request: Incoming, wanted: BodyKind) {
  if (wanted === "none") return undefined
  const bytes = yield* readBytes(request)
  // Read the body, because no header shows whether there is one: HTTP/2 and the Fetch API require neither
  // `Content-Length` nor `Transfer-Encoding`.
  if (wanted === "optional-json" && bytes.length === 0) return undefined
  const { text } = yield* Effect.fromResult(decodeText(bytes, request, wanted === "patch" ? jsonOrMergePatch : json))
  return yield* Effect.fromResult(parseJson(text))
})
