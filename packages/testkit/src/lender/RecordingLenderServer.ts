import { sandboxAnswer, sandboxDelay } from "@lastro/domain/adapters"
import { type Timestamp, timestampOf } from "@lastro/domain/values"
import { Effect, type Scope } from "effect"
import { type IncomingMessage, type ServerResponse } from "node:http"
import { quotationBody, readQuoteBody } from "./lenderBodies.ts"
import {
  type Answer,
  type LenderContracts,
  makeLenderContracts,
  type RecordedContract,
  refusal
} from "./lenderContracts.ts"
import { readBody, startLocalServer } from "./localServer.ts"

export { exampleCallbackSecret, signedCallback } from "./lenderBodies.ts"
export { type RecordedContract } from "./lenderContracts.ts"

/** A call that the lender received. */
export interface RecordedCall {
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string | ReadonlyArray<string> | undefined>>
  /** The JSON body. Undefined without a body. */
  readonly body: unknown
  /** The answer of the lender, even if it was lost. Null if a fault prevented an answer. */
  readonly answer: Answer | null
}

/**
 * A fault to inject into a call.
 *
 * - SILENCE: the lender never answers.
 * - DROP: the connection closes before the lender handles the call.
 * - LOSE: the lender handles the call, and the connection closes before the answer.
 * - HALF: the lender handles the call, and sends half of the answer.
 * - HOLD: the lender handles the call only after `release`.
 * - HOLD_ANSWER: the lender handles the call at once, and sends its answer after `release`.
 * - An object: the lender sends this answer without handling the call.
 */
export type LenderFault =
  | "SILENCE"
  | "DROP"
  | "LOSE"
  | "HALF"
  | "HOLD"
  | "HOLD_ANSWER"
  | { readonly status: number; readonly headers?: Readonly<Record<string, string>>; readonly body?: string }

/** A local server of the lender protocol that records its calls. */
export interface RecordingLenderServer {
  readonly url: string
  /** All calls, in order of arrival. */
  readonly calls: ReadonlyArray<RecordedCall>
  /** All contracts, oldest first. */
  readonly contracts: () => ReadonlyArray<RecordedContract>
  /** The proposals that were cancelled before they had a contract. The lender creates no contract for them. */
  readonly barred: () => ReadonlyArray<string>
  /** Handles all calls that wait because of HOLD, and sends all answers that wait because of HOLD_ANSWER. */
  readonly release: () => void
  /** Sets the faults of the next calls, one for each call. Null: no fault. */
  readonly injectFaults: (...faults: ReadonlyArray<LenderFault | null>) => void
}

const bodyOf = async (request: IncomingMessage): Promise<unknown> => {
  const text = (await readBody(request)).toString("utf8")
  return text === "" ? undefined : JSON.parse(text)
}

const send = (response: ServerResponse, { body, headers, status }: Answer, version: 1 | 2, half: boolean): void => {
  const text = JSON.stringify(body)
  response.writeHead(status, {
    "content-type": "application/json",
    "content-length": Buffer.byteLength(text),
    ...(version === 2 ? { "lastro-lender-protocol": "2" } : {}),
    ...headers
  })
  if (half) response.write(text.slice(0, text.length / 2), () => response.destroy())
  else response.end(text)
}

const pause = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds))

const answerQuote = async (body: unknown, version: 1 | 2, at: Timestamp): Promise<Answer> => {
  const request = readQuoteBody(body)
  const delay = sandboxDelay(request, at)
  if (delay?.kind === "THROTTLED") {
    const seconds = Math.ceil(delay.retry_after_ms / 1_000)
    return { ...refusal(429, "too many requests"), headers: { "retry-after": String(seconds) } }
  }
  if (delay !== null && version === 2) return { status: 202, body: delay }
  const { after_ms, quotation } = sandboxAnswer(request)
  await pause(after_ms)
  return quotation === null ? refusal(503, "unavailable") : { status: 200, body: quotationBody(quotation, version) }
}

/** The fields of version 2. A strict server of version 1 refuses them. */
const version2Fields = new Set(["lender_state", "acceptance", "origin", "lender_ref"])

const hasVersion2Fields = (body: unknown): boolean =>
  typeof body === "object" && body !== null &&
  Object.entries(body).some(([name, value]) => version2Fields.has(name) || name === "offer" && hasVersion2Fields(value))

const contractPath = /^\/contracts\/([^/]+)(?:\/(disbursements|refunds|signature-links))?$/

const handleCall = async (
  contracts: LenderContracts,
  version: 1 | 2,
  at: Timestamp,
  { body, headers, method, path }: RecordedCall
): Promise<Answer> => {
  const key = String(headers["idempotency-key"])
  if (version === 1 && hasVersion2Fields(body)) return refusal(409, "a field is unknown")
  if (`${method} ${path}` === "POST /quotes") return answerQuote(body, version, at)
  if (`${method} ${path}` === "POST /contracts") return contracts.submit(key, body)
  if (`${method} ${path}` === "POST /contracts/cancellations" && version === 2) return contracts.cancel(body)
  const [, encoded = "", operation] = contractPath.exec(path) ?? []
  const reference = decodeURIComponent(encoded)
  if (method === "GET" && operation === undefined) return contracts.read(reference)
  if (method === "POST" && operation === "disbursements") return contracts.pay(reference, key, body)
  if (method === "POST" && operation === "refunds" && version === 2) return contracts.refund(reference, key, body)
  if (method === "POST" && operation === "signature-links" && version === 2) return contracts.link(reference)
  return refusal(404, "no such operation")
}

/** Options of the recording lender. */
export interface RecordingLenderOptions {
  /** The delay of each step of a contract, in milliseconds. Default: 0. */
  readonly stepMs?: number
  /** The delay of each answer, in milliseconds. Default: 0. */
  readonly answerMs?: number
  /** The protocol version of the lender. Default: 2. A lender of version 1 refuses the fields of version 2. */
  readonly version?: 1 | 2
  /** The clock of the lender, in milliseconds since 1970-01-01T00:00:00Z. Default: the system clock. */
  readonly now?: () => number
}

/**
 * Serves the lender protocol on a local port until the scope closes. As in the sandbox, the last two digits of the CPF
 * select the outcome. Unlike the sandbox, this lender stores contracts: one contract or payment for each idempotency
 * key. A key that is used again with another body gets an error.
 */
export const recordingLenderServer = (
  { answerMs = 0, now = Date.now, stepMs = 0, version = 2 }: RecordingLenderOptions = {}
): Effect.Effect<RecordingLenderServer, never, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.promise(() => startServer({ answerMs, now, stepMs, version })),
    ({ close }) => Effect.promise(close)
  )

const startServer = async (
  { answerMs, now, stepMs, version }: Required<RecordingLenderOptions>
): Promise<RecordingLenderServer & { readonly close: () => Promise<void> }> => {
  const contracts = makeLenderContracts(stepMs, version, now)
  const calls: Array<RecordedCall> = []
  const faults: Array<LenderFault | null> = []
  const held: Array<() => void> = []
  const untilReleased = () => new Promise<void>((resolve) => void held.push(resolve))
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
    if (fault === "HOLD") await untilReleased()
    const answer = call.answer = await handleCall(contracts, version, timestampOf(now()), call)
    if (answerMs > 0) await pause(answerMs)
    if (fault === "HOLD_ANSWER") await untilReleased()
    if (fault === "LOSE") return void request.socket.destroy()
    send(response, answer, version, fault === "HALF")
  }
  return {
    ...await startLocalServer(serve),
    calls,
    contracts: contracts.all,
    barred: contracts.barred,
    release: () => held.splice(0).forEach((resolve) => resolve()),
    injectFaults: (...next) => void faults.push(...next)
  }
}
