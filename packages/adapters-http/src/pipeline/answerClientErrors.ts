import { requestIdOf } from "@lastro/domain"
import { randomUUID } from "node:crypto"
import { type IncomingMessage, type Server, type ServerResponse } from "node:http"
import { type Duplex } from "node:stream"
import { clientErrorResponse } from "../errors/clientErrorResponse.ts"
import { encodeDescribed } from "../errors/encodeRefusal.ts"
import { preferredLanguage } from "../errors/Language.ts"
import { always } from "./respond.ts"

/** Milliseconds that a client has to read why it was refused, before the connection is cut. */
const graceMs = 500

/** Whether an answer has begun already, into which nothing may be written. */
const isAnswering = (socket: Duplex): boolean => {
  const response: unknown = Reflect.get(socket, "_httpMessage")
  return typeof response === "object" && response !== null && Reflect.get(response, "headersSent") === true
}

/** Connections that are about to be cut; node reports an error for whatever still arrives on them. */
const refused = new WeakSet<Duplex>()

const refuse = (error: NodeJS.ErrnoException, socket: Duplex): void => {
  if (refused.has(socket) || socket.destroyed) return
  refused.add(socket)
  if (socket.writable && !isAnswering(socket)) socket.write(clientErrorResponse(error.code, randomUUID()))
  socket.end()
  const cut = setTimeout(() => socket.destroy(), graceMs)
  socket.once("close", () => clearTimeout(cut))
}

const refuseExpectation = ({ headers }: IncomingMessage, response: ServerResponse): void => {
  const id = headers["x-request-id"]
  const request_id = requestIdOf(typeof id === "string" ? id : undefined) ?? randomUUID()
  const language = preferredLanguage(headers["accept-language"])
  const encoded = encodeDescribed({ code: "EXPECTATION_FAILED" }, language, request_id)
  const text = JSON.stringify(encoded.body)
  response.writeHead(encoded.status, {
    ...always,
    ...encoded.headers,
    vary: "Accept-Language",
    "content-type": "application/json",
    "content-length": Buffer.byteLength(text),
    "x-request-id": request_id,
    connection: "close"
  })
  response.end(text)
}

/**
 * Makes a server of node answer in the error envelope, and with a request id, what it refuses by itself and no route ever
 * sees: 400 for what is not HTTP, 408 for what arrives too slowly, 417, and 431.
 */
export const answerClientErrors = <S extends Server>(server: S): S => {
  server.on("clientError", refuse)
  server.on("checkExpectation", refuseExpectation)
  return server
}
