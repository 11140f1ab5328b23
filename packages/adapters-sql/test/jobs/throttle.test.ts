import { assert, describe, it } from "@effect/vitest"
import {
  type CallEntry,
  type CallRequest,
  LenderSettings,
  type LenderSettingsValues,
  LenderThrottle,
  LenderUnavailable
} from "@lastro/domain/lender"
import { type Application } from "@lastro/domain/loan"
import { centavos } from "@lastro/domain/values"
import { offering, type QuoteAnswer, storeRootPartner } from "@lastro/testkit"
import { Clock, Effect, Latch, Layer } from "effect"
import { migratedDatabase } from "../postgres.ts"
import { awaitQuote, openApplication } from "./fixtures.ts"
import { pgliteNode, postgresNode, startNode } from "./nodes.ts"
import { makeScriptedLender } from "./scriptedLender.ts"

/**
 * The number of quotes, and the calls a second that the lender allows. The full form takes about four minutes:
 * `THROTTLE_REPORT=1 THROTTLE_QUOTES=200 THROTTLE_RATE=1 pnpm test packages/adapters-sql/test/jobs/throttle.test.ts`.
 */
const quotes = Number(process.env["THROTTLE_QUOTES"] ?? 15)
const rate = Number(process.env["THROTTLE_RATE"] ?? 5)
const intervalMs = 1_000 / rate
const timeout = 60_000 + quotes * intervalMs * 4

const settings = (limits: Partial<LenderSettingsValues>) =>
  Layer.succeed(LenderSettings, { quote_deadline_ms: 86_400_000, max_monthly_rate: null, ...limits })

/** A request to the throttle and its answer, with the times between which the throttle judged it. */
interface Judged extends CallRequest {
  readonly from: number
  readonly to: number
  readonly entry: CallEntry
}

interface Observed {
  /** The ids of the applications whose calls were answered, in order. */
  readonly answered: Array<string>
  readonly judged: Array<Judged>
  refused: number
  inProgress: number
  mostInProgress: number
}

/** A lender that allows a burst of two calls and then `rate` calls a second, and refuses the others with a delay. */
const limitedLender = (observed: Observed, duration: number): QuoteAnswer => {
  let tokens = 2
  let refilled = 0
  return (request) =>
    Effect.gen(function*() {
      const at = yield* Clock.currentTimeMillis
      tokens = Math.min(2, tokens + (at - (refilled === 0 ? at : refilled)) / intervalMs)
      refilled = at
      if (tokens < 1) {
        observed.refused++
        return yield* new LenderUnavailable({ reason: "THROTTLED", detail: "status 429", retry_after_ms: intervalMs })
      }
      tokens -= 1
      observed.answered.push(request.application_id)
      observed.mostInProgress = Math.max(observed.mostInProgress, ++observed.inProgress)
      yield* Effect.sleep(duration)
      observed.inProgress--
      return yield* offering(centavos(500_00))(request)
    })
}

const observe = (): Observed => ({ answered: [], judged: [], refused: 0, inProgress: 0, mostInProgress: 0 })

/** The throttle of a node, whose answers are observed. */
const observedThrottle = ({ judged }: Observed) =>
  Layer.effect(
    LenderThrottle,
    Effect.map(LenderThrottle, (throttle) =>
      LenderThrottle.of({
        ...throttle,
        enter: Effect.fnUntraced(function*(request, limits) {
          const from = yield* Clock.currentTimeMillis
          const entry = yield* throttle.enter(request, limits)
          judged.push({ ...request, from, to: yield* Clock.currentTimeMillis, entry })
          return entry
        })
      }))
  )

/**
 * Opens applications one after another, and waits until each has a quote. It rarely reads, so that it does not delay
 * the jobs.
 */
const quoteAll = (observed: Observed) =>
  Effect.gen(function*() {
    const partner = yield* storeRootPartner()
    const opened: Array<Application> = []
    for (let index = 0; index < quotes; index++) opened.push(yield* openApplication(partner))
    while (new Set(observed.answered).size < quotes) yield* Effect.sleep("100 millis")
    for (const application of opened) yield* awaitQuote(application)
    return opened.map(({ application_id }) => application_id)
  })

/** The largest number of places by which the call of an application differs from its place in the order of opening. */
const displacement = (opened: ReadonlyArray<string>, answered: ReadonlyArray<string>): number =>
  Math.max(...answered.map((id, place) => Math.abs(opened.indexOf(id) - place)))

const report = (name: string, opened: ReadonlyArray<string>, { answered, mostInProgress, refused }: Observed) =>
  Effect.sync(() => {
    if (process.env["THROTTLE_REPORT"] === undefined) return
    const figures = { quotes, rate, calls: answered.length + refused, refused, mostInProgress }
    process.stdout.write(`${name} ${JSON.stringify({ ...figures, displacement: displacement(opened, answered) })}\n`)
  })

const isEntered = ({ entry }: Judged): boolean => entry._tag === "ENTERED"

/**
 * Returns true if the caller may have been late: it may have requested again later than one interval after its turn, or
 * it entered twice. A call enters again if the lender refused it because the call before it was delayed.
 */
const mayBeLate = (requests: ReadonlyArray<Judged>): boolean =>
  requests.filter(isEntered).length > 1 || requests.some(({ entry, from }, index) => {
    const next = requests[index + 1]
    return entry._tag === "WAIT" && next !== undefined && next.to > from + entry.after_ms + intervalMs
  })

/**
 * Returns true if the caller may have waited behind another one after its own slot. If the other one is late, callers
 * with later slots may overtake both.
 */
const mayWaitBehind = (requests: ReadonlyArray<Judged>): boolean =>
  requests.some(({ entry, to }) => entry._tag === "WAIT" && entry.slot_at <= to && entry.after_ms >= intervalMs)

/**
 * Holds on a machine of any speed: each interval between two calls is at least that of the rate, and a call is
 * overtaken by a later one only if its caller was late, or waited behind one that was late.
 */
const assertTurns = ({ judged }: Observed) => {
  const calls = judged.filter(isEntered).toSorted((one, other) => one.from - other.from)
  assert.isAtLeast(calls.length, quotes, "each quote entered")
  // The database may judge two calls in another order than that of their requests.
  calls.slice(1).forEach((call, index) => {
    const previous = calls[index] ?? call
    assert.isAtLeast(
      Math.max(call.to - previous.from, previous.to - call.from),
      Math.floor(intervalMs),
      "two calls keep the interval of the rate"
    )
  })
  for (const call of calls) {
    const overtaken = calls.filter(({ slot_at, to }) =>
      call.slot_at !== null && slot_at !== null && slot_at > call.slot_at && to < call.from
    )
    const requests = judged.filter(({ ticket }) => ticket === call.ticket)
    const isInTime = !mayBeLate(requests) && !mayWaitBehind(requests)
    assert.isTrue(overtaken.length === 0 || !isInTime, `${call.ticket} was overtaken: ${JSON.stringify(requests)}`)
  }
}

/**
 * On a slow machine, a lease can end during a run. The quote is then requested and answered again, and one answer is
 * recorded.
 */
const assertAll = (opened: ReadonlyArray<string>, { answered }: Observed) => {
  assert.deepStrictEqual(Array.from(new Set(answered)).toSorted(), opened.toSorted(), "each quote was answered")
}

describe.concurrent("the throttle of an installation", () => {
  it.live(
    "LENDER-10 LENDER-11 two nodes keep the rate of the lender: no quote fails, and the order is fair",
    () =>
      Effect.gen(function*() {
        const observed = observe()
        const { lender, script } = yield* makeScriptedLender
        yield* script.setQuoteAnswers(limitedLender(observed, 5))
        const url = yield* migratedDatabase
        const both = Layer.mergeAll(lender, settings({ requests_per_second: rate }), observedThrottle(observed))
        const one = yield* startNode(postgresNode(url, both))
        yield* startNode(postgresNode(url, both))
        const opened = yield* one.run(quoteAll(observed))
        yield* report("two nodes on PostgreSQL", opened, observed)
        assertAll(opened, observed)
        assertTurns(observed)
      }),
    timeout
  )

  it.live("LENDER-10 LENDER-11 one node on PGlite keeps the rate of the lender", () =>
    Effect.gen(function*() {
      const observed = observe()
      const { lender, script } = yield* makeScriptedLender
      yield* script.setQuoteAnswers(limitedLender(observed, 5))
      const limited = Layer.mergeAll(lender, settings({ requests_per_second: rate }), observedThrottle(observed))
      const node = yield* startNode(pgliteNode("memory", limited))
      const opened = yield* node.run(quoteAll(observed))
      yield* report("PGlite", opened, observed)
      assertAll(opened, observed)
      assertTurns(observed)
    }), timeout)

  it.live("LENDER-10 LENDER-11 two nodes never have more calls in progress than allowed", () =>
    Effect.gen(function*() {
      const observed = observe()
      const { lender, script } = yield* makeScriptedLender
      // The first calls end when as many are in progress as allowed.
      const full = yield* Latch.make()
      const answer: QuoteAnswer = (request) =>
        Effect.gen(function*() {
          observed.answered.push(request.application_id)
          observed.mostInProgress = Math.max(observed.mostInProgress, ++observed.inProgress)
          if (observed.inProgress === 3) yield* full.open
          yield* full.await
          yield* Effect.sleep("50 millis")
          observed.inProgress--
          return yield* offering(centavos(500_00))(request)
        })
      yield* script.setQuoteAnswers(answer)
      const url = yield* migratedDatabase
      const both = Layer.merge(lender, settings({ max_in_flight: 3 }))
      const one = yield* startNode(postgresNode(url, both))
      yield* startNode(postgresNode(url, both))
      const opened = yield* one.run(quoteAll(observed))
      assertAll(opened, observed)
      assert.strictEqual(observed.mostInProgress, 3)
    }), timeout)

  it.live(
    "LENDER-07 JOB-04 without limits, a lender that refuses too many calls fails no quote",
    () =>
      Effect.gen(function*() {
        const observed = observe()
        const { lender, script } = yield* makeScriptedLender
        yield* script.setQuoteAnswers(limitedLender(observed, 5))
        const node = yield* startNode(postgresNode(yield* migratedDatabase, lender))
        const opened = yield* node.run(quoteAll(observed))
        yield* report("without limits", opened, observed)
        assertAll(opened, observed)
      }),
    timeout
  )
})
