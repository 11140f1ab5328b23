import { type Context, Effect, Exit, Stream } from "effect"
import { type ServerResponse } from "node:http"
import { limitSending, maxSendingMs } from "../limits/limitSending.ts"
import { type ActiveRequests } from "../mount/ActiveRequests.ts"
import { logExportFailure } from "../pipeline/csvExport.ts"

/** Waits until the client has read enough for the next chunk. Dies if the client reads too slowly. */
const drained = (response: ServerResponse): Effect.Effect<void> =>
  Effect.timeoutOrElse(
    Effect.callback<void>((resume) => {
      const proceed = () => resume(Effect.void)
      response.once("drain", proceed)
      return Effect.sync(() => response.off("drain", proceed))
    }),
    { duration: maxSendingMs, orElse: () => Effect.die("The client reads too slowly") }
  )

const writeChunk = (response: ServerResponse, chunk: Uint8Array): Effect.Effect<void> =>
  Effect.suspend(() => response.write(chunk) ? Effect.void : drained(response))

/**
 * Sends the chunks of a stream, each after the client has read the previous one. Interrupts the stream if the client
 * disconnects. If the stream fails, closes the connection, so that the client detects an incomplete file.
 */
export const sendStream = (
  response: ServerResponse,
  content: Stream.Stream<Uint8Array>,
  context: Context.Context<never>,
  active: Pick<ActiveRequests, "add" | "remove">
): void => {
  const sending = Effect.onError(
    Stream.runForEach(content, (chunk) => writeChunk(response, chunk)),
    logExportFailure
  )
  const fiber = Effect.runForkWith(context)(sending)
  const request = { abort: () => fiber.interruptUnsafe() }
  active.add(request)
  response.once("close", request.abort)
  fiber.addObserver((exit) => {
    response.off("close", request.abort)
    if (Exit.isSuccess(exit)) {
      response.end()
      // The last chunks may still wait for the client.
      if (response.writableLength > 0 && !response.destroyed) limitSending(response)
    } else response.destroy()
    active.remove(request)
  })
}
