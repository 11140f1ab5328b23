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

/** Whether the request has a body at all. */
const hasBody = ({ headers }: HttpServerRequest.HttpServerRequest): boolean =>
  headers["transfer-encoding"] !== undefined || (headers["content-length"] ?? "0") !== "0"

/** Reads a body of one of these media types as text: 413, then 415, then 400. */
export const readText = Effect.fnUntraced(function*(
  request: HttpServerRequest.HttpServerRequest,
  accepted: ReadonlyArray<string>
) {
  const bytes = yield* readBytes(request)
  const media: MediaType = mediaType(request.headers["content-type"])
  if (isEncoded(request) || !accepted.includes(media.type) || !isUtf8(media)) return yield* new UnsupportedMediaType()
  const body: TextBody = { type: media.type, text: yield* Effect.fromResult(decodeUtf8(bytes)) }
  return body
})

const json = ["application/json"]

/** Reads a JSON body; undefined where none is wanted, or none came and none is needed. */
export const readJson = Effect.fnUntraced(function*(
  request: HttpServerRequest.HttpServerRequest,
  wanted: "none" | "json" | "optional-json"
) {
  if (wanted === "none" || (wanted === "optional-json" && !hasBody(request))) return undefined
  const { text } = yield* readText(request, json)
  return yield* Effect.fromResult(parseJson(text))
})
