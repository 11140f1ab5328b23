import { type AccessTokens } from "./AccessTokens.ts"
import { type Call, heldFor, urlOf } from "./Call.ts"
import { errorOfResponse, LastroError } from "./LastroError.ts"
import { etagOf, rememberResponse } from "./responseOf.ts"
import { isOutcomeUnknown, isRetryable, retryDelay, sleep } from "./retry.ts"

/** Settings of every call of a client. */
export interface TransportSettings {
  /** The base URL of the API, for example `https://lastro.example.com`. */
  readonly url: string
  /** The language of messages. Default: English. */
  readonly language?: "en" | "pt-BR" | undefined
  /** Maximum time of a call with all retries, in milliseconds, plus the `wait` of a long poll. Default: 60 s. */
  readonly timeout?: number | undefined
  /** Maximum time of one attempt, in milliseconds, plus the `wait` of a long poll. Default: 30 s. */
  readonly attemptTimeout?: number | undefined
  /** Maximum number of attempts of a call. Default: 5. */
  readonly attempts?: number | undefined
  /** The function that sends requests. Default: the global `fetch`. */
  readonly fetch?: ((url: URL, init: RequestInit) => Promise<Response>) | undefined
}

const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Returns the headers of all attempts of a call. */
const headersOf = (
  { body, file, isCsv, isKeyed, options }: Call,
  request_id: string,
  language: string | undefined
): Headers => {
  const headers = new Headers({ accept: isCsv === true ? "text/csv" : "application/json", "x-request-id": request_id })
  if (body !== undefined) headers.set("content-type", "application/json")
  if (file !== undefined) headers.set("content-type", "text/csv")
  if (language !== undefined) headers.set("accept-language", language)
  if (isKeyed === true) headers.set("idempotency-key", options.idempotencyKey ?? crypto.randomUUID())
  if (options.ifMatch !== undefined) headers.set("if-match", etagOf(options.ifMatch))
  if (options.ifNoneMatch !== undefined) headers.set("if-none-match", etagOf(Object(options.ifNoneMatch)))
  return headers
}

/** Makes the error of a call without a response. */
const errorOf = (
  { operation }: Call,
  request_id: string,
  code: "NETWORK_ERROR" | "TIMEOUT",
  options?: ErrorOptions
): LastroError => {
  const message = code === "TIMEOUT"
    ? "No response in time."
    : "The server cannot be reached, or the connection was lost."
  return new LastroError(message, { operation, code, status: 0, problems: [], request_id, retry_after: null }, options)
}

/**
 * Combines the caller's signal with a timeout. `deadline` is aborted by the timeout only, `signal` by either of them, and
 * `end` stops the timeout.
 */
const limit = (signal: AbortSignal | undefined, milliseconds: number) => {
  const controller = new AbortController()
  const timer = setTimeout(() => controller.abort(), milliseconds)
  return {
    deadline: controller.signal,
    signal: signal === undefined ? controller.signal : AbortSignal.any([signal, controller.signal]),
    end: () => clearTimeout(timer)
  }
}

/** Sends calls. Repeats them while this is safe and there is time. */
export class Transport {
  readonly #settings: TransportSettings

  constructor(settings: TransportSettings) {
    this.#settings = settings
  }

  /** Sends one attempt. Returns the body of a successful response, or throws a `LastroError`. */
  async #attempt(
    call: Call,
    target: URL,
    headers: Headers,
    request_id: string,
    timeout: number
  ): Promise<unknown> {
    const { body, file, method, operation, options } = call
    const { fetch: send = fetch } = this.#settings
    // A body can be no JSON value, so encode it before the timer of the limit starts.
    const content = body === undefined ? file : JSON.stringify(body)
    const { deadline, end, signal } = limit(options.signal, timeout)
    // The API has no redirects, and a redirected POST could become a GET.
    const init: RequestInit = { method, headers, redirect: "manual", signal }
    if (content !== undefined) init.body = content
    const receive = async () => {
      const response = await send(target, init)
      return { response, text: call.isCsv === true && response.ok ? "" : await response.text() }
    }
    const sent = receive().finally(end)
    const { response, text } = await sent.catch((cause: unknown) => {
      options.signal?.throwIfAborted()
      throw errorOf(call, request_id, deadline.aborted ? "TIMEOUT" : "NETWORK_ERROR", { cause })
    })
    if (call.isCsv === true && response.ok) return response.body
    if (response.status === 304 && options.ifNoneMatch !== undefined) return options.ifNoneMatch
    const parsed = text === "" ? undefined : parseJson(text)
    if (!response.ok || (text !== "" && typeof parsed !== "object")) {
      throw errorOfResponse(operation, response, parsed, request_id)
    }
    if (typeof parsed === "object" && parsed !== null) rememberResponse(parsed, response, request_id)
    return parsed
  }

  /** Returns the access token for a call, within its timeout. */
  async #token(call: Call, request_id: string, tokens: AccessTokens, timeout: number): Promise<string> {
    const { deadline, end, signal } = limit(call.options.signal, timeout)
    return tokens.get(signal).finally(end).catch((error: unknown) => {
      call.options.signal?.throwIfAborted()
      throw deadline.aborted && error === deadline.reason ? errorOf(call, request_id, "TIMEOUT") : error
    })
  }

  /** Sends a call and returns the body of its answer. `tokens` is the source of its access token. */
  async send(call: Call, tokens?: AccessTokens): Promise<unknown> {
    const { attempts = 5, attemptTimeout = 30_000, language, timeout = 60_000, url } = this.#settings
    const { method, operation, options } = call
    options.signal?.throwIfAborted()
    const target = urlOf(url, call)
    const request_id = options.requestId ?? crypto.randomUUID()
    const headers = headersOf(call, request_id, language)
    const held = heldFor(call)
    const end = Date.now() + (options.timeout ?? timeout + held)
    // True if an earlier attempt may have made the change.
    let isUnknown = false
    let isRenewed = false
    for (let attempt = 1;; attempt++) {
      const token = tokens && await this.#token(call, request_id, tokens, Math.max(1, end - Date.now()))
      if (token !== undefined) headers.set("authorization", `Bearer ${token}`)
      try {
        const time = Math.min(attemptTimeout + held, end - Date.now())
        return await this.#attempt(call, target, headers, request_id, Math.max(1, time))
      } catch (error) {
        if (!(error instanceof LastroError)) throw error
        if (error.status === 401 && token !== undefined && !isRenewed) {
          isRenewed = true
          attempt--
          tokens?.drop(token)
          continue
        }
        // An earlier attempt has deleted the record, but its response was lost.
        if (isUnknown && method === "DELETE" && error.status === 404) return undefined
        if (isUnknown && error.status === 412) {
          throw new LastroError(
            "The record has changed. An earlier attempt of this call, whose response was lost, may have changed it.",
            { ...error, operation, code: "OUTCOME_UNKNOWN" },
            { cause: error }
          )
        }
        const delay = retryDelay(attempt, error.retry_after, Math.random())
        if (!isRetryable(call, error) || attempt >= (options.attempts ?? attempts) || Date.now() + delay >= end) {
          throw error
        }
        isUnknown ||= isOutcomeUnknown(error)
        await sleep(delay, options.signal)
      }
    }
  }
}
