import { type ServerResponse } from "node:http"

/**
 * Maximum milliseconds for a client to receive a written response. A slow client does not extend it. Otherwise, a
 * client that reads a byte per second would keep the response in memory.
 */
export const maxSendingMs = 60_000

/**
 * Closes the connection of a response after `ms`. Calls `onEnd` once: at that time, or when the response was sent or
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
