import { Effect, Predicate, Stream } from "effect"
import { MalformedBody, PayloadTooLarge } from "../errors/HttpRefusals.ts"
import { type Incoming } from "./Incoming.ts"

/** Maximum size of a body in bytes. */
export const maxBodyBytes = 256 * 1024

/**
 * Maximum number of bytes of an oversized body that are read and discarded before the request is rejected. A client
 * that reads the response only after it has sent the body would otherwise get a connection reset. The request timeout
 * of the server limits the time for reading.
 */
const drainedBytes = 64 * 1024 * 1024

/** Other code has read the body before the API received the request, because the API is mounted after a body parser. */
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
 * Returns the state of the body of a Node or Fetch request. A body parser of the framework may have read the body
 * before the API. Reading it again would never end.
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

/** Returns whether the whole body of a request is in memory, or the request has none. */
export const hasArrived = (source: object): boolean =>
  hasNoBody(source) || hasValue(source, "complete", true) || bodyState(source) !== "unread"

/**
 * Returns whether the client waits for `100 Continue`. Such a client receives an error response before it sends the
 * body.
 */
const expectsContinue = ({ headers }: Incoming): boolean => headers["expect"]?.toLowerCase() === "100-continue"

/**
 * Rejects a body that is still arriving and lets Node discard the rest. If the rest stayed unread, the kernel would
 * reset the connection, and the client would lose the response.
 */
const refuse = ({ source }: Incoming): Effect.Effect<never, PayloadTooLarge> =>
  Effect.suspend(() => {
    if (Predicate.hasProperty(source, "resume") && typeof source.resume === "function") source.resume()
    return Effect.fail(new PayloadTooLarge())
  })

/**
 * Returns whether the size of the body cannot exceed its `Content-Length`. Node's parser ensures that. The body of a
 * Fetch API request may be longer.
 */
const isLengthEnforced = ({ source }: Incoming): boolean => !Predicate.hasProperty(source, "bodyUsed")

/**
 * Reads a whole request body without decompressing it. Rejects a body over the limit, whether its length is declared or not.
 */
export const readBytes = (
  request: Incoming
): Effect.Effect<Uint8Array, MalformedBody | PayloadTooLarge> => {
  const state = bodyState(request.source)
  if (state !== "unread") return state === "empty" ? Effect.succeed(new Uint8Array()) : Effect.die(new BodyConsumed())
  const declared = request.headers["content-length"]
  if (declared === undefined) return collect(request)
  if (Number(declared) <= maxBodyBytes) {
    if (!isLengthEnforced(request)) return collect(request)
    return Effect.mapBoth(request.arrayBuffer, {
      onFailure: () => new MalformedBody(),
      onSuccess: (buffer) => new Uint8Array(buffer)
    })
  }
  if (expectsContinue(request)) return Effect.fail(new PayloadTooLarge())
  return Number(declared) > drainedBytes ? refuse(request) : collect(request)
}

const collect = (request: Incoming) =>
  Effect.suspend(() => {
    const chunks: Array<Uint8Array> = []
    let size = 0
    const addChunk = (chunk: Uint8Array) => {
      size += chunk.length
      if (size <= maxBodyBytes) chunks.push(chunk)
      return size <= drainedBytes ? Effect.void : refuse(request)
    }
    return request.stream.pipe(
      Stream.mapError(() => new MalformedBody()),
      Stream.runForEach(addChunk),
      Effect.flatMap(() =>
        size <= maxBodyBytes ? Effect.succeed(Buffer.concat(chunks)) : Effect.fail(new PayloadTooLarge())
      )
    )
  })
