import { Effect, Stream } from "effect"
import { type HttpServerRequest } from "effect/http"
import { MalformedBody, PayloadTooLarge } from "../errors/HttpRefusals.ts"

/** Bytes of the largest body. */
export const maxBodyBytes = 256 * 1024

/**
 * Bytes of a body that is too large which are read and thrown away before it is refused, so that a client that sends
 * first and reads afterwards sees the answer instead of a reset connection.
 */
const drainedBytes = 16 * 1024 * 1024

/**
 * Reads the body of a request whole, as bytes on the wire: it is never inflated, so that a small body stays small. Larger
 * than the limit, whether declared or not, is refused.
 */
export const readBytes = (
  request: HttpServerRequest.HttpServerRequest
): Effect.Effect<Uint8Array, MalformedBody | PayloadTooLarge> => {
  const declared = request.headers["content-length"]
  return declared !== undefined && Number(declared) <= maxBodyBytes
    ? Effect.mapBoth(request.arrayBuffer, {
      onFailure: () => new MalformedBody(),
      onSuccess: (buffer) => new Uint8Array(buffer)
    })
    : Number(declared ?? 0) > drainedBytes
    ? Effect.fail(new PayloadTooLarge())
    : collect(request)
}

const collect = (request: HttpServerRequest.HttpServerRequest) =>
  Effect.suspend(() => {
    const chunks: Array<Uint8Array> = []
    let size = 0
    const take = (chunk: Uint8Array) => {
      size += chunk.length
      if (size <= maxBodyBytes) chunks.push(chunk)
      return size <= drainedBytes ? Effect.void : Effect.fail(new PayloadTooLarge())
    }
    return request.stream.pipe(
      Stream.mapError(() => new MalformedBody()),
      Stream.runForEach(take),
      Effect.flatMap(() =>
        size <= maxBodyBytes ? Effect.succeed(Buffer.concat(chunks)) : Effect.fail(new PayloadTooLarge())
      )
    )
  })
