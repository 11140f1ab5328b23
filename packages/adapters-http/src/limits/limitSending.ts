import { type ServerResponse } from "node:http"

/**
 * Maximum time in milliseconds for a client to receive a response that was written. It does not depend on the pace of
 * the client, so that a client that reads a byte per second does not keep the response in memory.
 */
export const maxSendingMs = 60_000

/**
 * Closes the connection of a response after a time. Calls `onEnd` once: then, or when the response has been sent or
 * its connection was closed.
 */
export const limitSending = (response: ServerResponse, ms = maxSendingMs, onEnd: () => void = () => {}): void => {
  const timer = setTimeout(() => {
    response.off("close", finish)
    onEnd()
    response.req.socket.destroy()
  }, ms)
  const finish = () => {
    clearTimeout(timer)
    onEnd()
  }
  response.once("close", finish)
}
