import { type ServerResponse } from "node:http"

/**
 * Maximum time in milliseconds for a client to receive a written response, even if it reads continuously. Otherwise, a
 * client that reads a byte per second would keep the response in memory.
 */
export const maxSendingMs = 60_000

/**
 * Closes the connection of a response that has not ended after `ms` milliseconds. Calls `onEnd` once, when the response
 * has ended.
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
