import { type Context, Exit } from "effect"
import { type IncomingMessage, type ServerResponse } from "node:http"
import { type ActiveRequests } from "../mount/ActiveRequests.ts"
import { type HandlerServices } from "../mount/ApiRoutes.ts"
import { type Outgoing } from "../pipeline/respond.ts"
import { type Found } from "../pipeline/RouteTable.ts"
import { type RunningRequest } from "../pipeline/RunningRequest.ts"
import { hasBody, NodeIncoming } from "./NodeIncoming.ts"

/**
 * Sends the response of a request. If there is none, because the request was interrupted or failed with a defect, sends
 * only a status.
 */
const send = (request: IncomingMessage, response: ServerResponse, exit: Exit.Exit<Outgoing>): void => {
  if (response.destroyed || response.writableEnded) return
  try {
    write(request, response, exit)
  } catch {
    // Node rejects the response, for example because a header contains an invalid character.
    response.destroy()
  }
  // Discards the rest of a body, so that the connection can be used again.
  if (hasBody(request) && !request.complete) request.resume()
}

const write = ({ method }: IncomingMessage, response: ServerResponse, exit: Exit.Exit<Outgoing>): void => {
  if (Exit.isFailure(exit)) return void response.writeHead(Exit.hasInterrupts(exit) ? 503 : 500).end()
  const { headers, status, text } = exit.value
  response.writeHead(status, headers)
  if (method === "HEAD") response.end()
  else response.end(text)
}

/** Answers a request for which `isPlain` is true. If the client disconnects, the work of the request is interrupted. */
export const serveNode = (
  request: IncomingMessage,
  response: ServerResponse,
  url: string,
  { handler, params }: Found<HandlerServices>,
  context: Context.Context<HandlerServices>,
  active: ActiveRequests
): void => {
  let isTracked = false
  const running: RunningRequest = handler.start(new NodeIncoming(request, url), params, context, (exit) => {
    send(request, response, exit)
    if (isTracked) active.remove(running)
  })
  if (running.isSettled) return
  isTracked = true
  active.add(running)
  response.once("close", () => {
    if (!response.writableEnded) running.abort()
  })
}
