import { STATUS_CODES } from "node:http"
import { type ApiErrorCode } from "../api/ApiError.ts"
import { always } from "../pipeline/respond.ts"
import { encodeDescribed } from "./encodeRefusal.ts"

const codeOf = (nodeCode: string | undefined): ApiErrorCode => {
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
 * What goes over the wire where node could not make a request of what arrived: status line, headers and the error
 * envelope, in English, because no header can be relied on. `nodeCode` is the `code` of the error that node reports with
 * `clientError`. The connection has to be closed afterwards.
 */
export const clientErrorResponse = (nodeCode: string | undefined, request_id: string): string => {
  const { body, headers, status } = encodeDescribed({ code: codeOf(nodeCode) }, "en", request_id)
  const text = JSON.stringify(body)
  const all = {
    ...always,
    ...headers,
    "content-type": "application/json",
    "content-length": String(Buffer.byteLength(text)),
    "x-request-id": request_id,
    connection: "close"
  }
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`).join("")
  return `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ""}\r\n${lines}\r\n${text}`
}
