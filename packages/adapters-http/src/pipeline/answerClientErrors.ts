import { randomUUID } from "node:crypto"
import { type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from "node:http"
import { type Duplex } from "node:stream"
import { type ApiErrorCode } from "../api/ApiError.ts"
import { encodeDescribed } from "../errors/encodeRefusal.ts"
import { commonHeaders } from "./Exchange.ts"
import { refuseRequest, unroutedRefusal } from "./refuseRequest.ts"

/**
 * Milliseconds between an error response and the destruction of its connection, for the client to read the response.
 */
const graceMs = 500

const apiCodeOf = (nodeCode: string | undefined): ApiErrorCode => {
  switch (nodeCode) {
    case "HPE_HEADER_OVERFLOW":
      return "HEADERS_TOO_LARGE"
    case "HPE_CHUNK_EXTENSIONS_OVERFLOW":
      return "PAYLOAD_TOO_LARGE"
    case "ERR_HTTP_REQUEST_TIMEOUT":
      return "REQUEST_TIMEOUT"
    default:
      return "MALFORMED_REQUEST"
  }
}

/**
 * Returns the text of the HTTP response (status line, headers and error envelope) to a request that Node could not
 * parse. The message is in English, because the request's headers are not available. `nodeCode` is the `code` of the
 * error in the event `clientError`.
 */
const clientErrorResponse = (nodeCode: string | undefined, request_id: string): string => {
  const { body, headers, status } = encodeDescribed({ code: apiCodeOf(nodeCode) }, "en", request_id)
  const text = JSON.stringify(body)
  const all = {
    ...commonHeaders,
    ...headers,
    "content-type": "application/json",
    "content-length": String(Buffer.byteLength(text)),
    "x-request-id": request_id,
    connection: "close"
  }
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`).join("")
  return `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ""}\r\n${lines}\r\n${text}`
}

/** Returns whether a response on this connection has already started. A second one would corrupt it. */
const isResponding = (socket: Duplex): boolean => {
  const response: unknown = Reflect.get(socket, "_httpMessage")
  return typeof response === "object" && response !== null && Reflect.get(response, "headersSent") === true
}

/**
 * Connections that are being closed. Node reports another error for each chunk that still arrives on them. These errors
 * are ignored.
 */
const refused = new WeakSet<Duplex>()

const refuse = (error: NodeJS.ErrnoException, socket: Duplex): void => {
  if (refused.has(socket) || socket.destroyed) return
  refused.add(socket)
  if (socket.writable && !isResponding(socket)) socket.write(clientErrorResponse(error.code, randomUUID()))
  socket.end()
  const destroyTimer = setTimeout(() => socket.destroy(), graceMs)
  socket.once("close", () => clearTimeout(destroyTimer))
}

const expectationFailed = unroutedRefusal({ code: "EXPECTATION_FAILED" })

const refuseExpectation = (request: IncomingMessage, response: ServerResponse): void =>
  refuseRequest(request, response, expectationFailed, { connection: "close" })

/**
 * Makes a Node server send the error envelope with a request id if it rejects a request before any route runs: 400 for
 * invalid HTTP, 408 for a slow request, 417 for an unsupported `Expect` header, and 431 for headers that are too large.
 */
export const answerClientErrors = <S extends Server>(server: S): S => {
  server.on("clientError", refuse)
  server.on("checkExpectation", refuseExpectation)
  return server
}
