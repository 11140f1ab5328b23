import { AccessTokens, type Credentials } from "./AccessTokens.ts"
import { type Call, type CallOptions } from "./Call.ts"
import { LastroError } from "./LastroError.ts"
import { ExportableList, List, type Paged } from "./List.ts"
import { Operations } from "./Operations.ts"
import { sleep } from "./retry.ts"
import { Transport, type TransportSettings } from "./Transport.ts"
import { type FgtsApplicationStatus, type LastroEvent, type ListEventsQuery } from "./types.ts"

/** The address of the API, the credentials, and optional settings. */
export type LastroClientOptions = TransportSettings & Credentials

/** Options of `followStatus` and `followEvents`. */
export interface FollowOptions {
  /** Ends the wait. The promise is rejected with the reason of the signal. */
  readonly signal?: AbortSignal | undefined
  /** Maximum time in milliseconds. Default: 10 minutes. */
  readonly timeout?: number | undefined
}

/** Options of waiting for a status. */
export interface WaitOptions extends FollowOptions {
  /** Returns whether a status ends the wait. Default: its `next_action` is not `WAIT`. */
  readonly until?: ((status: FgtsApplicationStatus) => boolean) | undefined
}

/** The default `timeout` of `FollowOptions`, in milliseconds. */
const defaultTimeout = 600_000

/** The `wait` of one long poll, in seconds. The API's maximum is 30. */
const pollSeconds = 25

/**
 * The minimum time between two polls without a change, in milliseconds. A server that is stopping ends long polls
 * early.
 */
const pollPause = 1_000

/**
 * A client of the API of Lastro, with one method for each operation.
 *
 * - It signs in at the first call. It renews its access token before the expiry, and after a 401.
 * - It repeats a call after a network error, 429 or 503, with the same `Idempotency-Key`, if this is safe.
 * - It throws a {@link LastroError}, or the reason of your signal.
 */
export class LastroClient extends Operations {
  readonly #transport: Transport
  readonly #tokens: AccessTokens

  constructor(options: LastroClientOptions) {
    super()
    this.#transport = new Transport(options)
    this.#tokens = new AccessTokens(options, (request) => this.issueToken(request))
  }

  protected override async send<A>(call: Call): Promise<A> {
    // The types are generated from the OpenAPI document, which is tested against the server.
    return await this.#transport.send(call, call.isAnonymous === true ? undefined : this.#tokens) as A
  }

  protected override list<P extends Paged<A>, A>(call: Call): List<P, A> {
    return new List(this.#reader<P>(call), isNumbered(call))
  }

  protected override exportable<P extends Paged<A>, A>(call: Call): ExportableList<P, A> {
    return new ExportableList<P, A>(this.#reader<P>(call), isNumbered(call), () => this.send({ ...call, isCsv: true }))
  }

  /** Returns the function that reads the pages of a list. */
  #reader<P>(call: Call) {
    const query = defined(call.query)
    return (size?: number, position: { readonly page?: number; readonly after?: string } = {}): Promise<P> => {
      // A cursor in the query replaces the start of the list.
      const paging = position.after === "start" ? { ...position, ...query } : { ...query, ...position }
      // With a page or a cursor, the answer is always a page. With `external_id` alone, it has another form.
      return this.send({ ...call, query: { ..."after" in paging ? {} : { page: 0 }, size, ...paging } })
    }
  }

  /**
   * Returns the status of an application as soon as `until` returns true for it. A status with the `next_action` `NONE`
   * always ends the wait, because it can no longer change. The wait continues after network errors. At the timeout, the
   * call fails with `TIMEOUT`, or with the last error if there was no response.
   */
  async waitForStatus(
    application_id: string,
    { until = ({ next_action }) => next_action !== "WAIT", ...options }: WaitOptions = {}
  ): Promise<FgtsApplicationStatus> {
    let last: FgtsApplicationStatus | undefined
    for await (const status of this.followStatus(application_id, options)) {
      if (until(status)) return status
      last = status
    }
    // The iterator returns at least one status, or throws.
    return last as FgtsApplicationStatus
  }

  /**
   * Returns the status of an application, and then each change, until its `next_action` is `NONE`. Statuses of a very
   * short duration can be missing.
   */
  async *followStatus(
    application_id: string,
    { signal, timeout = defaultTimeout }: FollowOptions = {}
  ): AsyncGenerator<FgtsApplicationStatus, void, undefined> {
    const end = Date.now() + timeout
    let known: FgtsApplicationStatus | undefined
    while (known?.next_action !== "NONE") {
      const startedAt = Date.now()
      const left = end - startedAt
      if (left <= 0) {
        throw new LastroError(`The application is still ${known?.status} after ${timeout / 1_000} s.`, {
          operation: "getApplicationStatus",
          code: "TIMEOUT",
          status: 0,
          problems: [],
          request_id: "",
          retry_after: null
        })
      }
      const wait = Math.min(pollSeconds, Math.floor(left / 1_000))
      const options = { signal, timeout: left, attempts: Infinity, ifNoneMatch: known }
      const status: FgtsApplicationStatus = await this.getApplicationStatus(application_id, { wait }, options)
      const isChanged = status.version !== known?.version
      known = status
      if (isChanged) yield status
      else await pauseAfter(startedAt, left, signal)
    }
  }

  /**
   * Returns the events of the feed after the sequence `after`, and then each new event, until you leave the loop or
   * abort the signal. To continue in another program, pass the `sequence` of the last event as `after`. `timeout` is
   * the maximum time without a response of the server.
   */
  async *followEvents(
    query: Pick<ListEventsQuery, "after" | "types" | "subject_id"> = {},
    { signal, timeout = defaultTimeout }: FollowOptions = {}
  ): AsyncGenerator<LastroEvent, void, undefined> {
    let { after } = query
    for (;;) {
      const startedAt = Date.now()
      const options: CallOptions = { signal, timeout, attempts: Infinity }
      const { data, next } = await this.listEvents({ ...query, after, wait: String(pollSeconds) }, options)
      yield* data
      after = String(next)
      if (data.length === 0) await pauseAfter(startedAt, timeout, signal)
    }
  }
}

/** Pauses after a poll without a change, so that the next poll starts at least `pollPause` after it. */
const pauseAfter = async (startedAt: number, left: number, signal: AbortSignal | undefined): Promise<void> => {
  const pause = Math.min(startedAt + pollPause - Date.now(), left)
  if (pause > 0) await sleep(pause, signal)
}

/** Returns the fields that are not undefined. */
const defined = (query: object = {}): object =>
  Object.fromEntries(Object.entries(query).filter(([, value]) => value !== undefined))

/** Returns whether the query of a list contains a page number. */
const isNumbered = ({ query }: Call): boolean => "page" in defined(query)
