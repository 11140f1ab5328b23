import { sandboxAnswer } from "@lastro/domain/adapters"
import { Effect, type Scope } from "effect"
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import { quotationBody, readQuoteBody } from "./lenderBodies.ts"
import {
  type Answer,
  type LenderContracts,
  makeLenderContracts,
  type RecordedContract,
  refusal
} from "./lenderContracts.ts"

export { type RecordedContract } from "./lenderContracts.ts"

/** A call that the lender received. */
export interface RecordedCall {
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string | ReadonlyArray<string> | undefined>>
  /** The JSON body; undefined without a body. */
  readonly body: unknown
  /** The answer of the lender, even if it was lost; null if a fault prevented an answer. */
  readonly answer: Answer | null
}

/**
 * A fault to inject into a call. SILENCE: the lender never answers. DROP: the connection closes before the lender
 * handles the call. LOSE: the lender handles the call, and the connection closes before the answer. HALF: the lender
 * handles the call and sends half of the answer. An object: the lender sends this answer without handling the call.
 */
export type LenderFault =
  | "SILENCE"
  | "DROP"
  | "LOSE"
  | "HALF"
  | { readonly status: number; readonly headers?: Readonly<Record<string, string>>; readonly body?: string }

/** A local server of the lender protocol that records its calls. */
export interface RecordingLenderServer {
  readonly url: string
  /** All calls, in order of arrival. */
  readonly calls: ReadonlyArray<RecordedCall>
  /** All contracts, oldest first. */
  readonly contracts: () => ReadonlyArray<RecordedContract>
  /** Sets the faults of the next calls, one for each call; null for no fault. */
  readonly injectFaults: (...faults: ReadonlyArray<LenderFault | null>) => void
}

const bodyOf = async (request: IncomingMessage): Promise<unknown> => {
  const chunks: Array<Buffer> = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  const text = Buffer.concat(chunks).toString("utf8")
  return text === "" ? undefined : JSON.parse(text)
}

const send = (response: ServerResponse, { body, status }: Answer, half: boolean): void => {
  const text = JSON.stringify(body)
  response.writeHead(status, { "content-type": "application/json", "content-length": Buffer.byteLength(text) })
  if (half) response.write(text.slice(0, text.length / 2), () => response.destroy())
  else response.end(text)
}

const pause = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds))

const answerQuote = async (body: unknown): Promise<Answer> => {
  const { after_ms, quotation } = sandboxAnswer(readQuoteBody(body))
  await pause(after_ms)
  return quotation === null ? refusal(503, "unavailable") : { status: 200, body: quotationBody(quotation) }
}

const contractPath = /^\/contracts\/([^/]+)(\/disbursements)?$/

const handleCall = async (
  contracts: LenderContracts,
  { body, headers, method, path }: RecordedCall
): Promise<Answer> => {
  const key = String(headers["idempotency-key"])
  if (`${method} ${path}` === "POST /quotes") return answerQuote(body)
  if (`${method} ${path}` === "POST /contracts") return contracts.submit(key, body)
  const [, encoded = "", payments] = contractPath.exec(path) ?? []
  const reference = decodeURIComponent(encoded)
  if (method === "GET" && payments === undefined) return contracts.read(reference)
  return method === "POST" && payments !== undefined
    ? contracts.pay(reference, key, body)
    : refusal(404, "no such operation")
}

/**
 * Serves the lender protocol on a local port until the scope closes. The last two digits of the CPF select the outcome,
 * as in the sandbox. Unlike the sandbox, this server stores contracts: one contract or payment per idempotency key. A
 * request that reuses a key with another body gets an error.
 */
export const recordingLenderServer = (
  { stepMs = 0 }: { readonly stepMs?: number } = {}
): Effect.Effect<RecordingLenderServer, never, Scope.Scope> =>
  Effect.acquireRelease(Effect.promise(() => startServer(stepMs)), ({ close }) => Effect.promise(close))

const startServer = async (
  stepMs: number
): Promise<RecordingLenderServer & { readonly close: () => Promise<void> }> => {
  const contracts = makeLenderContracts(stepMs)
  const calls: Array<RecordedCall> = []
  const faults: Array<LenderFault | null> = []
  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { headers, method = "", url: path = "" } = request
    const call = { method, path, headers, body: await bodyOf(request), answer: null as Answer | null }
    calls.push(call)
    const fault = faults.shift() ?? null
    if (fault === "SILENCE") return
    if (fault === "DROP") return void request.socket.destroy()
    if (fault !== null && typeof fault === "object") {
      return void response.writeHead(fault.status, fault.headers).end(fault.body)
    }
    const answer = call.answer = await handleCall(contracts, call)
    if (fault === "LOSE") return void request.socket.destroy()
    send(response, answer, fault === "HALF")
  }
  const server = createServer((request, response) => {
    serve(request, response).catch(() => response.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const address = server.address()
  return {
    url: `http://127.0.0.1:${typeof address === "object" && address !== null ? address.port : 0}`,
    calls,
    contracts: contracts.all,
    injectFaults: (...next) => void faults.push(...next),
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      })
  }
}
