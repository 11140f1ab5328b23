import { type Context, Effect, Exit, type Stream } from "effect"
import { type ServerResponse } from "node:http"
import { limitSending } from "../limits/limitSending.ts"
import { type ActiveRequests } from "../mount/ActiveRequests.ts"
import { sendToClient, waitForClient } from "../mount/sendToClient.ts"

const drained = (response: ServerResponse): Effect.Effect<void> =>
  waitForClient(Effect.callback<void>((resume) => {
    const proceed = () => resume(Effect.void)
    response.once("drain", proceed)
    return Effect.sync(() => response.off("drain", proceed))
  }))

/** Sends a stream as the body of a response. If the stream fails, closes the connection. */
export const sendStream = (
  response: ServerResponse,
  content: Stream.Stream<Uint8Array>,
  services: Context.Context<never>,
  activeRequests: Pick<ActiveRequests, "add" | "remove">
): void =>
  sendToClient(content, {
    write: (chunk) => Effect.suspend(() => response.write(chunk) ? Effect.void : drained(response)),
    onDisconnect: (abort) => {
      response.once("close", abort)
      return () => response.off("close", abort)
    },
    end: (exit) => {
      if (Exit.isFailure(exit)) return void response.destroy()
      response.end()
      // The last chunks may still wait for the client.
      if (response.writableLength > 0 && !response.destroyed) limitSending(response)
    }
  }, { activeRequests, services })
