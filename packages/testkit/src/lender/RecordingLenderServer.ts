import { sandboxAnswer } from "@lastro/domain"
import { Effect, type Scope } from "effect"
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import { quotationBody, readQuoteBody } from "./lenderBodies.ts"
import {
  type Answer,
  type LenderContracts,
  makeLenderContracts,
  type RecordedContract,
  refused
} from "./lenderContracts.ts"

export { type RecordedContract } from "./lenderContracts.ts"

/** A call that the lender got. */
export interface RecordedCall {
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string | ReadonlyArray<string> | undefined>>
  /** What was sent as JSON; undefined where nothing was. */
  readonly body: unknown
  /** What the lender answers, be it lost on its way; null where that went wrong before. */
  readonly answer: Answer | null
}

/**
 * What goes wrong with a call. SILENCE: it is never answered; DROP: the connection is ended before anything is done; LOSE: it is
 * done, but the connection is ended before the answer; HALF: it is done, but half of the answer is sent. Or nothing is done, and
 * something else is answered.
 */
export type Fault =
  | "SILENCE"
  | "DROP"
  | "LOSE"
  | "HALF"
  | { readonly status: number; readonly headers?: Readonly<Record<string, string>>; readonly body?: string }

/** A lender that serves the lender protocol on this machine, and what it was asked. */
export interface RecordingLenderServer {
  readonly url: string
  /** Every call from the first on, in the order of their arrival. */
  readonly calls: ReadonlyArray<RecordedCall>
  /** Every contract that exists, in the order of their making. */
  readonly contracts: () => ReadonlyArray<RecordedContract>
  /** What goes wrong with the next calls, one each; null is nothing. */
  readonly spoil: (...faults: ReadonlyArray<Fault | null>) => void
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

const priced = async (body: unknown): Promise<Answer> => {
  const { after_ms, quotation } = sandboxAnswer(readQuoteBody(body))
  await pause(after_ms)
  return quotation === null ? refused(503, "nobody there") : { status: 200, body: quotationBody(quotation) }
}

const contractPath = /^\/contracts\/([^/]+)(\/disbursements)?$/

const answerTo = async (contracts: LenderContracts, { body, headers, method, path }: RecordedCall): Promise<Answer> => {
  const key = String(headers["idempotency-key"])
  if (`${method} ${path}` === "POST /quotes") return priced(body)
  if (`${method} ${path}` === "POST /contracts") return contracts.submit(key, body)
  const [, encoded = "", payments] = contractPath.exec(path) ?? []
  const reference = decodeURIComponent(encoded)
  if (method === "GET" && payments === undefined) return contracts.read(reference)
  return method === "POST" && payments !== undefined
    ? contracts.pay(reference, key, body)
    : refused(404, "no such operation")
}

/**
 * Serves the lender protocol on a port of this machine until the scope ends, as the sandbox's rules have it: the last two digits of
 * the CPF choose what comes of a customer. Unlike the sandbox it remembers what it was asked for, makes one contract for a key and
 * one payment for a key, and refuses a key that comes with another body.
 */
export const recordingLenderServer = (
  { stepMs = 0 }: { readonly stepMs?: number } = {}
): Effect.Effect<RecordingLenderServer, never, Scope.Scope> =>
  Effect.acquireRelease(Effect.promise(() => listening(stepMs)), ({ close }) => Effect.promise(close))

const listening = async (stepMs: number): Promise<RecordingLenderServer & { readonly close: () => Promise<void> }> => {
  const contracts = makeLenderContracts(stepMs)
  const calls: Array<RecordedCall> = []
  const faults: Array<Fault | null> = []
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
    const answer = call.answer = await answerTo(contracts, call)
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
    contracts: contracts.made,
    spoil: (...next) => void faults.push(...next),
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      })
  }
}
