import { parseRequestId } from "@lastro/domain/audit"
import { randomUUID } from "node:crypto"
import { type IncomingMessage, type ServerResponse } from "node:http"
import { type DescribedRefusal, describeRefusal } from "../errors/describeRefusal.ts"
import { encodeDescribed } from "../errors/encodeRefusal.ts"
import { RateLimited } from "../errors/HttpRefusals.ts"
import { type Language, preferredLanguage } from "../errors/Language.ts"
import { commonHeaders } from "./Exchange.ts"

/** The prepared parts of an error response, equal for every request. */
interface Template {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  /** The text before and after the request id. */
  readonly text: readonly [string, string]
}

const placeholder = "REQUEST_ID"

const templateOf = (refusal: DescribedRefusal, language: Language): Template => {
  const { body, headers, status } = encodeDescribed(refusal, language, placeholder)
  const [before = "", after = ""] = JSON.stringify(body).split(placeholder)
  return {
    status,
    text: [before, after],
    headers: { ...commonHeaders, ...headers, vary: "Accept-Language", "content-type": "application/json" }
  }
}

/** An error response to a request that reaches no route. */
interface UnroutedResponse {
  readonly status: number
  readonly headers: Record<string, string>
  readonly text: string
}

/** Makes the response to one request. `header` returns a request header by its lower-case name. */
type Encode = (header: (name: string) => string | undefined) => UnroutedResponse

/**
 * Returns a function that encodes an error as the error envelope. It is fast, because most of the response is prepared.
 */
export const unroutedRefusal = (refusal: DescribedRefusal): Encode => {
  const templates: Readonly<Record<Language, Template>> = {
    en: templateOf(refusal, "en"),
    "pt-BR": templateOf(refusal, "pt-BR")
  }
  return (header) => {
    const request_id = parseRequestId(header("x-request-id")) ?? randomUUID()
    const { headers, status, text: [before, after] } = templates[preferredLanguage(header("accept-language"))]
    const text = before + request_id + after
    return {
      status,
      text,
      headers: { ...headers, "content-length": String(Buffer.byteLength(text)), "x-request-id": request_id }
    }
  }
}

/** Answers a Node request with an error, before any route runs. */
export const refuseRequest = (
  { headers: sent }: IncomingMessage,
  response: ServerResponse,
  encode: Encode,
  added: Readonly<Record<string, string>> = {}
): void => {
  const { headers, status, text } = encode((name) => {
    const value = sent[name]
    return typeof value === "string" ? value : undefined
  })
  response.writeHead(status, { ...headers, ...added })
  response.end(text)
}

/** The response to a client that has reached a limit before any route runs. */
export const tooManyRequests = unroutedRefusal(describeRefusal(new RateLimited({ retry_after_seconds: 1 })))

/** Answers with 429 on a connection with too many pipelined requests, and closes the connection. */
export const refusePipelining = (request: IncomingMessage, response: ServerResponse): void =>
  refuseRequest(request, response, tooManyRequests, { connection: "close" })

/** Answers a Fetch API request with an error, before any route runs. */
export const refuseWebRequest = ({ headers: sent, method }: Request, encode: Encode): Response => {
  const { headers, status, text } = encode((name) => sent.get(name) ?? undefined)
  return new Response(method === "HEAD" ? null : text, { status, headers })
}
