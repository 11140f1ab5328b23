import { maxStatementLength } from "@lastro/domain/commission"
import { invalidFormat, maxBodyDepth, ValidationFailed } from "@lastro/domain/input"
import { Effect, Predicate, Result, Stream } from "effect"
import { whilePaused } from "../admission/Slot.ts"
import { MalformedBody, PayloadTooLarge, UnsupportedMediaType } from "../errors/HttpRefusals.ts"
import { type Exchange, type Incoming } from "./Exchange.ts"

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

/** Returns whether every text in the charset is UTF-8. US-ASCII is a subset of it (RFC 3629 §1). */
export const isUtf8 = ({ charset }: MediaType): boolean => ["utf-8", "utf8", "us-ascii"].includes(charset)

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

/** Decodes a body of one of the accepted media types. Fails with 415 for others, and with 400 for invalid text. */
const decodeText = (
  bytes: Uint8Array,
  request: Incoming,
  accepted: ReadonlyArray<string>
): Result.Result<TextBody, UnsupportedMediaType | MalformedBody> => {
  const media = parseMediaType(request.headers["content-type"])
  return isContentEncoded(request) || !accepted.includes(media.type) || !isUtf8(media)
    ? Result.fail(new UnsupportedMediaType({}))
    : Result.map(decodeUtf8(bytes), (text) => ({ type: media.type, text }))
}

/**
 * Reads a body of one of the accepted media types as text. Checks the size (413), then the media type (415), then the
 * encoding (400).
 */
export const readText = Effect.fnUntraced(function*(
  request: Incoming,
  accepted: ReadonlyArray<string>
) {
  return yield* Effect.fromResult(decodeText(yield* readBytes(request), request, accepted))
})

/** The kind of body that an operation takes. A `patch` is a JSON merge patch (RFC 7396). */
export type BodyKind = "none" | "json" | "optional-json" | "patch" | "csv"

/** The media type of a JSON merge patch (RFC 7396 §4). */
export const mergePatchType = "application/merge-patch+json"

const notUtf8 = new ValidationFailed({ problems: [{ field: "file", ...invalidFormat("UTF-8") }] })

const json = ["application/json"]
const jsonOrMergePatch = [...json, mergePatchType]

/**
 * Reads a body: the value of JSON, or the text of a CSV file. Returns undefined if the operation takes no body, or if
 * an optional body is absent.
 */
export const readBody = Effect.fnUntraced(function*(request: Incoming, wanted: BodyKind) {
  if (wanted === "none") return undefined
  if (wanted === "csv") {
    const file = yield* readBytes(request, maxStatementLength)
    const decoded = Result.mapError(
      decodeText(file, request, ["text/csv"]),
      (refusal) => refusal instanceof MalformedBody ? notUtf8 : new UnsupportedMediaType({ isCsv: true })
    )
    return (yield* Effect.fromResult(decoded)).text
  }
  const bytes = yield* readBytes(request)
  // Only reading shows whether there is a body: HTTP/2 and the Fetch API require neither `Content-Length` nor
  // `Transfer-Encoding`.
  if (wanted === "optional-json" && bytes.length === 0) return undefined
  const { text } = yield* Effect.fromResult(decodeText(bytes, request, wanted === "patch" ? jsonOrMergePatch : json))
  return yield* Effect.fromResult(parseJson(text))
})

/** Maximum size of a body in bytes, except of a CSV file, which can be larger. */
export const maxBodyBytes = 256 * 1024

/**
 * Maximum number of bytes of an oversized body that are read and discarded before the rejection. Otherwise, a client
 * that reads the response only after it has sent the body would get a connection reset. The request timeout limits the
 * time for reading.
 */
const drainedBytes = 64 * 1024 * 1024

/** Other code has read the body before the API received the request: the API is mounted after a body parser. */
class BodyConsumed extends Error {
  override readonly name = "BodyConsumed"
  readonly logMessage =
    "the request body was read before the API received the request; mount the API before express.json() and other body parsers"
  constructor() {
    super("The request body was read before the API received the request")
  }
}

const hasValue = (source: object, property: string, value: unknown): boolean =>
  Predicate.hasProperty(source, property) && source[property] === value

/**
 * Returns the state of the body of a Node or Fetch request. A body parser of the framework may have consumed it. Reading
 * a consumed body would never end.
 */
const bodyState = (source: object): "unread" | "empty" | "consumed" => {
  if (hasValue(source, "bodyUsed", true) || hasValue(source, "readableDidRead", true)) return "consumed"
  const isEmpty = hasValue(source, "readableEnded", true) ||
    (hasValue(source, "bodyUsed", false) && hasValue(source, "body", null))
  return isEmpty ? "empty" : "unread"
}

/** Returns whether the headers of a Node request show that it has no body (RFC 9112 §6.3). */
const hasNoBody = (source: object): boolean =>
  Predicate.hasProperty(source, "httpVersion") && source.httpVersion === "1.1" &&
  Predicate.hasProperty(source, "headers") && Predicate.isObject(source.headers) &&
  !("content-length" in source.headers) && !("transfer-encoding" in source.headers)

/** Returns whether a request has no body, or its whole body is in memory. */
const hasArrived = (source: object): boolean =>
  hasNoBody(source) || hasValue(source, "complete", true) || bodyState(source) !== "unread"

/** Runs an effect that reads the body. Releases the slot of the request while the body is still arriving. */
export const whileArriving = <A, E, R>(
  { request, slot }: Pick<Exchange, "request" | "slot">,
  reading: Effect.Effect<A, E, R>
): Effect.Effect<A, E, R> => hasArrived(request.source) ? reading : whilePaused(slot, reading)

/** Returns whether the client waits for `100 Continue`. It then receives an error response before it sends the body. */
const expectsContinue = ({ headers }: Incoming): boolean => headers["expect"]?.toLowerCase() === "100-continue"

/**
 * Rejects a body that is still arriving, and lets Node discard the rest. Otherwise, the kernel would reset the
 * connection, and the client would lose the response.
 */
const refuse = ({ source }: Incoming): Effect.Effect<never, PayloadTooLarge> =>
  Effect.suspend(() => {
    if (Predicate.hasProperty(source, "resume") && typeof source.resume === "function") source.resume()
    return Effect.fail(new PayloadTooLarge())
  })

/**
 * Returns whether the body cannot be longer than its `Content-Length`. Node's parser ensures this, but the Fetch API
 * does not.
 */
const isLengthEnforced = ({ source }: Incoming): boolean => !Predicate.hasProperty(source, "bodyUsed")

/**
 * Reads a whole request body without decompressing it. Rejects a body over the limit, with or without a declared
 * length.
 */
export const readBytes = (
  request: Incoming,
  maxBytes: number = maxBodyBytes
): Effect.Effect<Uint8Array, MalformedBody | PayloadTooLarge> => {
  const state = bodyState(request.source)
  if (state !== "unread") return state === "empty" ? Effect.succeed(new Uint8Array()) : Effect.die(new BodyConsumed())
  const declared = request.headers["content-length"]
  if (declared === undefined) return collect(request, maxBytes)
  if (Number(declared) <= maxBytes) {
    if (!isLengthEnforced(request)) return collect(request, maxBytes)
    return Effect.mapBoth(request.arrayBuffer, {
      onFailure: () => new MalformedBody(),
      onSuccess: (buffer) => new Uint8Array(buffer)
    })
  }
  if (expectsContinue(request)) return Effect.fail(new PayloadTooLarge())
  return Number(declared) > drainedBytes ? refuse(request) : collect(request, maxBytes)
}

const collect = (request: Incoming, maxBytes: number) =>
  Effect.suspend(() => {
    const chunks: Array<Uint8Array> = []
    let size = 0
    const addChunk = (chunk: Uint8Array) => {
      size += chunk.length
      if (size <= maxBytes) chunks.push(chunk)
      return size <= drainedBytes ? Effect.void : refuse(request)
    }
    return request.stream.pipe(
      Stream.mapError(() => new MalformedBody()),
      Stream.runForEach(addChunk),
      Effect.flatMap(() =>
        size <= maxBytes ? Effect.succeed(Buffer.concat(chunks)) : Effect.fail(new PayloadTooLarge())
      )
    )
  })

const quote = 0x22
const [openBracket, backslash, closeBracket] = [0x5b, 0x5c, 0x5d]
const [openBrace, closeBrace] = [0x7b, 0x7d]

/** Returns whether a JSON text is nested deeper than `max`. Counts brackets outside strings, without recursion. */
const nestsDeeper = (text: string, max: number): boolean => {
  let depth = 0
  let inString = false
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index)
    if (inString) {
      if (code === backslash) index++
      else if (code === quote) inString = false
    } else if (code === quote) inString = true
    else if (code === openBrace || code === openBracket) {
      depth++
      if (depth > max) return true
    } else if (code === closeBrace || code === closeBracket) depth--
  }
  return false
}

/**
 * Parses a JSON body. First checks the nesting depth, so that recursive code cannot overflow the stack. If a key is
 * repeated, its last value counts.
 */
export const parseJson = (text: string): Result.Result<unknown, MalformedBody | PayloadTooLarge> =>
  nestsDeeper(text, maxBodyDepth)
    ? Result.fail(new PayloadTooLarge())
    : Result.try({ try: (): unknown => JSON.parse(text), catch: () => new MalformedBody() })
