import { Effect, Result } from "effect"
import { type HttpServerRequest } from "effect/http"
import { MalformedBody, UnsupportedMediaType } from "../errors/HttpRefusals.ts"
import { isUtf8, type MediaType, mediaType } from "./mediaType.ts"
import { parseJson } from "./parseJson.ts"
import { readBytes } from "./readBytes.ts"

const decoder = new TextDecoder("utf-8", { fatal: true })

const decodeUtf8 = (bytes: Uint8Array): Result.Result<string, MalformedBody> =>
  Result.try({ try: () => decoder.decode(bytes), catch: () => new MalformedBody() })

/** A body as text, and the media type it came with. */
interface TextBody {
  readonly type: string
  readonly text: string
}

const isEncoded = ({ headers }: HttpServerRequest.HttpServerRequest): boolean => {
  const encoding = headers["content-encoding"]?.trim().toLowerCase() ?? ""
  return encoding !== "" && encoding !== "identity"
}

/** A body of one of these media types as text: 415, then 400. */
const textOf = (
  bytes: Uint8Array,
  request: HttpServerRequest.HttpServerRequest,
  accepted: ReadonlyArray<string>
): Result.Result<TextBody, UnsupportedMediaType | MalformedBody> => {
  const media: MediaType = mediaType(request.headers["content-type"])
  return isEncoded(request) || !accepted.includes(media.type) || !isUtf8(media)
    ? Result.fail(new UnsupportedMediaType())
    : Result.map(decodeUtf8(bytes), (text) => ({ type: media.type, text }))
}

/** Reads a body of one of these media types as text: 413, then 415, then 400. */
export const readText = Effect.fnUntraced(function*(
  request: HttpServerRequest.HttpServerRequest,
  accepted: ReadonlyArray<string>
) {
  return yield* Effect.fromResult(textOf(yield* readBytes(request), request, accepted))
})

const json = ["application/json"]

/** Reads a JSON body; undefined where none is wanted, or none came and none is needed. */
export const readJson = Effect.fnUntraced(function*(
  request: HttpServerRequest.HttpServerRequest,
  wanted: "none" | "json" | "optional-json"
) {
  if (wanted === "none") return undefined
  const bytes = yield* readBytes(request)
  // No header tells whether there is a body: HTTP/2 and the Fetch API need neither a length nor an encoding.
  if (wanted === "optional-json" && bytes.length === 0) return undefined
  const { text } = yield* Effect.fromResult(textOf(bytes, request, json))
  return yield* Effect.fromResult(parseJson(text))
})
