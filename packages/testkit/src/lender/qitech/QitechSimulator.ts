import { Effect, type Scope } from "effect"
import { type IncomingMessage, type ServerResponse } from "node:http"
import { readBody, startLocalServer } from "../localServer.ts"
import { type SimulatedDebt } from "./SimulatedDebts.ts"
import {
  type DeliveryOptions,
  generatePair,
  makeWebhooks,
  md5Of,
  readToken,
  type WebhookReceiver
} from "./SimulatedWebhooks.ts"
import { type DebtControls, makeDebtControls } from "./simulatorControls.ts"
import { route } from "./simulatorRoutes.ts"
import {
  type BalanceOutcome,
  type BalancePeriod,
  refusedByGateway,
  type SimulatedAnswer,
  type SimulatorSettings,
  type SimulatorState
} from "./simulatorState.ts"

/** A call that the simulator received. */
export interface SimulatedCall {
  readonly method: string
  readonly path: string
  readonly json: unknown
  /** The status of the answer; 0 if there was none. */
  readonly status: number
}

/**
 * A fault of the next call.
 *
 * - DROP: the connection closes before the call is handled.
 * - LOSE: the call is handled, and the connection closes before the answer.
 * - SILENCE: there is never an answer.
 * - An answer: it is sent without handling the call.
 */
export type SimulatorFault = "DROP" | "LOSE" | "SILENCE" | SimulatedAnswer

/** Options of a simulator. */
export interface SimulatorOptions {
  /** The clock of the simulator, in milliseconds since 1970. Default: the system clock. */
  readonly now?: () => number
  /** True to send each webhook at once. Default: webhooks wait for `deliver`. */
  readonly immediate?: boolean
}

/** A local server that implements QI Tech's documented wire format. */
export interface QitechSimulator extends DebtControls {
  readonly url: string
  readonly apiKey: string
  /** The private key of the client, PEM. The simulator has the matching public key. */
  readonly clientPrivateKey: string
  /** The public key of the simulator, PEM. It verifies webhooks. */
  readonly publicKey: string
  readonly calls: ReadonlyArray<SimulatedCall>
  readonly debts: () => ReadonlyArray<SimulatedDebt>
  /** The uploaded documents. */
  readonly documents: () => ReadonlyArray<Uint8Array>
  /** Sets the faults of the next calls whose path matches, one for each call. Null: no fault. */
  readonly injectFaults: (path: RegExp, ...faults: ReadonlyArray<SimulatorFault | null>) => void
  /** Sets the receiver of webhooks. `path` is the path of the registered address. */
  readonly sendTo: (path: string, receive: WebhookReceiver) => void
  /** Sends all waiting webhooks. Returns the statuses of the answers. */
  readonly deliver: (options?: DeliveryOptions) => Promise<ReadonlyArray<number>>
  /** Adds a webhook with this body, for example of an unknown type. */
  readonly addWebhook: (origin_key: string, body: object) => void
  /** Drops all waiting webhooks. They can be requested again. */
  readonly loseWebhooks: () => void
  /** Returns the bodies of all waiting webhooks. */
  readonly waitingWebhooks: () => ReadonlyArray<unknown>
  /** Sets the result of later balance requests. Null: it depends on the last two digits of the CPF. */
  readonly setBalance: (outcome: BalanceOutcome | null) => void
  /** Sets the periods in the results of successful balance requests. */
  readonly setPeriods: (periods: ReadonlyArray<BalancePeriod>) => void
  /** Refuses accounts that contain this text, in a new debt and in a change of a debt's account. Null: refuses none. */
  readonly refuseAccount: (text: string | null) => void
  /** Lowers the paid amount of later debts by this amount in reais, compared with their simulations. */
  readonly setShortfall: (amount: number) => void
  /**
   * Sets the delay in milliseconds until a new debt can be found by its requester key, and until a new refund has a
   * code.
   */
  readonly setReadLag: (millis: number) => void
  /** Refuses all cancellations, or none. */
  readonly refuseCancel: (isRefused: boolean) => void
  /** Makes the simulator pay each debt just before it handles the cancellation of this debt. */
  readonly payBeforeCancel: () => void
}

/**
 * The maximum difference between the time of a token and the clock of the simulator, in milliseconds. QI Tech does not
 * publish its maximum.
 */
const toleranceMs = 5 * 60_000

/** Returns the file of a multipart body; null for another body. */
const fileOf = async (body: Buffer, type: string | undefined): Promise<Uint8Array | null> => {
  if (type === undefined || !type.startsWith("multipart/form-data")) return null
  const form = await new Response(new Uint8Array(body), { headers: { "content-type": type } }).formData()
  const file = form.get("file")
  return file instanceof File ? new Uint8Array(await file.arrayBuffer()) : null
}

const jsonOf = (body: Buffer): unknown => {
  try {
    return JSON.parse(body.toString("utf8")) as unknown
  } catch {
    return undefined
  }
}

/**
 * Starts a simulator on a local port until the scope closes. It verifies the signature of each call with the client's
 * public key, and signs its webhooks. The last two digits of the CPF select the result of a balance request. The
 * simulator follows QI Tech's public documentation, and was never compared with QI Tech. docs/lenders-qitech.md in the
 * repository lists the assumptions.
 */
export const qitechSimulator = (options: SimulatorOptions = {}): Effect.Effect<QitechSimulator, never, Scope.Scope> =>
  Effect.acquireRelease(Effect.promise(() => startSimulator(options)), ({ close }) => Effect.promise(close))

const startSimulator = async (
  { immediate = false, now = Date.now }: SimulatorOptions
): Promise<QitechSimulator & { readonly close: () => Promise<void> }> => {
  const clientKeys = generatePair()
  const simulatorKeys = generatePair()
  const apiKey = "11111111-2222-4333-8444-555555555555"
  const calls: Array<SimulatedCall> = []
  const faults: Array<{ readonly path: RegExp; readonly fault: SimulatorFault | null }> = []
  let receiver: { readonly path: string; readonly receive: WebhookReceiver } = {
    path: "/",
    receive: () => Promise.resolve(404)
  }
  const nextYear = new Date(now()).getUTCFullYear() + 1
  const settings: SimulatorSettings = {
    balance: null,
    periods: [0, 1, 2].map((year) => ({ due_date: `${nextYear + year}-08-01`, amount: 500 })),
    refusedAccount: null,
    shortfall: 0,
    readLag: 0,
    isCancelRefused: false,
    isPaidFirst: false
  }
  const change = (changed: Partial<SimulatorSettings>) => void Object.assign(settings, changed)
  const state: SimulatorState = {
    now,
    webhooks: makeWebhooks({
      receiver: () => receiver,
      privateKey: simulatorKeys.privateKey,
      apiKey,
      now,
      immediate
    }),
    debts: new Map(),
    documents: new Map(),
    settings
  }

  /** Returns the refusal of a request whose API key or signature is wrong. `signed` is the signed content. */
  const judge = (
    { headers, method = "", url = "" }: IncomingMessage,
    signed: Uint8Array
  ): SimulatedAnswer | undefined => {
    if (headers["api-client-key"] === undefined) {
      return refusedByGateway(400, "GDF000003", "No API Client Key received")
    }
    if (headers["api-client-key"] !== apiKey) {
      return refusedByGateway(404, "GDF000018", "No ClientIntegration found for api_client_key")
    }
    const claims = readToken(clientKeys.publicKey, headers.authorization ?? "")
    const isValid = claims !== undefined && claims.method === method && claims.uri === url &&
      claims.payload_md5 === md5Of(signed) && Math.abs(now() - Date.parse(claims.timestamp)) <= toleranceMs
    return isValid
      ? undefined
      : refusedByGateway(401, "GDF000014", "Failed while decoding the authentication token")
  }

  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { headers, method = "", url = "" } = request
    const body = await readBody(request)
    const file = await fileOf(body, headers["content-type"])
    const json = jsonOf(body)
    const call = { method, path: url, json, status: 0 }
    calls.push(call)
    const index = faults.findIndex(({ path }) => path.test(`${method} ${url}`))
    const fault = index < 0 ? null : (faults.splice(index, 1)[0]?.fault ?? null)
    if (fault === "SILENCE") return
    if (fault === "DROP") return void request.socket.destroy()
    // The signature of an upload covers the file only, and the signature of an empty body covers `{}`.
    const signed = file ?? (body.length === 0 ? Buffer.from("{}") : body)
    const handle = () =>
      judge(request, signed) ?? route(state, { method, url: new URL(url, "http://simulator"), json, file })
    const answer = fault === null || fault === "LOSE" ? handle() : fault
    if (fault === "LOSE") return void request.socket.destroy()
    call.status = answer.status
    const text = typeof answer.body === "string" ? answer.body : JSON.stringify(answer.body)
    response.writeHead(answer.status, { "content-type": "application/json", ...answer.headers }).end(text)
  }

  return {
    ...makeDebtControls(state),
    ...await startLocalServer(serve),
    apiKey,
    clientPrivateKey: clientKeys.privateKey,
    publicKey: simulatorKeys.publicKey,
    calls,
    debts: () => [...state.debts.values()],
    documents: () => [...state.documents.values()],
    injectFaults: (path, ...next) => void faults.push(...next.map((fault) => ({ path, fault }))),
    sendTo: (path, receive) => {
      receiver = { path, receive }
    },
    deliver: state.webhooks.deliver,
    addWebhook: (origin_key, body) => state.webhooks.add("added", origin_key, body),
    loseWebhooks: state.webhooks.lose,
    waitingWebhooks: state.webhooks.waiting,
    setBalance: (balance) => change({ balance }),
    setPeriods: (periods) => change({ periods }),
    refuseAccount: (refusedAccount) => change({ refusedAccount }),
    setShortfall: (shortfall) => change({ shortfall }),
    setReadLag: (readLag) => change({ readLag }),
    payBeforeCancel: () => change({ isPaidFirst: true }),
    refuseCancel: (isCancelRefused) => change({ isCancelRefused })
  }
}
