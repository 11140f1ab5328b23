import { type Context, Effect, type Exit, Stream } from "effect"
import { maxSendingMs } from "../limits/limitSending.ts"
import { logExportFailure } from "../pipeline/csvExport.ts"
import { type ActiveRequests } from "./ActiveRequests.ts"

/** The connection to the client that receives a stream. */
interface ClientConnection {
  /** Writes a chunk, and waits until the client has read enough for the next one. */
  readonly write: (chunk: Uint8Array) => Effect.Effect<void>
  /** Registers a function that is called if the client disconnects. Returns a function that removes it. */
  readonly onDisconnect: (abort: () => void) => () => void
  /** Ends the response. After a failure, breaks it off, so that the client detects an incomplete file. */
  readonly end: (exit: Exit.Exit<void>) => void
}

/** Waits for the client. Dies if it reads too slowly. */
export const waitForClient = (reading: Effect.Effect<void>): Effect.Effect<void> =>
  Effect.timeoutOrElse(reading, {
    duration: maxSendingMs,
    orElse: () => Effect.die("The client reads too slowly")
  })

/** Sends a stream as an active request. Interrupts the stream if the client disconnects. */
export const sendToClient = (
  content: Stream.Stream<Uint8Array>,
  { end, onDisconnect, write }: ClientConnection,
  { activeRequests, services }: {
    readonly activeRequests: Pick<ActiveRequests, "add" | "remove">
    readonly services: Context.Context<never>
  }
): void => {
  const sending = Effect.onError(Stream.runForEach(content, write), logExportFailure)
  const fiber = Effect.runForkWith(services)(sending)
  const request = { abort: () => fiber.interruptUnsafe() }
  activeRequests.add(request)
  const removeListener = onDisconnect(request.abort)
  fiber.addObserver((exit) => {
    removeListener()
    end(exit)
    activeRequests.remove(request)
  })
}
