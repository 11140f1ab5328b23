import { Effect, Predicate, Stream } from "effect"
import { type HttpServerRequest } from "effect/http"
import { MalformedBody, PayloadTooLarge } from "../errors/HttpRefusals.ts"
import { BodyConsumed } from "./BodyConsumed.ts"
import { bodyState } from "./bodyState.ts"

/** Bytes of the largest body. */
const maxBodyBytes = 256 * 1024

/**
 * Bytes of a body that is too large which are read and thrown away before it is refused, so that a client that sends
 * first and reads afterwards sees the answer instead of a reset connection. How long that takes is the server's to bound.
 */
const drainedBytes = 64 * 1024 * 1024

/** A client that asks before it sends gets its answer instead of the body. */
const asksFirst = ({ headers }: HttpServerRequest.HttpServerRequest): boolean =>
  headers["expect"]?.toLowerCase() === "100-continue"

/**
 * Refuses a body of which there is more to come. The connection is closed after the answer, and until then node goes on
 * to throw away what arrives: left unread, it would make the kernel reset the connection, and with it the answer.
 */
const refuse = ({ source }: HttpServerRequest.HttpServerRequest): Effect.Effect<never, PayloadTooLarge> =>
  Effect.suspend(() => {
    if (Predicate.hasProperty(source, "resume") && typeof source.resume === "function") source.resume()
    return Effect.fail(new PayloadTooLarge())
  })

/** Nothing holds a request of the Fetch API to what it declares; node's parser does. */
const isHeldToLength = ({ source }: HttpServerRequest.HttpServerRequest): boolean =>
  !Predicate.hasProperty(source, "bodyUsed")

/**
 * Reads the body of a request whole, as bytes on the wire: it is never inflated, so that a small body stays small. Larger
 * than the limit, whether declared or not, is refused.
 */
export const readBytes = (
  request: HttpServerRequest.HttpServerRequest
): Effect.Effect<Uint8Array, MalformedBody | PayloadTooLarge> => {
  const state = bodyState(request.source)
  if (state !== "unread") return state === "empty" ? Effect.succeed(new Uint8Array()) : Effect.die(new BodyConsumed())
  const declared = request.headers["content-length"]
  if (declared === undefined) return collect(request)
  if (Number(declared) <= maxBodyBytes) {
    if (!isHeldToLength(request)) return collect(request)
    return Effect.mapBoth(request.arrayBuffer, {
      onFailure: () => new MalformedBody(),
      onSuccess: (buffer) => new Uint8Array(buffer)
    })
  }
  if (asksFirst(request)) return Effect.fail(new PayloadTooLarge())
  return Number(declared) > drainedBytes ? refuse(request) : collect(request)
}

const collect = (request: HttpServerRequest.HttpServerRequest) =>
  Effect.suspend(() => {
    const chunks: Array<Uint8Array> = []
    let size = 0
    const take = (chunk: Uint8Array) => {
      size += chunk.length
      if (size <= maxBodyBytes) chunks.push(chunk)
      return size <= drainedBytes ? Effect.void : refuse(request)
    }
    return request.stream.pipe(
      Stream.mapError(() => new MalformedBody()),
      Stream.runForEach(take),
      Effect.flatMap(() =>
        size <= maxBodyBytes ? Effect.succeed(Buffer.concat(chunks)) : Effect.fail(new PayloadTooLarge())
      )
    )
  })
